/**
 * Sorted orders of each list: newest, most viewed, alphabetical; the other three sorts reverse them. An order consists
 * of row numbers with the entry's flags in the high bits, split into segments so that a change writes a small part of it.
 */
import { sqlBuilder, paramList, type Database } from '../db/database.ts';
import type { EntryRow } from '../entries/entry-row.ts';
import { LIST_KINDS, type ListKind } from '../entries/entry.ts';
import type { ListQuery, Sort } from '../entries/list-query.ts';
import { flagFilter, flagsOf, isListed, isPublic, LIST_BITS } from '../entries/public-entry.ts';
import { foldText } from '../text/fold-text.ts';

const ORDER_NAMES = ['newest', 'popular', 'az'] as const;
type OrderName = (typeof ORDER_NAMES)[number];
export type ListFilters = Pick<ListQuery, 'status' | 'proofs' | 'sort'>;

/** Elements of a new segment; it may grow to twice as many. */
export const SEGMENT_SIZE = 2_048;
const FLAGS_SHIFT = 29;
const ROW_MASK = 2 ** FLAGS_SHIFT - 1;

const REVERSED: Readonly<Record<Exclude<Sort, OrderName>, OrderName>> = {
  oldest: 'newest',
  popular_asc: 'popular',
  za: 'az',
};

export interface SortKeys {
  readonly row: number;
  readonly flags: number;
  readonly entryId: string;
  readonly name: string;
  readonly reportedAt: number;
  readonly views: number;
}

const keys = sqlBuilder
  .selectFrom('entries')
  .select(['row', 'list', 'verified', 'account', 'proofs', 'name', 'views'])
  .select(['entry_id as entryId', 'reported_at as reportedAt'])
  .where(isPublic);
const ALL_KEYS = keys.compile();
const KEYS = keys.where('entry_id', 'in', paramList('entryIds')).compile();

/** @param entryIds default: all */
export function readKeys(db: Database, entryIds?: readonly string[]): SortKeys[] {
  const rows = entryIds ? db.all(KEYS, { entryIds: JSON.stringify(entryIds) }) : db.all(ALL_KEYS);
  return rows.map(toKeys);
}

type KeysRow = Omit<SortKeys, 'flags'> & Pick<EntryRow, 'list' | 'verified' | 'account' | 'proofs'>;

function toKeys({ list, verified, account, proofs, ...keys }: KeysRow): SortKeys {
  if (keys.row > ROW_MASK) throw new Error(`row ${keys.row} is larger than an order can hold`);
  return { ...keys, flags: flagsOf({ list, verified, account, proofs }) };
}

const collator = new Intl.Collator('pl');
const byId = (a: SortKeys, b: SortKeys): number => (a.entryId < b.entryId ? -1 : 1);
const newest = (a: SortKeys, b: SortKeys): number => b.reportedAt - a.reportedAt || byId(a, b);
const COMPARE: Readonly<Record<OrderName, (a: SortKeys, b: SortKeys) => number>> = {
  newest,
  popular: (a, b) => b.views - a.views || newest(a, b),
  az: (a, b) => collator.compare(a.name, b.name) || byId(a, b),
};

export type SortedOrder = ReturnType<typeof createSortedOrder>;

/** An order that the worker sorts and changes. @param size of a new segment */
function createSortedOrder(list: ListKind, name: OrderName, size: number) {
  const compare = COMPARE[name];
  /** Never contains an empty segment. */
  const segments: SortKeys[][] = [];
  const changed = new Set<number>();
  const has = ({ flags }: SortKeys): boolean => isListed(flags, list);

  const fill = (entries: readonly SortKeys[]): void => {
    const sorted = entries.filter(has).sort(compare);
    segments.length = 0;
    for (let from = 0; from < sorted.length; from += size) segments.push(sorted.slice(from, from + size));
    changed.clear();
    for (const at of segments.keys()) changed.add(at);
  };
  /** The last segment that begins at or before the entry, or the first. */
  const segmentOf = (entry: SortKeys): number => {
    const begins = ([first]: SortKeys[]): boolean =>
      first === entry || compare(first as SortKeys, entry) <= 0;
    return Math.max(0, partition(segments, begins) - 1);
  };
  const placeIn = (segment: readonly SortKeys[], entry: SortKeys): number =>
    partition(segment, (other) => other === entry || compare(other, entry) < 0);

  return {
    ord: orderNumber(list, name),
    segments: segments as readonly (readonly SortKeys[])[],
    changed,
    has,
    fill,
    remove(entry: SortKeys): void {
      const at = segmentOf(entry);
      const segment = segments[at];
      const place = segment ? placeIn(segment, entry) - 1 : -1;
      if (!segment || segment[place] !== entry)
        throw new Error(`row ${entry.row} is not where its order has it`);
      segment.splice(place, 1);
      changed.add(at);
      if (segment.length === 0) fill(segments.flat());
    },
    insert(entry: SortKeys): void {
      const at = segmentOf(entry);
      const segment = segments[at];
      if (!segment) return fill([entry]);
      segment.splice(placeIn(segment, entry), 0, entry);
      changed.add(at);
      if (segment.length > 2 * size) fill(segments.flat());
    },
    encode(at: number): { readonly elements: Uint8Array; readonly names: Buffer | null } {
      const segment = segments[at] ?? [];
      return { elements: encodeElements(segment), names: name === 'popular' ? encodeNames(segment) : null };
    },
  };
}

