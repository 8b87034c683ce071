/**
 * Orders may be half a second old; shown data is of `published`. Without usable orders a process sorts in memory. The
 * revision, which is in the keys of cached answers, rises twice for a change: when it is committed, and when the worker has
 * written the orders.
 */
import { versions } from 'node:process';
import { readLogHead, selectLogHead, type LogHead } from '../changes/change-log.ts';
import { sqlBuilder, param, type Database, type Transaction } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import type { ListKind } from '../entries/entry.ts';
import {
  makeOrders,
  Segment,
  nameSegments,
  readKeys,
  type ListFilters,
  type Orders,
  type OrderView,
  viewOrder,
} from './sort-orders.ts';

/** Version of this format, of the hashes, and of the collation data; what another one wrote is ignored. */
const FORMAT = `3 icu ${versions.icu} cldr ${versions.cldr} unicode ${versions.unicode}`;
const STATE_PROPERTY = 'list_indexes';

export interface IndexState extends LogHead {
  readonly format: string;
  readonly version: number;
  /** Position of `look_alike_hashes` in the change log; undefined until it has rows of all entries. */
  readonly hashesSeq?: number | undefined;
}

export function findIndexState(db: Database): IndexState | undefined {
  return parseState(findProperty(db, STATE_PROPERTY));
}

export function writeIndexState(tx: Transaction, { logId, ...state }: Omit<IndexState, 'format'>): void {
  setProperty(tx, STATE_PROPERTY, JSON.stringify({ history: logId, ...state, format: FORMAT }));
}

function parseState(text: string | null | undefined): IndexState | undefined {
  if (typeof text !== 'string') return undefined;
  const { history, ...state } = JSON.parse(text) as Omit<IndexState, 'logId'> & { readonly history: string };
  return state.format === FORMAT ? { logId: history, ...state } : undefined;
}

export function hasListIndexes(db: Database): boolean {
  return findIndexState(db)?.logId === readLogHead(db).logId;
}

const REFRESH_MS = 10;
/** Maximum share of the time that sorting in memory takes. */
const SORT_SHARE = 0.1;

interface Positions extends LogHead {
  readonly state: string | null;
}

export class ListIndexes {
  readonly #db: Database;
  #orders: Orders = [];
  #positions: Positions | undefined;
  /** Undefined for orders that this process sorted. */
  #state: IndexState | undefined;
  #sorted: { readonly seq: number; readonly notBefore: number } | undefined;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #revision = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  view(list: ListKind, filters: ListFilters, rows?: Iterable<number>): OrderView {
    this.#refresh();
    return viewOrder(this.#orders, list, filters, rows);
  }

  names(list: ListKind): readonly Segment[] {
    this.#refresh();
    return nameSegments(this.#orders, list);
  }

  /** The newest change of which `look_alike_hashes` knows; undefined until it has rows of all entries. */
  get hashesSeq(): number | undefined {
    this.#refresh();
    return this.#state?.hashesSeq;
  }

  /** Grows whenever an answer may have changed; an unreadable database has no newer state. */
  get revision(): number {
    try {
      this.#refresh();
    } catch {
      // Requests that read it fail by themselves.
    }
    return this.#revision;
  }

  #refresh(): void {
    const now = performance.now();
    const before = this.#positions;
    if (before && now - this.#refreshedAt < REFRESH_MS) return;
    const positions = this.#db.first(POSITIONS);
    if (!positions) throw new Error('the database does not name the log of its changes');
    const isSame = before && Object.values(before).join(' ') === Object.values(positions).join(' ');
    const canSort = this.#sorted && this.#sorted.seq !== positions.seq && now >= this.#sorted.notBefore;
    if (!isSame || canSort) {
      this.#load(positions, now);
      this.#revision += 1;
      this.#positions = positions;
    }
    this.#refreshedAt = now;
  }

  #load(positions: Positions, now: number): void {
    const found = parseState(positions.state);
    if (found?.logId !== positions.logId || found.seq > positions.seq) return this.#sort(positions, now);
    this.#db.read(() => {
      const state = findIndexState(this.#db);
      const { logId, version } = this.#state ?? { logId: undefined, version: 0 };
      const known = logId === state?.logId && version <= (state?.version ?? 0) ? version : 0;
      const orders = known > 0 ? this.#orders.map((segments) => [...segments]) : [];
      for (const { ord, segment, elements, names } of this.#db.all(SEGMENTS, { known }))
        (orders[ord] ??= [])[segment] = new Segment(elements, names);
      this.#orders = orders;
      this.#state = state;
      this.#sorted = undefined;
    });
  }

  #sort({ seq }: Positions, now: number): void {
    if (this.#sorted && now < this.#sorted.notBefore) return;
    const entries = readKeys(this.#db);
    this.#orders = makeOrders().map((order) => {
      order.fill(entries);
      return order.segments
        .map((_, at) => order.encode(at))
        .map(({ elements, names }) => new Segment(elements, names));
    });
    this.#state = undefined;
    const sortedAt = performance.now();
    this.#sorted = { seq, notBefore: sortedAt + (sortedAt - now) / SORT_SHARE };
  }
}

const valueOf = (key: string) => sqlBuilder.selectFrom('properties').select('value').where('key', '=', key);
const POSITIONS = selectLogHead.select(valueOf(STATE_PROPERTY).as('state')).$castTo<Positions>().compile();
const SEGMENTS = sqlBuilder
  .selectFrom('list_indexes')
  .select(['ord', 'piece as segment', 'elements', 'names'])
  .where('version', '>', param('known'))
  .orderBy('ord')
  .orderBy('piece')
  .$castTo<{ ord: number; segment: number; elements: Buffer; names: Buffer | null }>()
  .compile();
