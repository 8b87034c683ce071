import { renameSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { listChangedEntries, readLogHead } from '../changes/log-head.ts';
import { build, makePrivateFile, type Database } from '../db/database.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import type { ListEntry } from '../entries/entry-schema.ts';
import { findByNames } from '../entries/published.ts';
import {
  createSearchHandle,
  deleteTexts,
  findSearchState,
  mergeSegments,
  openSearchFile,
  indexTexts,
  SEARCH_SCHEMA,
  searchPath,
  moveSearchState,
  writeSearchState,
} from './search-file.ts';

/** Replacing an entry takes 50 ms and writes 4 MB, so making the file again is cheaper for more of them. */
const CHANGED_MAX = 300;
const STEP_ROWS = 50;
const STEP_CHANGES = 10;

export type SearchUpdater = ReturnType<typeof createSearchUpdater>;

export function createSearchUpdater(main: Database) {
  const path = searchPath(main.path);
  const file = createSearchHandle(main.path, 'write');
  const { close } = file;

  const open = (): Database | undefined => {
    try {
      const db = file.open(() => readLogHead(main));
      const changed = db && listChangedEntries(main, findSearchState(db)?.seq ?? 0, readLogHead(main).seq);
      return changed && changed.length <= CHANGED_MAX ? db : undefined;
    } catch {
      return undefined;
    }
  };

  const makeFile = async (signal?: AbortSignal): Promise<true> => {
    const part = `${path}.tmp`;
    removeSearchFile(part);
    makePrivateFile(part);
    try {
      using db = openSearchFile(part, 'write');
      const head = readLogHead(main);
      db.write(() => db.connection.exec(SEARCH_SCHEMA));
      for (let after = 0; ;) {
        const rows = main.all(PUBLISHED.where('row', '>', after).limit(STEP_ROWS));
        const last = rows.at(-1);
        if (!last) break;
        db.write(() => rows.forEach((row) => put(db, row)));
        after = last.row;
        await pause(signal);
      }
      // Last, because another process may rename the unfinished file.
      db.write(() => writeSearchState(db, head));
      await catchUp(main, db, signal);
      for (const _ of mergeSegments(db)) await pause(signal);
      truncateWal(db);
    } catch (error) {
      removeSearchFile(part);
      throw error;
    }
    close();
    removeSearchFile(path);
    renameSync(part, path);
    return true;
  };

  return {
    /** @returns whether it moved on */
    async follow(signal?: AbortSignal): Promise<boolean> {
      const db = open();
      if (!db) return makeFile(signal);
      const hasMoved = await catchUp(main, db, signal, file.use);
      // Deleted texts stay in the file until the WAL is moved into it.
      truncateWal(db);
      return hasMoved;
    },
    /** Changes make searches slower, and SQLite leaves copies of rows that it moves. */
    renew: makeFile,
    close,
    [Symbol.dispose]: close,
  };
}

export function removeSearchFile(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

async function catchUp(
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
        moveSearchState(db, to);
      }),
    );
    from = to;
    await pause(signal);
  }
  return since < seq;
}

interface Row {
  readonly row: number;
  readonly json: string;
}

function readChanged(main: Database, from: number, newest: number) {
  const log = build.selectFrom('changes').select(['seq', 'entry_id']).orderBy('seq').limit(STEP_CHANGES);
  const changes = main.all(log.where('seq', '>', from).where('seq', '<=', newest));
  const entryIds = [...new Set(changes.map(({ entry_id: entryId }) => entryId))];
  return { to: changes.at(-1)?.seq ?? newest, entryIds, rows: findByNames(main, 'entry_id', entryIds) };
}

/** An entry that was removed and added again has another row. */
function put(db: Database, { row, json }: Row): void {
  const entry = JSON.parse(json) as ListEntry;
  deleteTexts(db, entry._id);
  indexTexts(db, row, entry);
}

const PUBLISHED = build.selectFrom('published').select(['row', 'json']).orderBy('row');
