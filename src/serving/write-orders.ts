/** The orders as the worker changes them: entries leave and enter, and parts that changed are written. */
import { crc32 } from 'node:zlib';
import type { Database } from '../db/database.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import type { ListKind } from '../entries/entry.ts';
import {
  ORDER_NAMES,
  ORDER_NUMBERS,
  ORDER_OF,
  orderName,
  orderNumber,
  Part,
  rowOf,
  toElement,
} from './orders.ts';
import type { Sort } from '../entries/list-query.ts';
import type { OrderName, OrderNumber, Orders } from './orders.ts';
import { listOf } from './ready-entry.ts';

/** What places an entry in the orders. */
export interface Placed {
  readonly row: number;
  readonly entry_id: string;
  readonly flags: number;
  readonly reported_at: number;
  readonly views: number;
  readonly name: string;
}

const PART_ELEMENTS = 2_048;
/** A larger part becomes two. */
const PART_MAX = 4_096;
/** So many are looked for one by one; more in one walk. */
const ONE_BY_ONE_MAX = 32;
/** From this share of a list on, all its entries are read at once to find the places of changed ones. */
const READ_ALL_SHARE = 1 / 50;

const collator = new Intl.Collator('pl');

type Viewed = Pick<Placed, 'views' | 'reported_at' | 'entry_id'>;

const compareIds = (a: Viewed, b: Viewed): number =>
  a.entry_id < b.entry_id ? -1 : a.entry_id > b.entry_id ? 1 : 0;
const newest = (a: Viewed, b: Viewed): number => b.reported_at - a.reported_at || compareIds(a, b);

/** The most viewed first, then the newest. */
export const comparePopular = (a: Viewed, b: Viewed): number => b.views - a.views || newest(a, b);

/** The total orders: newest, then `_id`; views down, then newest; the Polish alphabet, then `_id`. */
const COMPARE: Readonly<Record<OrderName, (a: Placed, b: Placed) => number>> = {
  newest,
  popular: comparePopular,
  az: (a, b) => collator.compare(a.name, b.name) || compareIds(a, b),
};

/** The order of a sort, for what is sorted at once. */
export function compareIn(sort: Sort): (a: Placed, b: Placed) => number {
  const { name, isReversed } = ORDER_OF[sort];
  const compare = COMPARE[name];
  return isReversed ? (a, b) => compare(b, a) : compare;
}

const ORDER_SQL = {
  newest: 'reported_at DESC, entry_id',
  popular: 'views DESC, reported_at DESC, entry_id',
} as const;

interface Draft {
  readonly position: number;
  readonly elements: Uint32Array;
  readonly isDirty: boolean;
}

/** Parts were halved some fifty times at the same place: the order is to be written anew. */
class NoRoomError extends Error {}

/** Changes of one batch. All leave before any enters, for rows are given again. */
export class OrderChanges {
  readonly #db: Database;
  readonly #orders: Orders;
  readonly #leaving = new Map<OrderNumber, Set<number>>();
  readonly #entering = new Map<OrderNumber, Placed[]>();
  readonly #known = new Map<number, Placed>();

  constructor(db: Database, orders: Orders) {
    this.#db = db;
    this.#orders = orders;
  }

  /** @param names of the orders that it leaves */
  leave({ row, flags }: Placed, names: readonly OrderName[] = ORDER_NAMES): void {
    for (const name of names) {
      const ord = orderNumber(listOf(flags), name);
      const set = this.#leaving.get(ord) ?? new Set();
      this.#leaving.set(ord, set.add(toElement(row, flags)));
    }
  }

  enter(placed: Placed, names: readonly OrderName[] = ORDER_NAMES): void {
    for (const name of names) {
      const ord = orderNumber(listOf(placed.flags), name);
      const entering = this.#entering.get(ord) ?? [];
      entering.push(placed);
      this.#entering.set(ord, entering);
    }
  }

