/**
 * What has changed since the name index was made, read from the change log: the names of these entries as they are now.
 * Few enough to be looked through one after another.
 */
import type { LogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import { LIST_KINDS } from '../entries/entry.ts';
import { foldText } from '../text/fold-text.ts';
import type { FoundName } from './name-index.ts';

/** With more changes than this, nothing is held: another index is about to be made. */
const CHANGES_HELD_MAX = 20_000;
/** Of an import's changes so many are read at once; in between other requests have their turn. */
const CHANGES_STEP = 500;
/** In no folded name. */
const BORDER = '\uffff';

interface ChangedName {
  readonly row: number;
  /** Its place in LIST_KINDS. */
  readonly list: number;
  readonly folded: string;
}

export class ChangedNames {
  /** The change up to which everything is known. */
  head: LogHead;
  /** Changes since the index was made. */
  get count(): number {
    return this.head.seq - this.#base;
  }
  /** Rows that are not what the index says. */
  readonly #stale = new Set<number>();
  readonly #base: number;
  readonly #names = new Map<string, ChangedName>();
  #text: string | undefined;

  /** @param base the moment of the index */
  constructor(base: LogHead) {
    this.head = base;
    this.#base = base.seq;
  }

  isStale(row: number): boolean {
    return this.#stale.has(row);
  }

  /** An entry of the index turned out to be removed. */
  markRemoved(row: number): void {
    this.#stale.add(row);
  }

  /** @returns whether everything is known up to the newest change; `useless`: it never will be */
  catchUp(db: Database, latest: LogHead): 'done' | 'more' | 'useless' {
    const { history, seq } = this.head;
    if (latest.history !== history || latest.seq < seq) return 'useless';
    if (latest.seq - this.#base > CHANGES_HELD_MAX) return 'useless';
    if (latest.seq > seq) this.#read(db, Math.min(latest.seq, seq + CHANGES_STEP));
    return this.head.seq === latest.seq ? 'done' : 'more';
  }

  /** Names that hold the piece, by list, in no order. */
  find(folded: string): FoundName[][] {
    const found: FoundName[][] = LIST_KINDS.map(() => []);
    this.#text ??= Array.from(this.#names.values(), (name) => name.folded).join(BORDER);
    if (!this.#text.includes(folded)) return found;
    for (const { row, list, folded: name } of this.#names.values()) {
      const at = name.indexOf(folded);
      if (at < 0) continue;
      found[list]?.push({ row, match: at > 0 ? 3 : name.length === folded.length ? 1 : 2 });
    }
    return found;
  }

  #read(db: Database, to: number): void {
    const rows = db
      .statement<{ entry_id: string; row: number | null; list: string; verified: number; name: string }>(
        `SELECT changed.entry_id, row, list, verified, name
         FROM (SELECT DISTINCT entry_id FROM changes WHERE seq > ? AND seq <= ?) AS changed
         LEFT JOIN entries USING (entry_id)`,
      )
      .all(this.head.seq, to);
    for (const { entry_id: entryId, row, list: kind, verified, name } of rows) {
      this.#names.delete(entryId);
      if (row === null) continue;
      this.#stale.add(row);
      if (kind === 'legit' && verified === 0) continue;
      const list = LIST_KINDS.findIndex((known) => known === kind);
      this.#names.set(entryId, { row, list, folded: foldText(name) });
    }
    this.#text = undefined;
    this.head = { ...this.head, seq: to };
  }
}
