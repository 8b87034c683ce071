/**
 * What filters and orders need of every entry, in some twenty bytes each: flags by row, and the rows of each list in
 * each of its orders. So a search counts and sorts what it found without a look at the database.
 */
import type { Database } from '../../db/database.ts';
import { LIST_KINDS } from '../entry.ts';
import type { ListKind } from '../entry.ts';
import { ORDERS } from '../list-orders.ts';
import type { ProofsFilter, Sort, Status } from '../list-query.ts';
import { CHUNK_ROWS, chunkOf, clearBit, setBit } from './grams.ts';

/** An entry as the orders know it. */
interface Placed {
  readonly row: number;
  readonly list: ListKind;
  readonly verified: number;
  readonly proofs: string;
  readonly entry_id: string;
  readonly reported_at: number;
  readonly views: number;
  readonly az_rank: number;
}

/** Rows in an order; there is room behind them. */
interface Sequence {
  rows: Uint32Array;
  length: number;
}

/** The other orders are the exact reverses of these. */
const SEQUENCES = ['newest', 'popular', 'az'] as const;
type Order = (typeof SEQUENCES)[number];
const ORDER_OF: Readonly<Record<Sort, { order: Order; isReversed: boolean }>> = {
  newest: { order: 'newest', isReversed: false },
  oldest: { order: 'newest', isReversed: true },
  popular: { order: 'popular', isReversed: false },
  popular_asc: { order: 'popular', isReversed: true },
  az: { order: 'az', isReversed: false },
  za: { order: 'az', isReversed: true },
};

/** Flags of a row; 0: there is no such entry. */
const LIST_MASK = 3;
const VERIFIED = 4;
const PROOFS = 8;
const PRIVATE = 16;

/** Sequences grow by this share at least, so that a new entry does not copy them all. */
const ROOM = 1 / 64;
const ROOM_MIN = 256;

export class EntryOrders {
  #flags = new Uint8Array(CHUNK_ROWS);
  /** By row, the beginning of its entry's ID: tells which row a removed entry had. */
  #names = new Uint32Array(CHUNK_ROWS);
  readonly #sequences = new Map<string, Sequence>();
  readonly #filters = new Map<string, Uint32Array>();

  readonly #popularity = new Map<ListKind, string>();

  /** Reads every entry; within a snapshot. @param popularity grows when views are counted */
  constructor(db: Database, popularity: string) {
    const { last } = db.connection.prepare('SELECT max(row) AS last FROM entries').get() as {
      last: number | null;
    };
    this.#makeRoom(last ?? 0);
    for (const list of LIST_KINDS) {
      const sequence = this.#sequence(list, 'newest');
      const rows = db.connection
        .prepare<unknown[], [number, number, string, string]>(
          `SELECT row, verified, proofs, entry_id FROM entries WHERE list = ? ORDER BY ${ORDERS.newest}`,
        )
        .raw()
        .iterate(list);
      for (const [row, verified, proofs, entryId] of rows) {
        append(sequence, row);
        this.#flags[row] = flagsOf(list, verified, proofs);
        this.#names[row] = nameOf(entryId);
      }
      this.#readOrder(db, list, 'az');
      this.followViews(db, list, popularity);
    }
  }

  /** Rows are below this; whole chunks. */
  get rowsEnd(): number {
    return this.#flags.length;
  }

