/** Sort keys of all entries stay in memory; changed segments are written with their position in the change log. */
import { setImmediate } from 'node:timers/promises';
import { listChangedEntries, readLogHead } from '../changes/change-log.ts';
import { sqlBuilder, param, type Database, type Transaction } from '../db/database.ts';
import { readViewsVersion } from '../entries/views-file.ts';
import { findIndexState, writeIndexState, type IndexState } from './list-indexes.ts';
import { makeOrders, SEGMENT_SIZE, readKeys, type SortedOrder, type SortKeys } from './sort-orders.ts';
import { writeLookAlikeHashes } from './look-alike-hashes.ts';

/** Sorting everything is faster with more changes. */
const ONE_BY_ONE_MAX = 1_000;
const HASHES_STEP = 2_000;

export type IndexUpdater = ReturnType<typeof createIndexUpdater>;

interface Model {
  readonly logId: string;
  readonly entries: Map<string, SortKeys>;
  readonly orders: readonly SortedOrder[];
  seq: number;
  viewsVersion: string;
  version: number;
}

export function createIndexUpdater(
  db: Database,
  { segmentSize = SEGMENT_SIZE, oneByOneMax = ONE_BY_ONE_MAX, hashesStep = HASHES_STEP } = {},
) {
  let model: Model | undefined;

  const load = (): Model => {
    const { logId, seq } = readLogHead(db);
    const state = findIndexState(db);
    const entries = readKeys(db);
    const orders = makeOrders(segmentSize);
    for (const order of orders) order.fill(entries);
    return {
      logId,
      entries: new Map(entries.map((entry) => [entry.entryId, entry])),
      orders,
      seq,
      viewsVersion: readViewsVersion(db),
      version: state?.version ?? 0,
    };
  };

  /** @returns false when there are so many changes that sorting everything is faster */
  const applyChanges = (now: Model): boolean => {
    const { seq } = readLogHead(db);
    const viewsVersion = readViewsVersion(db);
    const changed = new Map<string, SortKeys | undefined>();
    for (const entryId of listChangedEntries(db, now.seq, seq)) changed.set(entryId, undefined);
    const keys = now.viewsVersion === viewsVersion ? readKeys(db, [...changed.keys()]) : readKeys(db);
    for (const entry of keys) {
      const viewsDiffer = now.entries.get(entry.entryId)?.views !== entry.views;
      if (viewsDiffer || changed.has(entry.entryId)) changed.set(entry.entryId, entry);
    }
    if (changed.size > oneByOneMax) return false;
    for (const [entryId, entry] of changed) {
      const before = now.entries.get(entryId);
      for (const order of now.orders) {
        if (before && order.has(before)) order.remove(before);
        if (entry && order.has(entry)) order.insert(entry);
      }
      if (entry) now.entries.set(entryId, entry);
      else now.entries.delete(entryId);
    }
    now.seq = seq;
    now.viewsVersion = viewsVersion;
    return true;
  };

  const write = (tx: Transaction, now: Model, state: IndexState | undefined): boolean => {
    const version = now.version + 1;
    let written = 0;
    for (const order of now.orders) {
      const { ord } = order;
      for (const at of order.changed)
        written += tx.run(WRITE_SEGMENT, { ord, segment: at, version, ...order.encode(at) }).changes;
      written += tx.run(EMPTY_SEGMENTS, { ord, version, count: order.segments.length }).changes;
      order.changed.clear();
    }
    const { logId, seq } = now;
    if (written === 0 && state?.logId === logId && state.seq === seq) return false;
    if (written > 0) now.version = version;
    const hashesSeq = state?.logId === logId ? state.hashesSeq : undefined;
    writeIndexState(tx, { logId, seq, version: now.version, hashesSeq });
    return true;
  };

  const catchUpOrders = (): boolean => {
    for (;;) {
      const now = model ?? db.read(load);
      // The memory may be ahead of the table when something fails.
      model = undefined;
      const isWritten = db.write((tx) => {
        const state = findIndexState(tx);
        // Another process wrote the orders, or a backup was restored.
        const isOurs = now.logId === readLogHead(tx).logId && now.version === (state?.version ?? 0);
        return isOurs && applyChanges(now) ? write(tx, now, state) : undefined;
      });
      if (isWritten === undefined) continue;
      model = now;
      return isWritten;
    }
  };

  return {
    async catchUp(signal?: AbortSignal): Promise<boolean> {
      let isWritten = catchUpOrders();
      for (const _ of catchUpHashes(db, hashesStep)) {
        await setImmediate();
        signal?.throwIfAborted();
        // A large import takes many steps, for which other changes must not wait.
        isWritten = catchUpOrders() || isWritten;
      }
      return isWritten;
    },
  };
}

function* catchUpHashes(db: Database, step: number): Generator<void> {
  const { seq } = readLogHead(db);
  const known = findIndexState(db)?.hashesSeq;
  if (known === seq) return;
  const keys = readKeys(db, known === undefined ? undefined : listChangedEntries(db, known, seq));
  for (let from = 0; from === 0 || from < keys.length; from += step) {
    const rows = keys.slice(from, from + step).map(({ row }) => row);
    db.write((tx) => {
      writeLookAlikeHashes(tx, rows);
      const state = findIndexState(tx);
      if (from + step >= keys.length && state) writeIndexState(tx, { ...state, hashesSeq: seq });
    });
    yield;
  }
}

const EMPTY = new Uint8Array();
const fields = { version: param('version'), elements: param('elements'), names: param('names') };
/** Leaves equal segments unwritten. */
const WRITE_SEGMENT = sqlBuilder
  .insertInto('list_indexes')
  .values({ ord: param('ord'), piece: param('segment'), ...fields })
  .onConflict((conflict) =>
    conflict
      .columns(['ord', 'piece'])
      .doUpdateSet(fields)
      .where((is) =>
        is.or([
          is('list_indexes.elements', '!=', is.ref('excluded.elements')),
          is('list_indexes.names', 'is not', is.ref('excluded.names')),
        ]),
      ),
  )
  .compile();
const EMPTY_SEGMENTS = sqlBuilder
  .updateTable('list_indexes')
  .set({ version: param('version'), elements: EMPTY, names: null })
  .where('ord', '=', param('ord'))
  .where('piece', '>=', param('count'))
  .where('elements', '!=', EMPTY)
  .compile();
