/**
 * Keeps `list_indexes` and the look-alike hashes up to date: sort keys of all entries stay in memory, and moved
 * elements are written in one transaction with their position in the change log.
 */
import { setImmediate } from 'node:timers/promises';
import { readLogHead } from '../changes/log-head.ts';
import { build, given, type Database } from '../db/database.ts';
import { readPopularity } from '../entries/apply-view-counts.ts';
import { foldText } from '../text/fold-text.ts';
import { findIndexState, writeIndexState, type IndexState } from './list-indexes.ts';
import {
  encodeElements,
  encodeNames,
  makeOrders,
  orderNumber,
  PIECE,
  readAllKeys,
  readKeys,
  type SortedOrder,
  type SortKeys,
} from './sort-orders.ts';
import { writeLookAlikeHashes } from './look-alike-hashes.ts';

/** Sorting everything is faster with more changes. */
const ONE_BY_ONE_MAX = 1_000;
/** Entries per transaction, which takes some tenths of a second. */
const HASHES_STEP = 2_000;

export type IndexUpdater = ReturnType<typeof createIndexUpdater>;

interface Model {
  readonly history: string;
  readonly entries: Map<string, SortKeys>;
  readonly orders: readonly SortedOrder[];
  seq: number;
  popularity: string;
  version: number;
}

export function createIndexUpdater(
  db: Database,
  { piece = PIECE, oneByOneMax = ONE_BY_ONE_MAX, hashesStep = HASHES_STEP } = {},
) {
  let model: Model | undefined;
  const folded = new Map<string, string>();
  /** Folds each name once, because a piece has thousands. */
  const fold = (name: string): string => {
    let text = folded.get(name);
    if (text === undefined) folded.set(name, (text = foldText(name)));
    return text;
  };

  const load = (): Model =>
    db.read(() => {
      const { history, seq } = readLogHead(db);
      const state = findIndexState(db);
      const isSame = state?.history === history && state.seq <= seq;
      const entries = readAllKeys(db);
      const orders = makeOrders(piece);
      folded.clear();
      for (const order of orders) {
        const lengths = isSame ? listLengths(db, orderNumber(order.list, order.name)) : [];
        order.fill(
          entries.filter(({ flags }) => order.has(flags)),
          lengths,
        );
      }
      return {
        history,
        entries: new Map(entries.map((entry) => [entry.entryId, entry])),
        orders,
        seq,
        popularity: readPopularity(db),
        version: state?.version ?? 0,
      };
    });

  const move = ({ orders, entries }: Model, changed: ReadonlyMap<string, SortKeys | undefined>): void => {
    const gone = [...changed.keys()].flatMap((entryId) => entries.get(entryId) ?? []);
    for (const [entryId, entry] of changed) {
      if (entry) entries.set(entryId, entry);
      else entries.delete(entryId);
    }
    // Removed names must not stay in memory.
    for (const { name } of gone) folded.delete(name);
    const come = [...changed.values()].filter((entry) => entry !== undefined);
    for (const order of orders) {
      const isOf = ({ flags }: SortKeys): boolean => order.has(flags);
      if (changed.size > oneByOneMax) {
        const left = new Set(gone);
        const kept = order.pieces.flat().filter((entry) => !left.has(entry));
        if (gone.some(isOf) || come.some(isOf)) order.fill([...kept, ...come.filter(isOf)]);
        continue;
      }
      for (const entry of gone.filter(isOf)) order.remove(entry);
      for (const entry of come.filter(isOf)) order.insert(entry);
    }
  };

  const catchUp = (now: Model): void => {
    const { seq } = readLogHead(db);
    const popularity = readPopularity(db);
    if (now.seq === seq && now.popularity === popularity) return;
    const changed = new Map<string, SortKeys | undefined>();
    for (const entryId of listChanged(db, now.seq, seq)) changed.set(entryId, undefined);
    const isMany = changed.size > oneByOneMax || now.popularity !== popularity;
    const keys = isMany ? readAllKeys(db) : readKeys(db, [...changed.keys()]);
    for (const entry of keys) {
      const before = now.entries.get(entry.entryId);
      if (changed.has(entry.entryId) || before?.views !== entry.views) changed.set(entry.entryId, entry);
    }
    move(now, changed);
    now.seq = seq;
    now.popularity = popularity;
  };

  const write = (now: Model, state: IndexState | undefined): boolean => {
    const version = now.version + 1;
    let written = 0;
    for (const order of now.orders) {
      const ord = orderNumber(order.list, order.name);
      for (const piece of order.changed) {
        const entries = order.pieces[piece] ?? [];
        const elements = encodeElements(entries);
        const names = order.name === 'popular' ? encodeNames(entries, fold) : null;
        written += db.run(WRITE_PIECE, { ord, piece, version, elements, names }).changes;
      }
      written += db.run(EMPTY_PIECES, { ord, version, count: order.pieces.length }).changes;
      order.changed.clear();
    }
    const { history, seq, popularity } = now;
    const isSame = state?.history === history && state.seq === seq && state.popularity === popularity;
    if (written === 0 && isSame) return false;
    if (written > 0) now.version = version;
    const hashesSeq = state?.history === history ? state.hashesSeq : undefined;
    writeIndexState(db, { history, seq, popularity, version: now.version, hashesSeq });
    return true;
  };

  const followOrders = (): boolean =>
    db.write(() => {
      const state = findIndexState(db);
      // Another process wrote the orders, or a backup was restored.
      if (model && (model.history !== readLogHead(db).history || model.version !== state?.version))
        model = undefined;
      model ??= load();
      try {
        catchUp(model);
        return write(model, state);
      } catch (error) {
        // The memory may be ahead of the table.
        model = undefined;
        throw error;
      }
    });

  return {
    /** @returns whether anything was written */
    async follow(signal?: AbortSignal): Promise<boolean> {
      let isWritten = followOrders();
      for (const _ of followHashes(db, hashesStep)) {
        await setImmediate();
        signal?.throwIfAborted();
        // A large import takes many steps, for which other changes must not wait.
        isWritten = followOrders() || isWritten;
      }
      return isWritten;
    },
  };
}

