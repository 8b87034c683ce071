/**
 * The sorted orders in memory: for each list the newest first, the most viewed first and the alphabet, as row numbers with
 * the marks of the entry in the three high bits. The other three sorts are their reverses. They lie in parts, and only
 * parts that a change has touched are read again; what the filters leave of a part is kept with it.
 */
import { crc32 } from 'node:zlib';
import type { Database } from '../db/database.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import type { ListKind } from '../entries/entry.ts';
import type { ListQuery, Sort } from '../entries/list-query.ts';
import { LIST_BITS, PRIVATE, PROOFS, VERIFIED } from './ready-entry.ts';
import { DamagedError } from './serving-file.ts';

export const ORDER_NAMES = ['newest', 'popular', 'az'] as const;
export type OrderName = (typeof ORDER_NAMES)[number];
export type ListFilters = Pick<ListQuery, 'status' | 'proofs' | 'sort'>;

const MARKS_AT = 29;
const ROW_MASK = 2 ** MARKS_AT - 1;

/** Number of an order in the file. */
export type OrderNumber = number;
export const ORDER_NUMBERS: readonly OrderNumber[] = Array.from(
  { length: LIST_KINDS.length * ORDER_NAMES.length },
  (_, number) => number,
);

export const ORDER_OF: Readonly<Record<Sort, { readonly name: OrderName; readonly isReversed: boolean }>> = {
  newest: { name: 'newest', isReversed: false },
  oldest: { name: 'newest', isReversed: true },
  popular: { name: 'popular', isReversed: false },
  popular_asc: { name: 'popular', isReversed: true },
  az: { name: 'az', isReversed: false },
  za: { name: 'az', isReversed: true },
};

/** Never changed: a changed part is another object. */
export class Part {
  readonly position: number;
  readonly elements: Uint32Array;
  readonly #filtered = new Map<number, Uint32Array>();

  constructor(position: number, elements: Uint32Array) {
    this.position = position;
    this.elements = elements;
  }

  /** Elements whose marks under the mask are these. */
  filter(mask: number, marks: number): Uint32Array {
    if (mask === 0) return this.elements;
    const key = (mask << 3) | marks;
    let filtered = this.#filtered.get(key);
    if (!filtered) {
      const kept = new Uint32Array(this.elements.length);
      let length = 0;
      for (const element of this.elements) {
        if (((element >>> MARKS_AT) & mask) === marks) kept[length++] = element;
      }
      filtered = kept.slice(0, length);
      this.#filtered.set(key, filtered);
    }
    return filtered;
  }
}

export class Orders {
  version = -1;
  readonly #parts = new Map<OrderNumber, readonly Part[]>();
  readonly #views = new Map<string, OrderView>();
  #ranks: { readonly version: number; readonly places: Uint32Array } | undefined;

  /** Reads what was written since the last time; inside a snapshot. @throws {DamagedError} */
  load(db: Database): void {
    const rows = db
      .statement<{ ord: number; position: number; version: number; crc: number; rows: Buffer }>(
        'SELECT ord, position, version, crc, rows FROM parts WHERE version > ?',
      )
      .all(this.version);
    const changed = new Map<OrderNumber, Map<number, Part>>();
    for (const { ord, position, version, crc, rows: bytes } of rows) {
      if (crc32(bytes) !== crc) throw new DamagedError('a part of an order is damaged');
      let parts = changed.get(ord);
      if (!parts) {
        parts = new Map(this.parts(ord).map((part) => [part.position, part]));
        changed.set(ord, parts);
      }
      const elements = new Uint32Array(bytes.length / Uint32Array.BYTES_PER_ELEMENT);
      new Uint8Array(elements.buffer).set(bytes);
      if (elements.length > 0) parts.set(position, new Part(position, elements));
      else parts.delete(position);
      this.version = Math.max(this.version, version);
    }
    for (const [ord, parts] of changed) this.setParts(ord, [...parts.values()]);
  }

  parts(ord: OrderNumber): readonly Part[] {
    return this.#parts.get(ord) ?? [];
  }

