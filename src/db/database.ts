/**
 * The one way to the SQLite file. Kysely builds and types the SQL (tables.ts); better-sqlite3 runs it, synchronously and
 * from statements prepared once. Opened for reading by the web process, for writing by the worker and the scripts;
 * migrate.ts brings it to this version, readiness.ts says whether it can be served.
 */
import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { CompiledQuery, RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** Anything of Kysely's that compiles to SQL. */
interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

type Given = Readonly<Record<string, string | number | Uint8Array | null>>;

export interface Database {
  readonly path: string;
  readonly connection: Sqlite.Database;
  /** @param given values of its `given` places, by name */
  all<Row>(query: Compilable<Row>, given?: Given): Row[];
  /** Undefined when there is no row. */
  first<Row>(query: Compilable<Row>, given?: Given): Row | undefined;
  run(query: Compilable<unknown>, given?: Given): Sqlite.RunResult;
  /** A statement written by hand, prepared once: for what Kysely cannot say. */
  statement<Row = unknown>(sql: string): Sqlite.Statement<unknown[], Row>;
  /** Reads of one moment: no write of another process comes in between. */
  snapshot<T>(read: () => T): T;
  /** All or nothing; takes the write lock at once, so that it never fails half-way for a lock. */
  write<T>(change: () => T): T;
  /** @throws when the file at the path is not the one that is open, or may not be used any more */
  assertInPlace(): void;
  close(): void;
}

export interface OpenOptions {
  /** Makes no file where there is none. */
  readonly mustExist?: boolean;
}

/** How long a writer waits for another one's lock. */
const BUSY_TIMEOUT_MS = 5_000;
const WAL_RETRY_MS = 10;
const WAL_KEPT_BYTES = 16 * 1024 * 1024;
/** Holds the upper pages of every tree at a million entries, so that a random row costs one or two reads of the file. */
const READ_CACHE_KIB = 24 * 1024;
/** Distinct SQL texts are few; a bound keeps a mistake from growing it for ever. */
const STATEMENTS_MAX = 500;

/** Builds queries; a Database runs them. */
export const build = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Compiles a query once, for what runs often: to compile one takes longer than to read a row. */
export function compileOnce<Row>(query: Compilable<Row>): Compilable<Row> {
  const compiled = query.compile();
  return { compile: () => compiled };
}

/** Registered, because the development server loads this module twice: a class of one is not that of the other. */
const IS_PLACE = Symbol.for('czujka.place');

class Place {
  readonly [IS_PLACE] = true;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

function isPlace(value: unknown): value is Place {
  return typeof value === 'object' && value !== null && IS_PLACE in value;
}

/** A value in such a query that is given when it runs. */
export function given(name: string): RawBuilder<never> {
  return sql`${new Place(name)}`;
}

/** As many values as such a query is given, for `in`: a JSON array. */
export function givenList(name: string): RawBuilder<never> {
  return sql`(SELECT value FROM json_each(${given(name)}))`;
}

/**
 * @param mode `read` needs the file to be there and refuses every write; `write` makes file and folder
 * @throws when the file cannot be opened
 */
export function openDatabase(
  path: string,
  mode: 'read' | 'write',
  { mustExist = mode === 'read' }: OpenOptions = {},
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
      // The next checkpoint truncates the log that a large write has grown.
      connection.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
      // A committed write survives a power cut.
      connection.pragma('synchronous = FULL');
      // What is deleted is overwritten: erased personal data must not stay in free pages.
      connection.pragma('secure_delete = ON');
    } else {
      connection.pragma(`cache_size = -${READ_CACHE_KIB}`);
      // Makes a damaged header or a missing file fail here and not at the first request.
      connection.pragma('schema_version');
    }
  } catch (error) {
    connection.close();
    throw error;
  }
  return wrap(path, mode, connection);
}

/** SQLite does not wait for others that make the same switch at the same moment: this does. */
function switchToWal(connection: Sqlite.Database): void {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      connection.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = (error as { code?: string }).code?.startsWith('SQLITE_BUSY');
      if (!isBusy || performance.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, WAL_RETRY_MS);
    }
  }
}

/**
 * For the service's own user alone: private proofs and payers are in it. SQLite gives the files beside it the same mode.
 * A file that is there is not opened: closing it would drop the locks that SQLite holds on it in this process
 * (sqlite.org/howtocorrupt.html, 2.2).
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // It is there already; or it cannot be made, which SQLite tells.
  }
}

function wrap(path: string, mode: 'read' | 'write', connection: Sqlite.Database): Database {
  const opened = identityOf(path);
  const statements = new Map<string, Sqlite.Statement<unknown[]>>();
  const statementOf = (source: string): Sqlite.Statement<unknown[]> => {
    let statement = statements.get(source);
    if (!statement) {
      if (statements.size >= STATEMENTS_MAX) statements.clear();
      statement = connection.prepare<unknown[]>(source);
      statements.set(source, statement);
    }
    return statement;
  };
  // Made once: to make one takes as long as a short read.
  const transaction = connection.transaction((work: () => unknown) => work());
  const prepared = (query: CompiledQuery<unknown>): Sqlite.Statement<unknown[]> => statementOf(query.sql);
  return {
    path,
    connection,
    all<Row>(query: Compilable<Row>, values?: Given) {
      const compiled = query.compile();
      return prepared(compiled).all(...boundOf(compiled, values)) as Row[];
    },
    first<Row>(query: Compilable<Row>, values?: Given) {
      const compiled = query.compile();
      return prepared(compiled).get(...boundOf(compiled, values)) as Row | undefined;
    },
    run(query, values) {
      const compiled = query.compile();
      return prepared(compiled).run(...boundOf(compiled, values));
    },
    statement: <Row>(source: string) => statementOf(source) as Sqlite.Statement<unknown[], Row>,
    snapshot: <T>(read: () => T) => transaction.deferred(read) as T,
    write: (change) => connection.transaction(change).immediate(),
    assertInPlace() {
      if (identityOf(path) !== opened)
        throw new Error(
          `${path} is another file than the one that was opened: end all processes, start them anew`,
        );
      accessSync(path, mode === 'read' ? constants.R_OK : constants.R_OK | constants.W_OK);
    },
    close: () => {
      connection.close();
    },
  };
}

function boundOf({ parameters }: CompiledQuery<unknown>, values: Given | undefined): readonly unknown[] {
  return values ? parameters.map((value) => (isPlace(value) ? values[value.name] : value)) : parameters;
}

/** The same for the same file, whatever it is called. @throws when there is none */
function identityOf(path: string): string {
  const { dev, ino } = statSync(path);
  return `${dev}:${ino}`;
}