function* followHashes(db: Database, step: number): Generator<void> {
  const { seq, rows } = db.read(() => {
    const head = readLogHead(db);
    const known = findIndexState(db)?.hashesSeq;
    if (known === head.seq) return { seq: known, rows: undefined };
    const keys = known === undefined ? readAllKeys(db) : readKeys(db, listChanged(db, known, head.seq));
    return { seq: head.seq, rows: keys.map(({ row }) => row) };
  });
  for (let rest = rows; rest;) {
    const next = rest.length > step ? rest.slice(step) : undefined;
    const now = rest.slice(0, step);
    db.write(() => {
      writeLookAlikeHashes(db, now);
      const state = findIndexState(db);
      if (!next && state) writeIndexState(db, { ...state, hashesSeq: seq });
    });
    rest = next;
    yield;
  }
}

function listChanged(db: Database, after: number, upTo: number): string[] {
  const changed = build.selectFrom('changes').select('entry_id').distinct();
  return db
    .all(changed.where('seq', '>', after).where('seq', '<=', upTo))
    .map(({ entry_id: entryId }) => entryId);
}

function listLengths(db: Database, ord: number): number[] {
  const pieces = build
    .selectFrom('list_indexes')
    .select(({ fn }) => fn<number>('length', ['elements']).as('bytes'));
  return db
    .all(pieces.where('ord', '=', ord).orderBy('piece'))
    .flatMap(({ bytes }) => (bytes > 0 ? [bytes / Uint32Array.BYTES_PER_ELEMENT] : []));
}

const EMPTY = new Uint8Array();
const fields = { version: given('version'), elements: given('elements'), names: given('names') };
/** Leaves equal pieces unwritten. */
const WRITE_PIECE = build
  .insertInto('list_indexes')
  .values({ ord: given('ord'), piece: given('piece'), ...fields })
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
const EMPTY_PIECES = build
  .updateTable('list_indexes')
  .set({ version: given('version'), elements: EMPTY, names: null })
  .where('ord', '=', given('ord'))
  .where('piece', '>=', given('count'))
  .where('elements', '!=', EMPTY)
  .compile();