  setParts(ord: OrderNumber, parts: readonly Part[]): void {
    this.#parts.set(
      ord,
      parts.toSorted((one, other) => one.position - other.position),
    );
    this.#views.clear();
  }

  /** By row: its place in its list's order by views. Rows of no entry have the last place there can be. */
  ranks(): Uint32Array {
    if (this.#ranks?.version === this.version) return this.#ranks.places;
    const orders = LIST_KINDS.map((list) => this.parts(orderNumber(list, 'popular')));
    let last = 0;
    for (const parts of orders) {
      for (const { elements } of parts)
        for (const element of elements) last = Math.max(last, element & ROW_MASK);
    }
    const places = new Uint32Array(last + 1).fill(2 ** 32 - 1);
    for (const parts of orders) {
      let place = 0;
      for (const { elements } of parts) for (const element of elements) places[element & ROW_MASK] = place++;
    }
    this.#ranks = { version: this.version, places };
    return places;
  }

  /** What the filters leave of a list, in its order. */
  view(list: ListKind, { status, proofs, sort }: ListFilters): OrderView {
    const key = `${list} ${status} ${proofs} ${sort}`;
    let view = this.#views.get(key);
    if (!view) {
      const { name, isReversed } = ORDER_OF[sort];
      const { mask, marks } = maskOf(list, status, proofs);
      const parts = this.parts(orderNumber(list, name)).map((part) => part.filter(mask, marks));
      view = new OrderView(parts, isReversed);
      this.#views.set(key, view);
    }
    return view;
  }
}

/** Elements of an order that the filters leave. */
export class OrderView {
  readonly total: number;
  readonly #parts: readonly Uint32Array[];
  readonly #isReversed: boolean;

  constructor(parts: readonly Uint32Array[], isReversed: boolean) {
    this.#parts = isReversed ? parts.toReversed() : parts;
    this.#isReversed = isReversed;
    this.total = parts.reduce((sum, { length }) => sum + length, 0);
  }

  /** Row numbers from a place on. */
  slice(skip: number, limit: number): number[] {
    const rows: number[] = [];
    let start = 0;
    for (const part of this.#parts) {
      const { length } = part;
      for (let at = Math.max(0, skip - start); at < length && rows.length < limit; at += 1) {
        rows.push((part[this.#isReversed ? length - 1 - at : at] as number) & ROW_MASK);
      }
      if (rows.length === limit) break;
      start += length;
    }
    return rows;
  }

  /** The same order without some of the rows. */
  without(isDropped: (row: number) => boolean): OrderView {
    const parts = this.#parts.map((part) => part.filter((element) => !isDropped(element & ROW_MASK)));
    return new OrderView(this.#isReversed ? parts.reverse() : parts, this.#isReversed);
  }

  /** Only the rows whose bits are set. */
  only(bits: Uint32Array): OrderView {
    const parts = this.#parts.map((part) => {
      const kept = new Uint32Array(part.length);
      let length = 0;
      for (const element of part) {
        const row = element & ROW_MASK;
        if ((((bits[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1) kept[length++] = element;
      }
      return kept.subarray(0, length);
    });
    return new OrderView(this.#isReversed ? parts.reverse() : parts, this.#isReversed);
  }
}

export function orderNumber(list: ListKind, name: OrderName): OrderNumber {
  return LIST_KINDS.indexOf(list) * ORDER_NAMES.length + ORDER_NAMES.indexOf(name);
}

export function orderName(ord: OrderNumber): OrderName {
  return ORDER_NAMES[ord % ORDER_NAMES.length] as OrderName;
}

/** An element of an order. */
export function toElement(row: number, flags: number): number {
  if (row > ROW_MASK) throw new Error(`row ${row} is larger than an order can hold`);
  return (row | ((flags >>> LIST_BITS) << MARKS_AT)) >>> 0;
}

export function rowOf(element: number): number {
  return element & ROW_MASK;
}

/** The trusted list has no entries that are not verified, so that `status` makes no difference there. */
function maskOf(
  list: ListKind,
  status: ListQuery['status'],
  proofs: ListQuery['proofs'],
): { mask: number; marks: number } {
  const byStatus = list === 'legit' || status === 'all' ? 0 : VERIFIED;
  const byProofs = proofs === 'with' ? PROOFS : proofs === 'private' ? PRIVATE : 0;
  return { mask: byStatus | byProofs, marks: (status === 'verified' ? byStatus : 0) | byProofs };
}

/** Whether the filters leave an entry with these flags. */
export function passes(
  list: ListKind,
  { status, proofs }: Omit<ListFilters, 'sort'>,
  flags: number,
): boolean {
  const { mask, marks } = maskOf(list, status, proofs);
  return LIST_KINDS[flags & ((1 << LIST_BITS) - 1)] === list && ((flags >>> LIST_BITS) & mask) === marks;
}
