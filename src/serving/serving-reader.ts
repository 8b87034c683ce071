/**
 * The serving file as it is read: found, opened, and looked at again whenever the data may have changed. What it does not
 * know yet is told by `behind`. Used by the web process and by its search thread, each with handles of its own.
 */
import { performance } from 'node:perf_hooks';
import { readLogHead } from '../changes/log-head.ts';
import type { LogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import { CHECK_RESULTS_MAX } from '../entries/check-entries.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import type { ListKind } from '../entries/entry.ts';
import { LIMIT_MAX } from '../entries/list-query.ts';
import { Behind } from './behind.ts';
import { Orders } from './orders.ts';
import type { ListFilters, OrderView } from './orders.ts';
import { readFrames } from './ready-entry.ts';
import type { Frame } from './ready-entry.ts';
import {
  DamagedError,
  findState,
  identifyFile,
  isDamage,
  isMarkedDamaged,
  listServingFiles,
  markDamaged,
  ofDatabase,
  openToRead,
} from './serving-file.ts';
import type { ServingState } from './serving-file.ts';

/** How often the file is looked at: no answer is older than this. */
const LOOK_MS = 10;
/** How often it is looked for another file. */
const FILES_MS = 1_000;
/**
 * How many rows a statement reads, as one value, for each value by itself costs as much as reading it: an entry, few, a
 * page of the usual length, and the longest page or answer of the check.
 */
const ROWS_AT_ONCE = [1, 10, 30, Math.max(LIMIT_MAX, LIST_KINDS.length * (CHECK_RESULTS_MAX + 1))];

/** The two texts of an entry; see ready-entry.ts. */
export type Column = 'summary' | 'body';

interface Held {
  readonly db: Database;
  readonly identity: string | undefined;
  readonly orders: Orders;
  state: ServingState;
  behind: Behind | undefined;
}

export class ServingReader {
  readonly #main: Database;
  readonly #onFailure: (error: unknown) => void;
  #held: Held | undefined;
  #head: LogHead | undefined;
  #seen: readonly (string | number | undefined)[] = [];
  #seenTexts = false;
  #revision = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #filesAt = Number.NEGATIVE_INFINITY;
  /** Turned out to be damaged: it is not opened again. */
  #refused: string | undefined;

  /** @param onFailure told of a file that cannot be used */
  constructor(main: Database, onFailure: (error: unknown) => void) {
    this.#main = main;
    this.#onFailure = onFailure;
  }

  /** Where the change log stood at the last look. */
  get head(): LogHead | undefined {
    return this.#head;
  }

  /**
   * Brings what is held to the state of now.
   * @returns `none`: no file can be used; `more`: ask again, for the log has many changes that the file does not know
   */
  look(): 'ready' | 'more' | 'none' {
    const at = performance.now();
    const isFresh = at - this.#lookedAt < LOOK_MS;
    if (isFresh && this.#held && this.#isCaughtUp()) return 'ready';
    if (isFresh && !this.#held && at - this.#filesAt < FILES_MS) return 'none';
    try {
      if (isFresh && this.#held) return this.#catchUp();
      this.#lookedAt = at;
      this.#head = ofDatabase(() => readLogHead(this.#main));
      if (at - this.#filesAt >= FILES_MS) this.#choose(at);
      return this.#held ? this.#follow(this.#held) : 'none';
    } catch (error) {
      // A look that failed has seen nothing: the next one looks again.
      this.#lookedAt = Number.NEGATIVE_INFINITY;
      if (!this.#held || !isDamage(error)) throw error;
      this.#refuse(this.#held.db.path, this.#held.identity, error);
      return 'none';
    }
  }

  /** Grows whenever an answer may have become another one. */
  get revision(): number {
    const held = this.#held;
    const seen = [this.#head?.history, this.#head?.seq, held?.identity, held?.state.seq, held?.state.version];
    const hasTexts = this.hasTexts;
    if (hasTexts !== this.#seenTexts || seen.some((one, at) => one !== this.#seen[at])) {
      this.#seen = seen;
      this.#seenTexts = hasTexts;
      this.#revision += 1;
    }
    return this.#revision;
  }

  /** The file knows every change: IDs need not be looked up in the database. */
  get isCurrent(): boolean {
    return this.#held !== undefined && this.#held.behind === undefined;
  }

  /** Searches can be answered. */
  get hasTexts(): boolean {
    return this.#held?.state.textThrough === null;
  }

  /** Of the file; undefined when there is none. */
  get path(): string | undefined {
    return this.#held?.db.path;
  }

  /** Differs with every new order of `popular`. */
  get popularity(): string {
    return this.#held ? `${this.#held.identity} ${this.#held.state.popularity}` : '';
  }

  view(list: ListKind, filters: ListFilters): OrderView {
    const { orders, behind } = this.#get();
    const view = orders.view(list, filters);
    return behind ? behind.narrow(view, list, filters) : view;
  }

  /** By row, its place in the order by views. */
  ranks(): Uint32Array {
    return this.#get().orders.ranks();
  }

  /**
   * The texts of rows, in this order; those that are gone are left out.
   * @throws {DamagedError} and refuses the file from then on
   */
  read(rows: readonly number[], column: Column): Frame[] {
    const { behind } = this.#get();
    return this.#try((held) => {
      if (!behind || rows.every((row) => !behind.has(row))) return readRows(held.db, rows, column);
      return rows.flatMap((row) => {
        if (!behind.has(row)) return readRows(held.db, [row], column);
        const ready = behind.find(row);
        return ready ? readFrames(ready[column]) : [];
      });
    });
  }

  /** Summaries of the entries with these chat IDs, in no order. Only while the file `isCurrent`. @throws {DamagedError} */
  readByIds(chatIds: readonly string[]): Frame[] {
    return this.#try(({ db }) => {
      const found = db.statement<[string, Buffer]>(SELECT_BY_IDS).raw().all(JSON.stringify(chatIds));
      return found.flatMap(([chatId, summary]) => {
        const frames = readFrames(summary);
        assertOfId(frames, chatId);
        return frames;
      });
    });
  }

  /** The entries with a chat ID, at most one a list. Only while the file `isCurrent`. @throws {DamagedError} */
  readById(chatId: string, column: Column): Frame[] {
    return this.#try(({ db }) => {
      const found = db.statement(SELECT_BY_ID[column]).pluck().all(chatId) as Buffer[];
      if (found.length === 0) return [];
      const frames = readFrames(found.length === 1 ? (found[0] as Buffer) : Buffer.concat(found));
      assertOfId(frames, chatId);
      return frames;
    });
  }

  /** Whatever else is read of the file. @throws {DamagedError} and refuses the file from then on */
  try<T>(read: (db: Database) => T): T {
    return this.#try(({ db }) => read(db));
  }

  close(): void {
    this.#held?.db.close();
    this.#held = undefined;
  }

  #get(): Held {
    if (!this.#held) throw new DamagedError('there is no serving file');
    return this.#held;
  }

  #follow(held: Held): 'ready' | 'more' | 'none' {
    const isUsable = held.db.snapshot(() => {
      const state = findState(held.db);
      const head = this.#headFor(state);
      if (!state || state.history !== head.history || state.seq > head.seq) return false;
      if (state.version !== held.orders.version) {
        held.orders.load(held.db);
        held.orders.version = state.version;
      }
      if (state.seq !== held.state.seq) held.behind = undefined;
      held.state = state;
      return true;
    });
    if (!isUsable) {
      this.close();
      return 'none';
    }
    if (held.state.seq === this.#head?.seq) held.behind = undefined;
    else held.behind ??= new Behind(held.state.seq);
    return this.#catchUp();
  }

  /** The worker may have followed a change that came after the last look at the log. */
  #headFor(state: ServingState | undefined): LogHead {
    if (!this.#head || (state && state.seq > this.#head.seq))
      this.#head = ofDatabase(() => readLogHead(this.#main));
    return this.#head;
  }

  #isCaughtUp(): boolean {
    const { behind } = this.#get();
    return behind === undefined || behind.seq === this.#head?.seq;
  }

  #catchUp(): 'ready' | 'more' | 'none' {
    const held = this.#get();
    const { behind, db, state } = held;
    const { seq } = this.#head ?? state;
    if (!behind) return 'ready';
    // What the log names is looked for among the rows that these orders are of.
    const isDone = db.snapshot(() =>
      findState(db)?.seq === state.seq ? behind.catchUp(this.#main, db, seq) : undefined,
    );
    if (isDone === undefined) return this.#follow(held);
    return isDone ? 'ready' : 'more';
  }

  #choose(at: number): void {
    this.#filesAt = at;
    const held = this.#held;
    const isThere =
      held !== undefined && identifyFile(held.db.path) === held.identity && !isMarkedDamaged(held.db.path);
    if (held && !isThere) this.close();
    if (this.#held && listServingFiles(this.#main.path)[0] === this.#held.db.path) return;
    for (const path of listServingFiles(this.#main.path)) {
      if (path === this.#held?.db.path) return;
      const opened = this.#open(path);
      if (!opened) continue;
      this.close();
      this.#held = opened;
      return;
    }
  }

  /** Undefined when it cannot be used (yet). */
  #open(path: string): Held | undefined {
    const identity = identifyFile(path);
    if (identity === undefined || identity === this.#refused || isMarkedDamaged(path)) return undefined;
    let db: Database | undefined;
    try {
      db = openToRead(path);
      const state = findState(db);
      const head = this.#headFor(state);
      const isUsable =
        state && state.history === head.history && state.builtThrough === null && state.seq <= head.seq;
      if (isUsable) return { db, identity, orders: new Orders(), state, behind: undefined };
    } catch (error) {
      // One that is just being made has no tables yet.
      if (db && isDamage(error) && !/no such table/.test(String(error))) this.#refuse(path, identity, error);
    }
    db?.close();
    return undefined;
  }

  #try<T>(work: (held: Held) => T): T {
    const held = this.#get();
    try {
      return work(held);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#refuse(held.db.path, held.identity, error);
      throw error instanceof DamagedError
        ? error
        : new DamagedError('the serving file is damaged', { cause: error });
    }
  }

  #refuse(path: string, identity: string | undefined, error: unknown): void {
    this.#refused = identity;
    markDamaged(path);
    this.close();
    this.#onFailure(error);
  }
}

