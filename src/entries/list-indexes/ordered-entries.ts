/** What indexes are made of: entries of a list in each order, and their JSON. */
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import type { ListEntry, ListKind } from '../entry.ts';
import { ORDERS } from '../list-orders.ts';
import { PROOFS_FILTERS, STATUSES } from '../list-query.ts';
import type { ProofsFilter, Sort, Status } from '../list-query.ts';
import { idNumber } from './chunk.ts';
import { matches } from './index-key.ts';

/** An entry in an index. */
export interface Item {
  readonly row: number;
  /** See ChunkTables. */
  readonly id: number;
  readonly views: number;
  /** A ListEntry, with a comma behind it. */
  readonly json: Buffer;
}

/** What an order compares. */
export interface OrderKeys {
  readonly reported_at: number;
  readonly entry_id: string;
  readonly views: number;
  readonly az_rank: number;
}

/** An entry as it is now. */
export interface FreshEntry extends Item, OrderKeys {
  readonly verified: number;
  readonly proofs: string;
}

/** The forward order of each pair; its reverse is read from the same walk. */
export const ORDER_PAIRS = [
  ['newest', 'oldest'],
  ['popular', 'popular_asc'],
  ['az', 'za'],
] as const satisfies readonly (readonly [Sort, Sort])[];

/** Rows that are walked before others get their turn. */
const WALK_STEP = 20_000;
/** Items kept while the indexes of a list are made; some hold the same entries. */
const ITEMS_KEPT = 50_000;

const ITEM_COLUMNS = `row, entry_id, name, chat_id, desc_html, verified, proofs, proofs_id, report_id, views,
  reported_at, az_rank`;

type ItemRow = OrderKeys & {
  readonly row: number;
  readonly name: string;
  readonly chat_id: string;
  readonly desc_html: string;
  readonly verified: number;
  readonly proofs: string;
  readonly proofs_id: string | null;
  readonly report_id: string;
};

/** Undefined when the entry was removed. */
export function findFresh(db: Database, list: ListKind, entryId: string): FreshEntry | undefined {
  const row = db
    .statement<ItemRow>(
      `SELECT ${ITEM_COLUMNS} FROM entries JOIN contents USING (content) WHERE entry_id = ? AND list = ?`,
    )
    .get(entryId, list);
  return row && { ...row, ...toItem(row) };
}

/** @throws when there is no such row */
export function createItemReader(db: Database): (row: number) => Item {
  const statement = db.statement<ItemRow>(
    `SELECT ${ITEM_COLUMNS} FROM entries JOIN contents USING (content) WHERE row = ?`,
  );
  const kept = new Map<number, Item>();
  return (number) => {
    let item = kept.get(number);
    if (!item) {
      const row = statement.get(number);
      if (!row) throw new Error(`row ${number} of entries is not there`);
      if (kept.size >= ITEMS_KEPT) kept.clear();
      kept.set(number, (item = toItem(row)));
    }
    return item;
  };
}

export function createKeyReader(db: Database): (row: number) => OrderKeys {
  const statement = db.statement<OrderKeys>(
    'SELECT reported_at, entry_id, views, az_rank FROM entries WHERE row = ?',
  );
  const known = new Map<number, OrderKeys>();
  return (number) => {
    let keys = known.get(number);
    if (!keys) {
      keys = statement.get(number);
      if (!keys) throw new Error(`row ${number} of entries is not there`);
      known.set(number, keys);
    }
    return keys;
  };
}

function toItem(row: ItemRow): Item {
  const entry: ListEntry = {
    _id: row.entry_id,
    name: row.name,
    id: row.chat_id,
    descHtml: row.desc_html,
    verified: row.verified === 1,
    proofsId: row.proofs_id,
    reportId: row.report_id,
  };
  const json = Buffer.from(`${JSON.stringify(entry)},`);
  return { row: row.row, id: idNumber(row.entry_id), views: row.views, json };
}

/** Negative when `a` comes first. */
export function compareIn(sort: Sort, a: OrderKeys, b: OrderKeys): number {
  const newest = b.reported_at - a.reported_at || (a.entry_id < b.entry_id ? -1 : 1);
  switch (sort) {
    case 'newest':
      return newest;
    case 'oldest':
      return -newest;
    case 'popular':
      return b.views - a.views || newest;
    case 'popular_asc':
      return a.views - b.views || -newest;
    case 'az':
      return a.az_rank - b.az_rank;
    case 'za':
      return b.az_rank - a.az_rank;
  }
}

/** Places of one index in both directions. */
export interface Places {
  readonly total: number;
  readonly forward: readonly Place[];
  readonly backward: readonly Place[];
}

export interface Place {
  readonly row: number;
  readonly views: number;
}

/** Walks a list once in one order. @returns the first and last places by status and proofs, see `placesName` */
export async function walkOrder(
  db: Database,
  list: ListKind,
  sort: 'newest' | 'popular' | 'az',
  placesHeld: number,
  signal: AbortSignal,
): Promise<Map<string, Places>> {
  const filters = STATUSES.flatMap((status) => PROOFS_FILTERS.map((proofs) => ({ status, proofs })));
  const ends = new Map(
    filters
      .filter(({ status }) => list !== 'legit' || status === 'all')
      .map((filter) => [placesName(filter), createEnds(placesHeld)]),
  );
  const routes = new Map<string, Ends[]>();
  const routeOf = (verified: number, proofs: string): Ends[] => {
    const name = `${verified} ${proofs}`;
    let route = routes.get(name);
    if (!route) {
      const key = { list, sort, name: '' };
      route = filters
        .filter((filter) => matches({ ...key, ...filter }, { verified, proofs }))
        .flatMap((filter) => ends.get(placesName(filter)) ?? []);
      routes.set(name, route);
    }
    return route;
  };
  const statement = db.connection
    .prepare<unknown[], [number, number, string, number]>(
      `SELECT row, verified, proofs, ${sort === 'popular' ? 'views' : '0'} FROM entries WHERE list = ?
       ORDER BY ${ORDERS[sort]}`,
    )
    .raw();
  let walked = 0;
  for (const [row, verified, proofs, views] of statement.iterate(list)) {
    for (const end of routeOf(verified, proofs)) end.push(row, views);
    walked += 1;
    if (walked % WALK_STEP === 0) {
      await setImmediate();
      signal.throwIfAborted();
    }
  }
  return new Map([...ends].map(([name, end]) => [name, end.places()]));
}

export function placesName({
  status,
  proofs,
}: {
  readonly status: Status;
  readonly proofs: ProofsFilter;
}): string {
  return `${status} ${proofs}`;
}

interface Ends {
  push(row: number, views: number): void;
  places(): Places;
}

/** The first and the last so many of any number. */
function createEnds(placesHeld: number): Ends {
  const first: Place[] = [];
  const last: Place[] = [];
  let total = 0;
  return {
    push(row, views) {
      const place = { row, views };
      if (total < placesHeld) first.push(place);
      last[total % placesHeld] = place;
      total += 1;
    },
    places() {
      const at = total % placesHeld;
      const inOrder = total < placesHeld ? last : [...last.slice(at), ...last.slice(0, at)];
      return { total, forward: first, backward: inOrder.reverse() };
    },
  };
}
