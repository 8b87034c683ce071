/**
 * Reads the precomputed sorted orders of the table `list_indexes`; pieces are loaded when their version has grown.
 * Orders may be half a second old, but all shown data is read from `published`. A process without usable orders (see
 * FORMAT) sorts in memory.
 */
import { versions } from 'node:process';
import { logHead, type LogHead } from '../changes/log-head.ts';
import { build, given, type Database } from '../db/database.ts';
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

/** Version of this format and its collation data; orders of another one are ignored. */
const FORMAT = `1 icu ${versions.icu} cldr ${versions.cldr} unicode ${versions.unicode}`;
export const STATE_PROPERTY = 'list_indexes';
/** Position of search.db in the change log: `<log> <change>`. */
export const SEARCH_PROPERTY = 'search';

export interface IndexState extends LogHead {
  readonly format: string;
  /** The property `popularity` at the last sorting by views. */
  readonly popularity: string;
  readonly version: number;
  /** Position of `look_alike_hashes` in the change log; undefined until it has rows of all entries. */
  readonly hashesSeq?: number | undefined;
}

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

export function hasListIndexes(db: Database): boolean {
  return findIndexState(db)?.history === findProperty(db, 'history');
}

const REFRESH_MS = 10;
/** Maximum share of the time that sorting in memory takes. */
const SORT_SHARE = 0.1;

interface Positions extends LogHead {
  readonly state: string | null;
  readonly search: string | null;
}

export class ListIndexes {
  readonly #db: Database;
  #orders = new Orders();
  #positions: Positions | undefined;
  #state: IndexState | undefined;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #revision = 0;
  /** Undefined for orders of the database. */
  #sorted: { readonly seq: number; readonly notBefore: number } | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  refresh(): Orders {
    const at = performance.now();
    if (at - this.#refreshedAt < REFRESH_MS) return this.#orders;
    const positions = this.#db.first(POSITIONS);
    if (!positions) throw new Error('the database does not know which history its changes belong to');
    const before = this.#positions;
    const isSame =
      before?.history === positions.history &&
      before.seq === positions.seq &&
      before.state === positions.state &&
      before.search === positions.search;
    if (!isSame || (this.#sorted && this.#sorted.seq !== positions.seq && at >= this.#sorted.notBefore)) {
      this.#load(positions, at);
      this.#revision += 1;
      this.#positions = positions;
    }
    this.#refreshedAt = at;
    return this.#orders;
  }

  get head(): LogHead {
    this.refresh();
    return this.#positions as Positions;
  }

  get hasLookAlikeHashes(): boolean {
    this.refresh();
    return this.#sorted === undefined && this.#state?.hashesSeq !== undefined;
  }

  /** Grows whenever an answer may have changed. */
  get revision(): number {
    return this.#revision;
  }

  get popularity(): string {
    return this.#state?.popularity ?? '';
  }

  #load(positions: Positions, at: number): void {
    const state = parseState(positions.state);
    if (state?.history !== positions.history || state.seq > positions.seq) return this.#sort(positions, at);
    const known = this.#sorted || this.#state?.history !== state.history ? -1 : (this.#state?.version ?? -1);
    // Another database may have been restored.
    if (known < 0 || known > state.version) this.#orders = new Orders();
    if (known !== state.version) this.#loadPieces(known > state.version ? -1 : known);
    else this.#state = state;
    this.#sorted = undefined;
  }

  #loadPieces(known: number): void {
    this.#db.read(() => {
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

  #sort({ seq }: Positions, at: number): void {
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
const POSITIONS = logHead
  .select([valueOf(STATE_PROPERTY).as('state'), valueOf(SEARCH_PROPERTY).as('search')])
  .$castTo<Positions>()
  .compile();
const PIECES = build
  .selectFrom('list_indexes')
  .select(['ord', 'piece', 'elements', 'names'])
  .where('version', '>', given('known'))
  .orderBy('ord')
  .orderBy('piece')
  .$castTo<{ ord: number; piece: number; elements: Buffer; names: Buffer | null }>()
  .compile();