const SELECT_BY_ID: Readonly<Record<Column, string>> = {
  summary: 'SELECT summary FROM ready WHERE chat_id = ?',
  body: 'SELECT body FROM ready WHERE chat_id = ?',
};
const SELECT_ROWS: Readonly<Record<Column, readonly { readonly most: number; readonly source: string }[]>> = {
  summary: selectRows('summary'),
  body: selectRows('body'),
};

const SELECT_BY_IDS = 'SELECT chat_id, summary FROM ready WHERE chat_id IN (SELECT value FROM json_each(?))';

/** What leads from the ID to the entry has no checksum. */
function assertOfId(frames: readonly Frame[], chatId: string): void {
  const id = JSON.stringify(chatId);
  if (!frames.every(({ text }) => text.includes(id))) throw new DamagedError('an ID leads to another entry');
}

function selectRows(column: Column): { readonly most: number; readonly source: string }[] {
  const one = `(SELECT ${column} FROM ready WHERE row = ?)`;
  return ROWS_AT_ONCE.map((most) => ({
    most,
    source: `SELECT CAST(concat(${new Array<string>(most).fill(one).join()}) AS BLOB)`,
  }));
}

function readRows(db: Database, rows: readonly number[], column: Column): Frame[] {
  const fitting = SELECT_ROWS[column].find(({ most }) => most >= rows.length);
  if (!fitting) {
    const most = ROWS_AT_ONCE.at(-1);
    return [...readRows(db, rows.slice(0, most), column), ...readRows(db, rows.slice(most), column)];
  }
  const places =
    rows.length === fitting.most ? rows : Array.from({ length: fitting.most }, (_, at) => rows[at] ?? null);
  const bytes = db.statement(fitting.source).pluck().get(places) as Buffer | null;
  return bytes ? readFrames(bytes) : [];
}
