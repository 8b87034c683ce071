/**
 * How a serving file is made and kept: entries are taken over from the database in steps, then the change log is followed,
 * one transaction a batch. How far it has come stands in the file, so that any process may go on at any time, and two at
 * once do no harm.
 */
import { readLogHead } from '../changes/log-head.ts';
import type { LogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import { readPopularity } from '../entries/apply-view-counts.ts';
import { findStoredEntry, pageStored } from '../entries/read-entry.ts';
import type { StoredEntry } from '../entries/read-entry.ts';
import { BATCH_BYTES, takeBatch } from './batch.ts';
import { eraseText, queueText } from './full-text.ts';
import { Orders, toElement } from './orders.ts';
import { makeReady } from './ready-entry.ts';
import { addShapes, makeShapes, removeShapes } from './shapes.ts';
import { createServingFile, findState, ofDatabase, writeState } from './serving-file.ts';
import type { ServingState } from './serving-file.ts';
import { makeOrders, OrderChanges } from './write-orders.ts';
import type { Placed } from './write-orders.ts';

/** Entries that are taken over in one transaction while a file is made. */
const BUILD_ROWS = 1_000;
/** Changes that are followed in one transaction. */
const FOLLOW_CHANGES = 10_000;
/** Rows whose views are compared at once. */
const VIEWS_ROWS = 20_000;

/** The file cannot go on with the change log of the database: another one is to be made. */
export class StaleFileError extends Error {
  override name = 'StaleFileError';
}

/** A file that somebody keeps, with the orders as they are in it. */
export interface KeptFile {
  readonly db: Database;
  readonly orders: Orders;
}

export function startFile(main: Database): KeptFile {
  const head = main.snapshot(() => ({ ...readLogHead(main), popularity: readPopularity(main) }));
  return { db: createServingFile(main.path, head), orders: new Orders() };
}

/**
 * Takes one step. What the change log tells of comes first, so that a removal reaches a file that is half made.
 * @returns what was done; undefined when entries and orders are right up to the newest change and the newest views
 * @throws {StaleFileError} when the file is of another history or of other rules
 */
export function followEntries(
  main: Database,
  { db, orders }: KeptFile,
  batchBytes = BATCH_BYTES,
): 'made' | 'followed' | undefined {
  return db.write(() => {
    const state = findState(db);
    // Of one moment: an entry that comes back between two reads would have two rows.
    const { head, next } = ofDatabase(() => main.snapshot(() => readNext(main, state, batchBytes)));
    if (!state || state.history !== head.history || state.seq > head.seq) {
      throw new StaleFileError('the file belongs to another history');
    }
    orders.load(db);
    if (state.seq < head.seq) return followChanges(main, { db, orders }, state, batchBytes);
    if (state.builtThrough !== null) return buildStep({ db, orders }, state, next);
    const popularity = ofDatabase(() => readPopularity(main));
    if (popularity !== state.popularity) return followViews(main, { db, orders }, state, popularity);
    return undefined;
  });
}

/** Where the log stands; and, if nothing is to be followed in it, what is taken over next. */
function readNext(
  main: Database,
  state: ServingState | undefined,
  batchBytes: number,
): { readonly head: LogHead; readonly next: readonly StoredEntry[] } {
  const head = readLogHead(main);
  const after = state?.seq === head.seq ? state.builtThrough : null;
  const next = after === null ? [] : takeBatch(pageStored(main, after, BUILD_ROWS), batchBytes, bytesOf);
  return { head, next };
}

function buildStep(
  { db, orders }: KeptFile,
  state: ServingState,
  stored: readonly StoredEntry[],
): 'made' | 'followed' {
  const last = stored.at(-1);
  if (last) {
    for (const one of stored) writeReady(db, one);
    writeState(db, { ...state, builtThrough: last.row });
    return 'followed';
  }
  const version = state.version + 1;
  makeOrders(db, orders, version);
  makeShapes(db);
  writeState(db, { ...state, version, builtThrough: null });
  return 'made';
}

function followChanges(
  main: Database,
  { db, orders }: KeptFile,
  state: ServingState,
  batchBytes: number,
): 'followed' {
  const { through, changed } = ofDatabase(() =>
    main.snapshot(() => readChanged(main, state.seq, batchBytes)),
  );
  const rowsBefore = new Map<string, number>();
  const changes = new OrderChanges(db, orders);
  // Before that, they will be made of what is placed then.
  const isMade = state.builtThrough === null;
  const takeAway = (placed: Placed): void => {
    changes.leave(placed);
    if (isMade) removeShapes(db, placed);
    queueText(db, placed.row, state.textThrough);
    db.statement('DELETE FROM ready WHERE row = ?').run(placed.row);
    db.statement('DELETE FROM placed WHERE row = ?').run(placed.row);
  };
  for (const entryId of changed.keys()) {
    const before = findPlaced(db, entryId);
    if (!before) continue;
    rowsBefore.set(entryId, before.row);
    takeAway(before);
  }
  for (const [entryId, stored] of changed) {
    const rowBefore = rowsBefore.get(entryId);
    if (rowBefore !== undefined && rowBefore !== stored?.row) eraseText(db, rowBefore);
    // What is not taken over yet will be as it is then.
    if (!stored || (state.builtThrough !== null && stored.row > state.builtThrough)) continue;
    const gone = db.statement<Placed>('SELECT * FROM placed WHERE row = ?').get(stored.row);
    if (gone) {
      // Its removal is among the changes of a later batch, and its row has been given again.
      takeAway(gone);
      eraseText(db, gone.row);
    } else {
      queueText(db, stored.row, state.textThrough);
    }
    const placed = writeReady(db, stored);
    changes.enter(placed);
    if (isMade) addShapes(db, placed);
  }
  let { version } = state;
  if (state.builtThrough === null && changes.write(version + 1)) version += 1;
  writeState(db, { ...state, seq: through, version });
  return 'followed';
}

/** The next changes, and the entries that they are about as they are now; undefined: no public entry. */
function readChanged(
  main: Database,
  after: number,
  batchBytes: number,
): { readonly through: number; readonly changed: ReadonlyMap<string, StoredEntry | undefined> } {
  const rows = main
    .statement<{ seq: number; entry_id: string }>(
      'SELECT seq, entry_id FROM changes WHERE seq > ? ORDER BY seq LIMIT ?',
    )
    .all(after, FOLLOW_CHANGES);
  const changed = new Map<string, StoredEntry | undefined>();
  let through = after;
  let bytes = 0;
  for (const { seq, entry_id: id } of rows) {
    if (!changed.has(id)) {
      const stored = findStoredEntry(main, id);
      bytes += stored ? bytesOf(stored) : 0;
      if (changed.size > 0 && bytes > batchBytes) break;
      changed.set(id, stored);
    }
    through = seq;
  }
  return { through, changed };
}

/** Only the text has no small bound. */
function bytesOf({ entry }: StoredEntry): number {
  return Buffer.byteLength(entry.descHtml);
}

/** The order by views anew: of entries whose views were counted since. */
function followViews(
  main: Database,
  { db, orders }: KeptFile,
  state: ServingState,
  popularity: string,
): 'followed' {
  const changes = new OrderChanges(db, orders);
  const moved: Placed[] = [];
  const known = db.connection.prepare<unknown[], Placed>(
    'SELECT * FROM placed WHERE row > ? ORDER BY row LIMIT ?',
  );
  const readViews = ofDatabase(() =>
    main.statement('SELECT row, views FROM entries WHERE row BETWEEN ? AND ?').raw(),
  );
  for (let after = 0; ;) {
    const rows = known.all(after, VIEWS_ROWS);
    const last = rows.at(-1)?.row;
    if (last === undefined) break;
    const views = new Map(ofDatabase(() => readViews.all(after + 1, last)) as [number, number][]);
    for (const placed of rows) {
      const now = views.get(placed.row);
      if (now === undefined || now === placed.views) continue;
      moved.push({ ...placed, views: now });
      changes.leave(placed, ['popular']);
    }
    after = last;
  }
  const write = db.statement('UPDATE placed SET views = ? WHERE row = ?');
  for (const placed of moved) {
    write.run(placed.views, placed.row);
    changes.enter(placed, ['popular']);
  }
  const version = changes.write(state.version + 1) ? state.version + 1 : state.version;
  writeState(db, { ...state, version, popularity });
  return 'followed';
}

export function findPlaced(db: Database, entryId: string): Placed | undefined {
  return db.statement<Placed>('SELECT * FROM placed WHERE entry_id = ?').get(entryId);
}

function writeReady(db: Database, { row, views, entry }: StoredEntry): Placed {
  const { chatId, flags, summary, body } = makeReady(row, entry);
  // Refuses a row that is too large before anything is written.
  toElement(row, flags);
  db.statement('INSERT OR REPLACE INTO ready (row, chat_id, summary, body) VALUES (?, ?, ?, ?)').run(
    row,
    chatId,
    summary,
    body,
  );
  const placed = { row, entry_id: entry._id, flags, reported_at: entry.reportedAt, views, name: entry.name };
  db.statement(
    `INSERT OR REPLACE INTO placed (row, entry_id, flags, reported_at, views, name)
     VALUES (@row, @entry_id, @flags, @reported_at, @views, @name)`,
  ).run(placed);
  return placed;
}