/** Binary search: the first index for which `holds` is false. */
function partition<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(items[middle] as T)) from = middle + 1;
    else to = middle;
  }
  return from;
}

export function makeOrders(size = SEGMENT_SIZE): SortedOrder[] {
  return LIST_KINDS.flatMap((list) => ORDER_NAMES.map((name) => createSortedOrder(list, name, size)));
}

function orderNumber(list: ListKind, name: OrderName): number {
  return LIST_KINDS.indexOf(list) * ORDER_NAMES.length + ORDER_NAMES.indexOf(name);
}

export function encodeElements(entries: readonly SortKeys[]): Uint8Array {
  const elements = Uint32Array.from(
    entries,
    ({ row, flags }) => (row | ((flags >>> LIST_BITS) << FLAGS_SHIFT)) >>> 0,
  );
  return new Uint8Array(elements.buffer);
}

export function encodeNames(entries: readonly SortKeys[]): Buffer {
  return Buffer.from(`\n${entries.map(({ name }) => foldText(name).replaceAll('\n', ' ')).join('\n')}\n`);
}

export class Segment {
  readonly elements: Uint32Array;
  readonly names: Buffer | null;
  readonly #filtered = new Map<number, Uint32Array>();

  constructor(elements: Uint8Array, names: Buffer | null) {
    this.elements = new Uint32Array(elements.length / Uint32Array.BYTES_PER_ELEMENT);
    new Uint8Array(this.elements.buffer).set(elements);
    this.names = names;
  }

  filter(mask: number, expected: number): Uint32Array {
    if (mask === 0) return this.elements;
    const key = (mask << 3) | expected;
    let filtered = this.#filtered.get(key);
    if (!filtered) {
      filtered = this.elements.filter((element) => ((element >>> FLAGS_SHIFT) & mask) === expected);
      this.#filtered.set(key, filtered);
    }
    return filtered;
  }
}

export type Orders = readonly (readonly Segment[])[];

export function nameSegments(orders: Orders, list: ListKind): readonly Segment[] {
  return orders[orderNumber(list, 'popular')] ?? [];
}

export type OrderView = ReturnType<typeof viewOrder>;

/** @param rows of the selected entries; default: all */
export function viewOrder(
  orders: Orders,
  list: ListKind,
  { status, proofs, sort }: ListFilters,
  rows?: Iterable<number>,
) {
  const isReversed = sort === 'oldest' || sort === 'popular_asc' || sort === 'za';
  const { mask, expected } = flagFilter(list, { status, proofs });
  const segments = orders[orderNumber(list, isReversed ? REVERSED[sort] : sort)] ?? [];
  const filtered = segments.map((segment) => segment.filter(mask >>> LIST_BITS, expected >>> LIST_BITS));
  const wanted = rows && new Set(rows);
  const selected = wanted
    ? filtered.map((elements) => elements.filter((element) => wanted.has(rowOf(element))))
    : filtered;
  if (isReversed) selected.reverse();
  return {
    total: selected.reduce((sum, { length }) => sum + length, 0),
    slice(skip: number, limit: number): number[] {
      const found: number[] = [];
      let start = 0;
      for (const elements of selected) {
        const { length } = elements;
        for (let at = Math.max(0, skip - start); at < length && found.length < limit; at += 1)
          found.push(rowOf(elements[isReversed ? length - 1 - at : at] as number));
        if (found.length === limit) break;
        start += length;
      }
      return found;
    },
  };
}

export function rowOf(element: number): number {
  return element & ROW_MASK;
}