  /** After the table `placed` has been changed, in the same transaction. @returns whether anything was written */
  write(version: number): boolean {
    let isChanged = false;
    for (const ord of ORDER_NUMBERS) {
      const leaving = this.#leaving.get(ord);
      const entering = this.#entering.get(ord);
      if (!leaving && !entering) continue;
      let drafts: Draft[] = this.#orders
        .parts(ord)
        .map(({ position, elements }) => ({ position, elements, isDirty: false }));
      if (leaving) drafts = drafts.map((draft) => withoutElements(draft, leaving));
      if (entering) drafts = this.#insert(ord, drafts, entering);
      try {
        isChanged = writeDrafts(this.#db, this.#orders, ord, drafts, version) || isChanged;
      } catch (error) {
        if (!(error instanceof NoRoomError)) throw error;
        makeOrder(this.#db, this.#orders, ord, version);
        isChanged = true;
      }
    }
    return isChanged;
  }

  #insert(ord: OrderNumber, drafts: readonly Draft[], entering: readonly Placed[]): Draft[] {
    const compare = COMPARE[orderName(ord)];
    const sorted = entering.toSorted(compare);
    const present = drafts.reduce((sum, { elements }) => sum + elements.length, 0);
    if (sorted.length > present * READ_ALL_SHARE) this.#readAll(ord);
    for (const placed of sorted) this.#known.set(placed.row, placed);
    const filled = drafts.filter(({ elements }) => elements.length > 0);
    const inserts = new Map<Draft, { readonly at: number; readonly element: number }[]>();
    const lonely: number[] = [];
    for (const placed of sorted) {
      const isBefore = (element: number): boolean => compare(this.#placedOf(rowOf(element)), placed) < 0;
      const draft =
        filled[
          Math.max(
            0,
            countWhile(filled.length, (at) => isBefore((filled[at] as Draft).elements[0] as number)) - 1,
          )
        ];
      const element = toElement(placed.row, placed.flags);
      if (!draft) {
        lonely.push(element);
        continue;
      }
      const at = countWhile(draft.elements.length, (place) => isBefore(draft.elements[place] as number));
      const list = inserts.get(draft) ?? [];
      list.push({ at, element });
      inserts.set(draft, list);
    }
    if (lonely.length > 0)
      return [
        ...drafts,
        { position: freePosition(drafts), elements: Uint32Array.from(lonely), isDirty: true },
      ];
    return drafts.map((draft) => {
      const list = inserts.get(draft);
      return list ? withElements(draft, list) : draft;
    });
  }

  #placedOf(row: number): Placed {
    let placed = this.#known.get(row);
    if (!placed) {
      placed = this.#db.statement<Placed>('SELECT * FROM placed WHERE row = ?').get(row);
      if (!placed) throw new Error(`row ${row} stands in an order and is not placed`);
      this.#known.set(row, placed);
    }
    return placed;
  }

  #readAll(ord: OrderNumber): void {
    const list = LIST_KINDS[Math.floor(ord / ORDER_NAMES.length)] as ListKind;
    const rows = this.#db.connection
      .prepare<unknown[], Placed>('SELECT * FROM placed WHERE flags & 3 = ?')
      .iterate(LIST_KINDS.indexOf(list));
    for (const placed of rows) this.#known.set(placed.row, placed);
  }
}

/** Makes all orders from the table `placed`; SQLite sorts what it can. */
export function makeOrders(db: Database, orders: Orders, version: number): void {
  for (const ord of ORDER_NUMBERS) makeOrder(db, orders, ord, version);
}

export function makeOrder(db: Database, orders: Orders, ord: OrderNumber, version: number): void {
  const list = Math.floor(ord / ORDER_NAMES.length);
  const name = orderName(ord);
  const elements = name === 'az' ? sortAlphabet(db, list) : readSorted(db, list, ORDER_SQL[name]);
  const drafts: Draft[] = orders
    .parts(ord)
    .map(({ position }) => ({ position, elements: new Uint32Array(0), isDirty: true }));
  const start = freePosition(drafts);
  for (let from = 0; from < elements.length; from += PART_ELEMENTS) {
    const part = elements.subarray(from, from + PART_ELEMENTS);
    drafts.push({ position: start + from / PART_ELEMENTS, elements: part, isDirty: true });
  }
  writeDrafts(db, orders, ord, drafts, version);
}