  /**
   * Reads a list's order by views again if views have been counted since.
   * @param popularity grows when they are
   */
  followViews(db: Database, list: ListKind, popularity: string): void {
    if (this.#popularity.get(list) === popularity) return;
    this.#readOrder(db, list, 'popular');
    this.#popularity.set(list, popularity);
  }

  /**
   * Takes over what the change log tells of.
   * @returns rows of the entries that were added or updated
   */
  apply(db: Database, changes: readonly { readonly entry_id: string; readonly removed: number }[]): number[] {
    const gone: number[] = [];
    const placed: Placed[] = [];
    for (const { entry_id, removed } of changes) {
      if (removed === 1) gone.push(...this.#findRows(db, entry_id));
      const entry = db.statement<Placed>(`SELECT ${PLACED} FROM entries WHERE entry_id = ?`).get(entry_id);
      if (entry) placed.push(entry);
    }
    this.#makeRoom(Math.max(0, ...placed.map(({ row }) => row)));
    const moved = new Set([...gone, ...placed.map(({ row }) => row)]);
    for (const sequence of this.#sequences.values()) remove(sequence, moved);
    for (const row of moved) this.#setFlags(row, 0);
    for (const entry of placed) {
      this.#setFlags(entry.row, flagsOf(entry.list, entry.verified, entry.proofs));
      this.#names[entry.row] = nameOf(entry.entry_id);
    }
    const readPlaced = db.statement<Placed>(`SELECT ${PLACED} FROM entries WHERE row = ?`);
    for (const list of LIST_KINDS) {
      const entries = placed.filter((entry) => entry.list === list);
      if (entries.length === 0) continue;
      for (const order of SEQUENCES) {
        insert(
          this.#sequence(list, order),
          entries,
          (a, b) => COMPARE[order](a, b),
          (row) => readPlaced.get(row),
        );
      }
    }
    return placed.map(({ row }) => row);
  }

  /** Bits of the rows that the public may see and that pass the filters. Not to be changed. */
  filter(list: ListKind, status: Status, proofs: ProofsFilter): Uint32Array {
    const key = `${list} ${list === 'legit' ? 'verified' : status} ${proofs}`;
    let bits = this.#filters.get(key);
    if (!bits) {
      bits = new Uint32Array(this.#flags.length / 32);
      const { mask, value } = maskOf(key);
      for (let row = 0; row < this.#flags.length; row += 1) {
        if (((this.#flags[row] as number) & mask) === value) setBit(bits, row);
      }
      this.#filters.set(key, bits);
    }
    return bits;
  }

  /** Rows of a page of those whose bits are set. */
  page(found: Uint32Array, list: ListKind, sort: Sort, skip: number, limit: number): number[] {
    const { order, isReversed } = ORDER_OF[sort];
    const { rows, length } = this.#sequence(list, order);
    const page: number[] = [];
    let left = skip;
    for (let index = 0; index < length && page.length < limit; index += 1) {
      const row = rows[isReversed ? length - 1 - index : index] as number;
      if ((((found[row >>> 5] as number) >>> (row & 31)) & 1) === 0) continue;
      if (left > 0) left -= 1;
      else page.push(row);
    }
    return page;
  }

  #sequence(list: ListKind, order: Order): Sequence {
    const key = `${list} ${order}`;
    let sequence = this.#sequences.get(key);
    if (!sequence) this.#sequences.set(key, (sequence = { rows: new Uint32Array(0), length: 0 }));
    return sequence;
  }

  #readOrder(db: Database, list: ListKind, order: Order): void {
    const sequence = this.#sequence(list, order);
    sequence.length = 0;
    const rows = db.connection
      .prepare<unknown[], number>(`SELECT row FROM entries WHERE list = ? ORDER BY ${ORDERS[order]}`)
      .pluck()
      .iterate(list);
    for (const row of rows) append(sequence, row);
  }

  /** Rows that were this entry's and are not any more. */
  #findRows(db: Database, entryId: string): number[] {
    const name = nameOf(entryId);
    const found: number[] = [];
    const owner = db.statement<{ entry_id: string }>('SELECT entry_id FROM entries WHERE row = ?');
    for (let row = this.#names.indexOf(name); row !== -1; row = this.#names.indexOf(name, row + 1)) {
      const now = owner.get(row)?.entry_id;
      if (this.#flags[row] !== 0 && (now === undefined || nameOf(now) !== name || now === entryId))
        found.push(row);
    }
    return found;
  }

  #setFlags(row: number, flags: number): void {
    this.#flags[row] = flags;
    for (const [key, bits] of this.#filters) {
      const { mask, value } = maskOf(key);
      if ((flags & mask) === value) setBit(bits, row);
      else clearBit(bits, row);
    }
  }

  #makeRoom(row: number): void {
    const length = (chunkOf(row) + 1) * CHUNK_ROWS;
    if (length <= this.#flags.length) return;
    const flags = new Uint8Array(length);
    flags.set(this.#flags);
    this.#flags = flags;
    const names = new Uint32Array(length);
    names.set(this.#names);
    this.#names = names;
    this.#filters.clear();
  }
}

const PLACED = 'row, list, verified, proofs, entry_id, reported_at, views, az_rank';

const newest = (a: Placed, b: Placed): number =>
  b.reported_at - a.reported_at || (a.entry_id < b.entry_id ? -1 : a.entry_id > b.entry_id ? 1 : 0);
const COMPARE: Readonly<Record<Order, (a: Placed, b: Placed) => number>> = {
  newest,
  popular: (a, b) => b.views - a.views || newest(a, b),
  az: (a, b) => a.az_rank - b.az_rank,
};

function flagsOf(list: ListKind, verified: number, proofs: string): number {
  return (
    LIST_KINDS.indexOf(list) +
    1 +
    (verified === 1 ? VERIFIED : 0) +
    (proofs === 'none' ? 0 : PROOFS) +
    (proofs === 'private' ? PRIVATE : 0)
  );
}

/** @param key list, status and proofs */
function maskOf(key: string): { mask: number; value: number } {
  const [list, status, proofs] = key.split(' ');
  const listed = LIST_KINDS.indexOf(list as ListKind) + 1;
  const byStatus = status === 'all' ? 0 : VERIFIED;
  const byProofs = proofs === 'with' ? PROOFS : proofs === 'private' ? PRIVATE : 0;
  return {
    mask: LIST_MASK | byStatus | byProofs,
    value: listed | (status === 'verified' ? VERIFIED : 0) | byProofs,
  };
}

/** Entry IDs are hexadecimal. */
function nameOf(entryId: string): number {
  return Number.parseInt(entryId.slice(0, 8), 16) >>> 0;
}

function append(sequence: Sequence, row: number): void {
  reserve(sequence, sequence.length + 1);
  sequence.rows[sequence.length] = row;
  sequence.length += 1;
}

function reserve(sequence: Sequence, length: number): void {
  if (length <= sequence.rows.length) return;
  const rows = new Uint32Array(Math.ceil(length * (1 + ROOM)) + ROOM_MIN);
  rows.set(sequence.rows.subarray(0, sequence.length));
  sequence.rows = rows;
}

function remove(sequence: Sequence, gone: ReadonlySet<number>): void {
  const { rows } = sequence;
  if (gone.size <= INDEX_OF_UP_TO) {
    for (const row of gone) {
      const at = rows.subarray(0, sequence.length).indexOf(row);
      if (at === -1) continue;
      rows.copyWithin(at, at + 1, sequence.length);
      sequence.length -= 1;
    }
    return;
  }
  let kept = 0;
  for (let index = 0; index < sequence.length; index += 1) {
    const row = rows[index] as number;
    if (!gone.has(row)) rows[kept++] = row;
  }
  sequence.length = kept;
}

/** A few rows are found faster one by one. */
const INDEX_OF_UP_TO = 8;

function insert(
  sequence: Sequence,
  entries: readonly Placed[],
  compare: (a: Placed, b: Placed) => number,
  read: (row: number) => Placed | undefined,
): void {
  const old = sequence.length;
  const placeOf = (entry: Placed): number => {
    let low = 0;
    let high = old;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = read(sequence.rows[middle] as number);
      if (other && compare(other, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const sorted = entries.toSorted(compare).map((entry) => ({ row: entry.row, place: placeOf(entry) }));
  reserve(sequence, old + sorted.length);
  const { rows } = sequence;
  // From the end: what stands behind an entry moves up by as many as come before it.
  let end = old;
  for (let index = sorted.length - 1; index >= 0; index -= 1) {
    const { row, place } = sorted[index] as { row: number; place: number };
    rows.copyWithin(place + index + 1, place, end);
    rows[place + index] = row;
    end = place;
  }
  sequence.length = old + sorted.length;
}
