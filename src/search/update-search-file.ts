import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { listChangedEntries, readLogHead } from '../changes/change-log.ts';
import { sqlBuilder, makePrivateFile, removeDatabaseFile, type Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import { syncPath } from '../db/write-file-atomic.ts';
import type { ListEntry } from '../entries/entry-schema.ts';
import { listPublicByIds } from '../entries/public-entry.ts';
import {
  createSearchHandle,
  findSearchState,
  foldTexts,
  FORMAT,
  listGrams,
  openSearchFile,
  searchPath,
} from './search-file.ts';

/** Removing an entry takes as long as making the file again takes for some 100 (17 ms, 0.17 ms an entry). */
const ENTRIES_PER_CHANGE = 100;
const CHANGED_MIN = 50;
const STEP_ROWS = 50;
/** Other jobs of the worker wait for each step. */
const STEP_CHANGES = 2;
/** Says that the file is to be made again; a verb cannot, because only the worker writes it. */
const DUE_PROPERTY = 'search_due';

/** Another one needs another FORMAT. */
const SCHEMA = `
CREATE TABLE state (format INTEGER NOT NULL, history TEXT NOT NULL, seq INTEGER NOT NULL) STRICT;
-- Folded. The longest comes first: a place in any other column takes two bytes more.
CREATE TABLE texts (row INTEGER PRIMARY KEY, entry_id TEXT NOT NULL UNIQUE, reason TEXT NOT NULL, name TEXT NOT NULL,
  chat_id TEXT NOT NULL) STRICT;
CREATE VIRTUAL TABLE pieces USING fts5 (reason, name, chat_id, content = 'texts', content_rowid = 'row', columnsize = 0,
  tokenize = 'trigram case_sensitive 1');
-- One and two letters, each a word of hexadecimal digits. Without any detail it would be a third of the size, and FTS5's
-- secure-delete breaks such tables (seen with SQLite 3.54.1).
CREATE VIRTUAL TABLE letters USING fts5 (grams, content = '', columnsize = 0, detail = column, tokenize = 'ascii');
`;
const TABLES = ['pieces', 'letters'];
/** While a file is filled, its segments are merged once, at the end, which leaves no deleted text. FTS5 has room for 2,000. */
const FILLING = { automerge: 0, crisismerge: 500 };
/** FTS5's own numbers; deleted texts are overwritten. */
const FILLED = { automerge: 4, crisismerge: 16, 'secure-delete': 1 };

export type SearchUpdater = ReturnType<typeof createSearchUpdater>;

export function requestNewSearchFile(main: Database): void {
  main.write((tx) => setProperty(tx, DUE_PROPERTY, randomUUID()));
}

/** Only the worker has one, because two would write one temporary file. The methods must not run at the same time. */
export function createSearchUpdater(main: Database) {
  const path = searchPath(main.path);
  const temporary = `${path}.tmp`;
  const file = createSearchHandle(main.path, 'write');
  const { close } = file;
  // A killed process leaves it, perhaps with texts that were removed since.
  removeDatabaseFile(temporary);

  /** Undefined when the file has to be made. */
  const open = (): Database | undefined => {
    const head = readLogHead(main);
    try {
      return file.open(() => head);
    } catch {
      return undefined;
    }
  };

  const makeFile = async (signal?: AbortSignal): Promise<true> => {
    const due = findProperty(main, DUE_PROPERTY);
    try {
      makePrivateFile(temporary);
      using db = openSearchFile(temporary, 'write');
      // A part that a cut leaves is made again, so nothing has to reach the disk before the last step.
      db.connection.pragma('journal_mode = MEMORY');
      db.connection.pragma('synchronous = OFF');
      const { logId, seq } = readLogHead(main);
      // One transaction, because FTS5 writes a segment at the end of each.
      db.connection.exec(`BEGIN; ${SCHEMA}`);
      configureTables(db, FILLING);
      db.statement('INSERT INTO state VALUES (?, ?, ?)').run(FORMAT, logId, seq);
      // From the next change on, the file is changed in place; 0 in a file of an earlier version.
      db.connection.pragma(`user_version = ${seq}`);
      for (let after = 0; ;) {
        const rows = main.all(PUBLISHED.where('row', '>', after).limit(STEP_ROWS));
        const last = rows.at(-1);
        if (!last) break;
        for (const row of rows) put(db, row);
        after = last.row;
        await pause(signal);
      }
      db.connection.exec('COMMIT');
      await indexChanges(main, db, signal);
      for (const _ of mergeSegments(db)) await pause(signal);
      configureTables(db, FILLED);
      db.connection.pragma('journal_mode = WAL');
      db.close();
      syncPath(temporary);
      close();
      // SQLite would take them for those of the new file.
      for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
      renameSync(temporary, path);
    } catch (error) {
      removeDatabaseFile(temporary);
      throw error;
    }
    syncPath(dirname(path));
    if (due !== undefined)
      main.write((tx) => {
        if (findProperty(tx, DUE_PROPERTY) === due) setProperty(tx, DUE_PROPERTY, undefined);
      });
    return true;
  };

  return {
    /** @returns whether it moved on */
    async catchUp(signal?: AbortSignal): Promise<boolean> {
      const db = findProperty(main, DUE_PROPERTY) === undefined ? open() : undefined;
      if (!db || file.use(() => isFarBehind(main, db))) return makeFile(signal);
      const hasMoved = await indexChanges(main, db, signal, file.use);
      // Deleted texts stay in the file until the WAL is moved into it.
      truncateWal(db);
      return hasMoved;
    },
    /** Makes the file again after edits and removals, because SQLite leaves copies of rows that it moves. */
    async renew(signal?: AbortSignal): Promise<boolean> {
      const db = open();
      const made = db?.connection.pragma('user_version', { simple: true });
      return (made === undefined || hasChanges(main, made as number)) && (await makeFile(signal));
    },
    close,
    [Symbol.dispose]: close,
  };
}

function isFarBehind(main: Database, db: Database): boolean {
  const since = findSearchState(db)?.seq ?? 0;
  const changed = listChangedEntries(main, since, readLogHead(main).seq).length;
  const texts = db.statement<number>('SELECT count(*) FROM texts').pluck().get() ?? 0;
  return changed > CHANGED_MIN && changed > texts / ENTRIES_PER_CHANGE;
}

function hasChanges(main: Database, after: number): boolean {
  const change = sqlBuilder
    .selectFrom('changes')
    .select('seq')
    .where('seq', '>', after)
    .where('op', '!=', 'added');
  return main.first(change.limit(1)) !== undefined;
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

async function indexChanges(
  main: Database,
  db: Database,
  signal: AbortSignal | undefined,
  use = (work: () => void): void => work(),
): Promise<boolean> {
  const { seq } = readLogHead(main);
  const since = findSearchState(db)?.seq ?? 0;
  for (let from = since; from < seq;) {
    const { to, entryIds, rows } = main.read(() => readChanged(main, from, seq));
    use(() =>
      db.write(() => {
        for (const entryId of entryIds) deleteTexts(db, entryId);
        for (const row of rows) put(db, row);
        db.statement('UPDATE state SET seq = ?').run(to);
      }),
    );
    from = to;
    await pause(signal);
  }
  return since < seq;
}

function readChanged(main: Database, from: number, newest: number) {
  const log = sqlBuilder.selectFrom('changes').select(['seq', 'entry_id']).orderBy('seq').limit(STEP_CHANGES);
  const changes = main.all(log.where('seq', '>', from).where('seq', '<=', newest));
  const entryIds = [...new Set(changes.map(({ entry_id: entryId }) => entryId))];
  return { to: changes.at(-1)?.seq ?? newest, entryIds, rows: listPublicByIds(main, 'entry_id', entryIds) };
}

/** An entry that was removed and added again has another row. */
function put(db: Database, { row, json }: { readonly row: number; readonly json: string }): void {
  const entry = JSON.parse(json) as ListEntry;
  deleteTexts(db, entry._id);
  const texts = { ...foldTexts(entry), row };
  db.statement(
    'INSERT INTO texts (row, entry_id, reason, name, chat_id) VALUES (@row, @entryId, @reason, @name, @chatId)',
  ).run({ ...texts, entryId: entry._id });
  writeIndexes(db, null, texts);
}

const PUBLISHED = sqlBuilder.selectFrom('published').select(['row', 'json']).orderBy('row');

export function deleteTexts(db: Database, entryId: string): void {
  const texts = db
    .statement<IndexedTexts>('SELECT row, reason, name, chat_id AS chatId FROM texts WHERE entry_id = ?')
    .get(entryId);
  if (!texts) return;
  writeIndexes(db, 'delete', texts);
  db.statement('DELETE FROM texts WHERE row = ?').run(texts.row);
}

type IndexedTexts = ReturnType<typeof foldTexts> & { readonly row: number };

/** @param command of FTS5; null inserts */
function writeIndexes(db: Database, command: 'delete' | null, texts: IndexedTexts): void {
  const { row, name, chatId, reason } = texts;
  const insert = 'INSERT INTO pieces (pieces, rowid, reason, name, chat_id) VALUES (?, ?, ?, ?, ?)';
  db.statement(insert).run(command, row, reason, name, chatId);
  const grams = listGrams([name, chatId, reason]);
  db.statement('INSERT INTO letters (letters, rowid, grams) VALUES (?, ?, ?)').run(command, row, grams);
}

/** @param settings FILLING or FILLED */
function configureTables(db: Database, settings: Readonly<Record<string, number>>): void {
  for (const table of TABLES)
    for (const [name, value] of Object.entries(settings)) command(db, table, name, value);
}

/** The number is not a parameter, because better-sqlite3 binds a REAL, which FTS5 refuses. */
function command(db: Database, table: string, name: string, value: number): void {
  db.connection.exec(`INSERT INTO ${table} (${table}, rank) VALUES ('${name}', ${value})`);
}

const MERGE_PAGES = 1_000;

function* mergeSegments(db: Database): Generator<void> {
  for (const table of TABLES) {
    for (let pages = -MERGE_PAGES; ; pages = MERGE_PAGES) {
      const before = countWrites(db);
      command(db, table, 'merge', pages);
      yield;
      // The command itself counts as one write.
      if (pages > 0 && countWrites(db) - before <= 1) break;
    }
  }
}

function countWrites(db: Database): number {
  return db.statement('SELECT total_changes()').pluck().get() as number;
}
