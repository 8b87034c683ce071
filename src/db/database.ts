/** Access to SQLite files. Kysely builds and types the SQL (tables.ts); better-sqlite3 runs it. */
import { accessSync, closeSync, constants, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import {
  DummyDriver,
  Kysely,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type RawBuilder,
} from 'kysely';
import type { Tables } from './tables.ts';

/** A compiled query is faster to run; compiling takes longer than reading a row. */
type Query<Row> = CompiledQuery<Row> | { compile(): CompiledQuery<Row> };

type ParameterValues = Readonly<Record<string, string | number | Uint8Array | null>>;

const BUSY_TIMEOUT_MS = 5_000;
const WAL_RETRY_MS = 10;
const WAL_SIZE_LIMIT_BYTES = 16 * 1024 * 1024;
/** Holds the upper pages of every b-tree at a million entries, so that a random row costs one or two file reads. */
const READ_CACHE_KIB = 24 * 1024;
const STATEMENTS_MAX = 500;

/** Builds and types SQL, and runs none: statements are run by `Database`. */
export const sqlBuilder = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** A named parameter, `@name`, of a statement that is prepared once and run with values. */
export function param(name: string): RawBuilder<never> {
  return sql.raw(`@${name}`);
}

/** A JSON array as parameter for `in`. */
export function paramList(name: string): RawBuilder<never> {
  return sql`(SELECT value FROM json_each(${param(name)}))`;
}

export function openDatabase(
  path: string,
  mode: 'read' | 'write',
  { mustExist = mode === 'read' } = {},
): Database {
  if (!mustExist) {
    mkdirSync(dirname(path), { recursive: true });
    makePrivateFile(path);
  }
  const connection = new Sqlite(path, {
    readonly: mode === 'read',
    fileMustExist: mustExist,
    timeout: BUSY_TIMEOUT_MS,
  });
  try {
    connection.pragma('foreign_keys = ON');
    connection.pragma('trusted_schema = OFF');
    if (mode === 'write') {
      switchToWal(connection);
      // The next checkpoint truncates a WAL that a large write has grown.
      connection.pragma(`journal_size_limit = ${WAL_SIZE_LIMIT_BYTES}`);
      connection.pragma('synchronous = FULL');
      // Overwrites deleted rows, because erased personal data must not stay in free pages.
      connection.pragma('secure_delete = ON');
    } else {
      connection.pragma(`cache_size = -${READ_CACHE_KIB}`);
      // Detects a damaged header now.
      connection.pragma('schema_version');
    }
  } catch (error) {
    connection.close();
    throw error;
  }
  const database = new Database(path, () => connection);
  // Identifies the file now.
  void database.connection;
  return database;
}

/** SQLite's busy time-out does not cover this switch. */
function switchToWal(connection: Sqlite.Database): void {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, WAL_RETRY_MS);
    }
  }
}

/** Does not open an existing file: closing it would drop SQLite's locks (sqlite.org/howtocorrupt.html, 2.2). */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // The file exists, or SQLite will report the problem.
  }
}

/** Uses its own connection because VACUUM INTO cannot run in a transaction. */
export function copyDatabase(from: string, to: string): void {
  using db = openDatabase(from, 'read');
  makePrivateFile(to);
  db.connection.prepare('VACUUM INTO ?').run(to);
}

declare const isWriting: unique symbol;

/** The database while `write` holds the lock. A function that must run in a transaction takes this type, and `run` needs it. */
export type Transaction = Database & { readonly [isWriting]: true };

/** Another process has the lock. The code does not survive the way from a process to another, nor in another error. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message.includes('database is locked');
}

/** With what SQLite keeps beside it. */
export function removeDatabaseFile(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
}

export class Database implements Disposable {
  readonly path: string;
  readonly #open: () => Sqlite.Database;
  #connection: Sqlite.Database | undefined;
  #file: string | undefined;
  readonly #statements = new Map<string, Sqlite.Statement<unknown[]>>();
  #transaction: Sqlite.Transaction<(work: () => unknown) => unknown> | undefined;

  /** @param open called at the first use, and again when it failed: reader.ts lets a second pass between */
  constructor(path: string, open: () => Sqlite.Database) {
    this.path = path;
    this.#open = open;
  }

  get connection(): Sqlite.Database {
    if (this.#connection) return this.#connection;
    this.#connection = this.#open();
    this.#file = identifyFile(this.path);
    return this.#connection;
  }

  all<Row>(query: Query<Row>, values: ParameterValues = NONE): Row[] {
    const { sql: source, parameters } = compile(query);
    return this.statement<Row>(source).all(...parameters, values);
  }

  first<Row>(query: Query<Row>, values: ParameterValues = NONE): Row | undefined {
    const { sql: source, parameters } = compile(query);
    return this.statement<Row>(source).get(...parameters, values);
  }

  run(this: Transaction, query: Query<unknown>, values: ParameterValues = NONE): Sqlite.RunResult {
    const { sql: source, parameters } = compile(query);
    return this.statement(source).run(...parameters, values);
  }

  /** For SQL that Kysely cannot express. */
  statement<Row = unknown>(source: string): Sqlite.Statement<unknown[], Row> {
    let statement = this.#statements.get(source);
    if (!statement) {
      if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
      statement = this.connection.prepare<unknown[]>(source);
      this.#statements.set(source, statement);
    }
    return statement as Sqlite.Statement<unknown[], Row>;
  }

  /** A steady view; `work` may also write temporary tables, for which it takes no lock. */
  read<T>(work: () => T): T {
    // Made once, because making one takes as long as a short read.
    this.#transaction ??= this.connection.transaction((each: () => unknown) => each());
    return this.#transaction.deferred(work) as T;
  }

  /** Takes the write lock at once, so that it cannot fail half-way for a lock. */
  write<T>(change: (tx: Transaction) => T): T {
    return this.connection.transaction(() => change(this as unknown as Transaction)).immediate();
  }

  /** @throws when the path no longer leads to the open file */
  assertInPlace(): void {
    const { readonly } = this.connection;
    if (identifyFile(this.path) !== this.#file)
      throw new Error(
        `${this.path} is another file than the one that was opened: restart nothing, ask "czujka doctor"`,
      );
    accessSync(this.path, readonly ? constants.R_OK : constants.R_OK | constants.W_OK);
  }

  close(): void {
    this.#connection?.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

const NONE: ParameterValues = {};

function compile<Row>(query: Query<Row>): CompiledQuery<Row> {
  return 'compile' in query ? query.compile() : query;
}

export function identifyFile(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.dev} ${stat.ino}`;
}
