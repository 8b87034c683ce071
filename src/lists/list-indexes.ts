/**
 * The precomputed sorted orders in the table `list_indexes`, and how they are read: pieces that changed are loaded when
 * their version has grown. They may be half a second old, which shows only where an entry has no place yet: what is shown
 * is read from `published`. Where there are none that fit (see FORMAT), a process sorts in memory.
 */
import { versions } from 'node:process';
import { sql } from 'kysely';
import { build, compileOnce, given } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import {
  encodeElements,
  encodeNames,
  makeOrders,
  orderNumber,
  Orders,
  Piece,
  readAllKeys,
} from './sort-orders.ts';
import type { LogHead } from '../changes/log-head.ts';

/** The rules of this version and its collation data; orders of others are ignored. */
const FORMAT = `1 icu ${versions.icu} cldr ${versions.cldr} unicode ${versions.unicode}`;
export const STATE_PROPERTY = 'list_indexes';
/** Where the full text has come: `<log> <change>`. */
export const SEARCH_PROPERTY = 'search';

export interface IndexState extends LogHead {
  readonly format: string;
  /** Value of the property `popularity` that the orders by views are right for. */
  readonly popularity: string;
  /** Grows with every write. */
  readonly version: number;
  /** Change up to which `look_alike_hashes` is right; undefined until it has rows of all entries. */
  readonly hashesSeq?: number | undefined;
}

/** Undefined when there are none, or of other rules. */
export function findIndexState(db: Database): IndexState | undefined {
  return parseState(findProperty(db, STATE_PROPERTY));
}

export function writeIndexState(db: Database, state: Omit<IndexState, 'format'>): void {
  setProperty(db, STATE_PROPERTY, JSON.stringify({ ...state, format: FORMAT }));
}

function parseState(text: string | null | undefined): IndexState | undefined {
  const state = typeof text === 'string' ? (JSON.parse(text) as IndexState) : undefined;
  return state?.format === FORMAT ? state : undefined;
}

/** Whether the orders of the database can be used. */
export function hasListIndexes(db: Database): boolean {
  return findIndexState(db)?.history === findProperty(db, 'history');
}

/** No answer is older than this. */
const LOOK_MS = 10;
/** Sorting in memory takes at most this share of the time. */
const SORT_SHARE = 0.1;

interface Seen {
  readonly history: string;
  readonly seq: number;
  readonly state: string | null;
  readonly search: string | null;
}

export class ListIndexes {
  readonly #db: Database;
  #orders = new Orders();
  #seen: Seen | undefined;
  #state: IndexState | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #revision = 0;
  /** Change up to which the orders were sorted in memory; undefined: they are those of the database. */
  #sorted: { readonly seq: number; readonly notBefore: number } | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Brings the orders to the state of now. @throws when the database cannot be read */
  refresh(): Orders {
    const at = performance.now();
    if (at - this.#lookedAt < LOOK_MS) return this.#orders;
    const seen = this.#db.first(LOOK);
    if (!seen) throw new Error('the database does not know which history its changes belong to');
    const before = this.#seen;
    const isSame =
      before?.history === seen.history &&
      before.seq === seen.seq &&
      before.state === seen.state &&
      before.search === seen.search;
    if (!isSame || (this.#sorted && this.#sorted.seq !== seen.seq && at >= this.#sorted.notBefore)) {
      this.#load(seen, at);
      this.#revision += 1;
      this.#seen = seen;
    }
    this.#lookedAt = at;
    return this.#orders;
  }

  /** Where the change log stands. */
  get head(): LogHead {
    this.refresh();
    return this.#seen as Seen;
  }

  /** Whether the database has the hashes that look-alikes are found by. */
  get hasLookAlikeHashes(): boolean {
    this.refresh();
    return this.#sorted === undefined && this.#state?.hashesSeq !== undefined;
  }

  /** Grows whenever an answer may have become another one. */
  get revision(): number {
    return this.#revision;
  }

  /** Differs with every new order by views. */
  get popularity(): string {
    return this.#state?.popularity ?? '';
  }

  #load(seen: Seen, at: number): void {
    const state = parseState(seen.state);
    if (state?.history !== seen.history || state.seq > seen.seq) return this.#sort(seen, at);
    const known = this.#sorted || this.#state?.history !== state.history ? -1 : (this.#state?.version ?? -1);
    // Another database may have taken the place of this one.
    if (known < 0 || known > state.version) this.#orders = new Orders();
    if (known !== state.version) this.#loadPieces(known > state.version ? -1 : known);
    else this.#state = state;
    this.#sorted = undefined;
  }

  /** In one statement, and with the state that belongs to the pieces. */
  #loadPieces(known: number): void {
    this.#db.snapshot(() => {
      this.#state = findIndexState(this.#db);
      const rows = this.#db.all(PIECES, { known });
      for (const [order, pieces] of Map.groupBy(rows, ({ ord }) => ord))
        this.#orders.replace(
          order,
          new Map(
            pieces.map(({ piece, elements, names }) => [piece, new Piece(elements, names ?? undefined)]),
          ),
        );
    });
  }

  #sort({ seq }: Seen, at: number): void {
    if (this.#sorted && at < this.#sorted.notBefore) return;
    const entries = readAllKeys(this.#db);
    this.#orders = new Orders();
    this.#state = undefined;
    for (const order of makeOrders()) {
      order.fill(entries.filter(({ flags }) => order.has(flags)));
      this.#orders.set(
        orderNumber(order.list, order.name),
        order.pieces.map(
          (piece) =>
            new Piece(encodeElements(piece), order.name === 'popular' ? encodeNames(piece) : undefined),
        ),
      );
    }
    const now = performance.now();
    this.#sorted = { seq, notBefore: now + (now - at) / SORT_SHARE };
  }
}

const valueOf = (key: string) => build.selectFrom('properties').select('value').where('key', '=', key);
const LOOK = compileOnce(
  valueOf('history')
    .clearSelect()
    .select('value as history')
    .select(({ fn }) => [
      fn
        .coalesce(
          build.selectFrom('changes').select((changes) => changes.fn.max('seq').as('seq')),
          sql.lit(0),
        )
        .as('seq'),
      valueOf(STATE_PROPERTY).as('state'),
      valueOf(SEARCH_PROPERTY).as('search'),
    ])
    .$castTo<Seen>(),
);
const PIECES = compileOnce(
  build
    .selectFrom('list_indexes')
    .select(['ord', 'piece', 'elements', 'names'])
    .where('version', '>', given('known'))
    .orderBy('ord')
    .orderBy('piece')
    .$castTo<{ ord: number; piece: number; elements: Buffer; names: Buffer | null }>(),
);
