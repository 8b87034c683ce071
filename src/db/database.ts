/** Access to SQLite files. Kysely builds and types the SQL (tables.ts); better-sqlite3 runs it. */
import { accessSync, closeSync, constants, mkdirSync, openSync, statSync } from 'node:fs';
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

interface Compilable<Row> {
  compile(): CompiledQuery<Row>;
}

type Given = Readonly<Record<string, string | number | Uint8Array | null>>;

export interface Database extends Disposable {
  readonly path: string;
  readonly connection: Sqlite.Database;
  all<Row>(query: Compilable<Row>, given?: Given): Row[];
  first<Row>(query: Compilable<Row>, given?: Given): Row | undefined;
  run(query: Compilable<unknown>, given?: Given): Sqlite.RunResult;
  /** For SQL that Kysely cannot express. */
  statement<Row = unknown>(sql: string): Sqlite.Statement<unknown[], Row>;
  snapshot<T>(read: () => T): T;
  /** Takes the write lock at once, so that it cannot fail half-way for a lock. */
  write<T>(change: () => T): T;
  /** @throws when the path no longer leads to the open file */
  assertInPlace(): void;
  close(): void;
}

const BUSY_TIMEOUT_MS = 5_000;
const WAL_RETRY_MS = 10;
const WAL_KEPT_BYTES = 16 * 1024 * 1024;
/** Holds the upper pages of every b-tree at a million entries, so that a random row costs one or two file reads. */
const READ_CACHE_KIB = 24 * 1024;
const STATEMENTS_MAX = 500;

export const build = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** For frequent queries, because compiling takes longer than reading a row. */
export function compileOnce<Row>(query: Compilable<Row>): Compilable<Row> {
  const compiled = query.compile();
  return { compile: () => compiled };
}

/** Marks a parameter. Registered, because the development server loads this module twice. */
const NAME = Symbol.for('czujka.given');

/** A query parameter. */
export function given(name: string): RawBuilder<never> {
  return sql`${{ [NAME]: name }}`;
}

/** A JSON array as parameter for `in`. */
export function givenList(name: string): RawBuilder<never> {
  return sql`(SELECT value FROM json_each(${given(name)}))`;
}

/** @param mode `write` makes the file and its folder */
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
      connection.pragma(`journal_size_limit = ${WAL_KEPT_BYTES}`);
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
  return wrap(path, mode, connection);
}

/** SQLite's busy time-out does not cover this switch. */
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
 * Makes the file readable for the service's own user only; SQLite gives its WAL the same mode. An existing file is not
 * opened, because closing it would drop the locks that SQLite holds on it in this process
 * (sqlite.org/howtocorrupt.html, 2.2).
 */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // The file exists, or SQLite will report the problem.
  }
}

function wrap(path: string, mode: 'read' | 'write', connection: Sqlite.Database): Database {
  const opened = identifyFile(path);
  const statements = new Map<string, Sqlite.Statement<unknown[]>>();
  const prepare = (source: string): Sqlite.Statement<unknown[]> => {
    let statement = statements.get(source);
    if (!statement) {
      if (statements.size >= STATEMENTS_MAX) statements.clear();
      statement = connection.prepare<unknown[]>(source);
      statements.set(source, statement);
    }
    return statement;
  };
  // Made once, because making one takes as long as a short read.
  const transaction = connection.transaction((work: () => unknown) => work());
  return {
    path,
    connection,
    all<Row>(query: Compilable<Row>, values?: Given) {
      const compiled = query.compile();
      return prepare(compiled.sql).all(...bind(compiled, values)) as Row[];
    },
    first<Row>(query: Compilable<Row>, values?: Given) {
      const compiled = query.compile();
      return prepare(compiled.sql).get(...bind(compiled, values)) as Row | undefined;
    },
    run(query, values) {
      const compiled = query.compile();
      return prepare(compiled.sql).run(...bind(compiled, values));
    },
    statement: <Row>(source: string) => prepare(source) as Sqlite.Statement<unknown[], Row>,
    snapshot: <T>(read: () => T) => transaction.deferred(read) as T,
    write: (change) => connection.transaction(change).immediate(),
    assertInPlace() {
      if (identifyFile(path) !== opened)
        throw new Error(
          `${path} is another file than the one that was opened: end all processes, start them anew`,
        );
      accessSync(path, mode === 'read' ? constants.R_OK : constants.R_OK | constants.W_OK);
    },
    close: () => void connection.close(),
    [Symbol.dispose]: () => void connection.close(),
  };
}

function bind({ parameters }: CompiledQuery<unknown>, values: Given | undefined): readonly unknown[] {
  if (!values) return parameters;
  return parameters.map((value) =>
    typeof value === 'object' && value !== null && NAME in value ? values[value[NAME] as string] : value,
  );
}

export function identifyFile(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && `${stat.dev} ${stat.ino}`;
}