function readSorted(db: Database, list: number, order: string): Uint32Array {
  const rows = db.connection
    .prepare<unknown[], [number, number]>(
      `SELECT row, flags FROM placed WHERE flags & 3 = ? ORDER BY ${order}`,
    )
    .raw();
  const elements = new Uint32Array(countPlaced(db, list));
  let at = 0;
  for (const [row, flags] of rows.iterate(list)) elements[at++] = toElement(row, flags);
  return elements;
}

/** Intl.Collator gives no sort keys: names are compared one by one. */
function sortAlphabet(db: Database, list: number): Uint32Array {
  const count = countPlaced(db, list);
  const elements = new Uint32Array(count);
  const names: string[] = [];
  const rows = db.connection
    .prepare<unknown[], [number, number, string]>(
      'SELECT row, flags, name FROM placed WHERE flags & 3 = ? ORDER BY entry_id',
    )
    .raw();
  for (const [row, flags, name] of rows.iterate(list)) elements[names.push(name) - 1] = toElement(row, flags);
  const places = Uint32Array.from(elements.keys());
  // They come by `_id`, which decides between equal names.
  places.sort((a, b) => collator.compare(names[a] as string, names[b] as string) || a - b);
  return places.map((place) => elements[place] as number);
}

function countPlaced(db: Database, list: number): number {
  return (
    db.statement<{ n: number }>('SELECT count(*) AS n FROM placed WHERE flags & 3 = ?').get(list)?.n ?? 0
  );
}

function writeDrafts(
  db: Database,
  orders: Orders,
  ord: OrderNumber,
  drafts: readonly Draft[],
  version: number,
): boolean {
  const dirty = splitLarge(drafts).filter(({ isDirty }) => isDirty);
  if (dirty.length === 0) return false;
  const parts = new Map(orders.parts(ord).map((part) => [part.position, part]));
  const write = db.statement(
    'INSERT OR REPLACE INTO parts (ord, position, version, crc, rows) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { position, elements } of dirty) {
    const bytes = new Uint8Array(elements.slice().buffer);
    write.run(ord, position, version, crc32(bytes), bytes);
    if (elements.length > 0) parts.set(position, new Part(position, elements.slice()));
    else parts.delete(position);
  }
  orders.setParts(ord, [...parts.values()]);
  orders.version = version;
  return true;
}

function splitLarge(drafts: readonly Draft[]): Draft[] {
  const inOrder = drafts.toSorted((one, other) => one.position - other.position);
  return inOrder.flatMap((draft, index): Draft[] => {
    const { position, elements } = draft;
    if (elements.length <= PART_MAX) return [draft];
    const next = inOrder[index + 1]?.position ?? position + 1;
    const count = Math.ceil(elements.length / PART_ELEMENTS);
    return Array.from({ length: count }, (_, part) => {
      const at = position + ((next - position) * part) / count;
      if (part > 0 && (at <= position || at >= next)) throw new NoRoomError();
      return {
        position: at,
        elements: elements.subarray(part * PART_ELEMENTS, (part + 1) * PART_ELEMENTS),
        isDirty: true,
      };
    });
  });
}

function freePosition(drafts: readonly Draft[]): number {
  return Math.floor(Math.max(0, ...drafts.map(({ position }) => position))) + 1;
}

function withoutElements(draft: Draft, leaving: ReadonlySet<number>): Draft {
  const { position, elements } = draft;
  const isAmong =
    leaving.size > ONE_BY_ONE_MAX
      ? elements.some((element) => leaving.has(element))
      : [...leaving].some((element) => elements.includes(element));
  if (!isAmong) return draft;
  return { position, elements: elements.filter((element) => !leaving.has(element)), isDirty: true };
}

/** @param inserts in order */
function withElements(
  { position, elements }: Draft,
  inserts: readonly { readonly at: number; readonly element: number }[],
): Draft {
  const merged = new Uint32Array(elements.length + inserts.length);
  let from = 0;
  for (const [index, { at, element }] of inserts.entries()) {
    merged.set(elements.subarray(from, at), from + index);
    merged[at + index] = element;
    from = at;
  }
  merged.set(elements.subarray(from), from + inserts.length);
  return { position, elements: merged, isDirty: true };
}

/** How many of the first numbers satisfy a condition that no later one does after the first that does not. */
function countWhile(length: number, holds: (at: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
