import { renameSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { listChangedEntries, readLogHead, type LogHead } from '../changes/log-head.ts';
import { build, makePrivateFile, type Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { truncateWal } from '../db/truncate-wal.ts';
import type { ListEntry } from '../entries/entry-schema.ts';
import { findByNames } from '../entries/published.ts';
import { SEARCH_PROPERTY } from '../lists/list-indexes.ts';
import {
  createSearchHandle,
  deleteTexts,
  findSearchState,
  mergeSegments,
  openSearchFile,
  indexTexts,
  SEARCH_SCHEMA,
  searchPath,
  isMadeAt,
  moveSearchState,
  writeSearchState,
} from './search-file.ts';

/** Removing an entry takes 50 ms and writes 4 MB, so rebuilding the file is cheaper for more of them. */
const OUTDATED_MAX = 300;
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
      return db && countOutdated(main, db) <= OUTDATED_MAX ? db : undefined;
    } catch {
      return undefined;
    }
  };

  const makeFile = async (signal?: AbortSignal): Promise<LogHead> => {
    const part = `${path}.tmp`;
    removeSearchFile(part);
    makePrivateFile(part);
    let reached: LogHead;
    try {
      using db = openSearchFile(part, 'write');
      const { head, newest } = main.read(() => ({
        head: readLogHead(main),
        newest:
          main.first(build.selectFrom('published').select(({ fn }) => fn.max('row').as('row')))?.row ?? 0,
      }));
      db.write(() => db.connection.exec(SEARCH_SCHEMA));
      for (let after = 0; ;) {
        const rows = main.all(PUBLISHED.where('row', '>', after).where('row', '<=', newest).limit(STEP_ROWS));
        const last = rows.at(-1);
        if (!last) break;
        db.write(() => rows.forEach((row) => put(db, row)));
        after = last.row;
        await pause(signal);
      }
      // Last, because another process may rename the unfinished file.
      db.write(() => writeSearchState(db, head));
      reached = await catchUp(main, db, signal);
      for (const _ of mergeSegments(db)) await pause(signal);
      truncateWal(db);
    } catch (error) {
      removeSearchFile(part);
      throw error;
    }
    close();
    removeSearchFile(path);
    renameSync(part, path);
    return reached;
  };

  /** Invalidates cached answers of searches. */
  const tell = ({ history, seq }: LogHead): boolean => {
    const reached = `${history} ${seq}`;
    if (findProperty(main, SEARCH_PROPERTY) === reached) return false;
    setProperty(main, SEARCH_PROPERTY, reached);
    return true;
  };

  return {
    /** @returns whether it moved on */
    async follow(signal?: AbortSignal): Promise<boolean> {
      const db = open();
      const hasMoved = tell(db ? await catchUp(main, db, signal, file.use) : await makeFile(signal));
      // Deleted texts stay in the file until the WAL is moved into it.
      if (db) truncateWal(db);
      return hasMoved;
    },
    /**
     * Makes the file again if it was changed since it was made: changes make searches slower, and SQLite leaves copies
     * of rows that it moves.
     */
    async renew(signal?: AbortSignal): Promise<void> {
      const db = open();
      if (!db || !isMadeAt(db, readLogHead(main).seq)) tell(await makeFile(signal));
    },
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
): Promise<LogHead> {
  const { history, seq } = readLogHead(main);
  for (let from = findSearchState(db)?.seq ?? 0; from < seq;) {
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
  return { history, seq };
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

function countOutdated(main: Database, db: Database): number {
  const since = findSearchState(db)?.seq ?? 0;
  const changed = listChangedEntries(main, since, readLogHead(main).seq);
  if (changed.length <= OUTDATED_MAX) return changed.length;
  return db
    .statement('SELECT count(*) FROM texts WHERE entry_id IN (SELECT value FROM json_each(?))')
    .pluck()
    .get(JSON.stringify(changed)) as number;
}

function put(db: Database, { row, json }: Row): void {
  indexTexts(db, row, JSON.parse(json) as ListEntry);
}

const PUBLISHED = build.selectFrom('published').select(['row', 'json']).orderBy('row');
