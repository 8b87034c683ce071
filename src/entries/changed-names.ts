/**
 * What has changed since the name index was made, read from the change log: the names of these entries as they are now.
 * Few enough to be looked through one after another.
 */
import type { LogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import { LIST_KINDS } from './entry.ts';
import { compareViews } from './read-entry.ts';
import type { NamedRow, NameMatch } from './name-index.ts';

/** With more changes than this, nothing is held: the worker is about to make the index anew. */
export const CHANGES_HELD_MAX = 20_000;
/** Of an import's changes so many are read at once; in between other requests have their turn. */
export const CHANGES_STEP = 500;

export interface ChangedNames {
  /** The change up to which everything is known. */
  readonly head: LogHead;
  /** Rows that are not what the index says. */
  readonly stale: ReadonlySet<number>;
  /**
   * Reads at most CHANGES_STEP changes.
   * @param latest where the log stands, read in the same snapshot
   * @returns whether everything is known up to the newest change
   */
  catchUp(db: Database, latest: LogHead): 'done' | 'more' | 'too many';
  /** An entry of the index turned out to be removed. */
  markRemoved(row: number): void;
  /** Whether one of the names holds the piece. */
  holds(folded: string): boolean;
  /** By list: the best names that hold the piece, as NameIndex gives them. */
  find(folded: string, perList: number): NamedRow[][];
}

/** Whether no change after this one is missing at the log's beginning. */
export function isLogWholeSince(db: Database, seq: number): boolean {
  const { first } =
    db.statement<{ first: number | null }>('SELECT min(seq) AS first FROM changes').get() ?? {};
  return first === undefined || first === null || first <= seq + 1;
}

interface ChangedName {
  readonly row: number;
  /** Its place in LIST_KINDS. */
  readonly list: number;
  readonly folded: string;
  readonly views: number;
  readonly reportedAt: number;
  readonly entryId: string;
}

/** In no folded name. */
const BORDER = '\uffff';

/** @param base the moment of the index */
export function createChangedNames(base: LogHead): ChangedNames {
  const names = new Map<string, ChangedName>();
  const stale = new Set<number>();
  let head = base;
  /** Looked at once: what is read of the log later follows what was read before. */
  let isLogWhole = false;
  let text: string | undefined;

  const read = (db: Database, to: number): void => {
    const rows = db
      .statement<{
        entry_id: string;
        row: number | null;
        list: string;
        verified: number;
        name_folded: string;
        views: number;
        reported_at: number;
      }>(
        `SELECT changed.entry_id, row, list, verified, name_folded, views, reported_at
         FROM (SELECT DISTINCT entry_id FROM changes WHERE seq > ? AND seq <= ?) AS changed
         LEFT JOIN entries USING (entry_id)`,
      )
      .all(head.seq, to);
    for (const { entry_id: entryId, row, list: kind, verified, ...facts } of rows) {
      names.delete(entryId);
      if (row === null) continue;
      stale.add(row);
      if (kind === 'legit' && verified === 0) continue;
      const list = LIST_KINDS.findIndex((known) => known === kind);
      const { name_folded: folded, views, reported_at: reportedAt } = facts;
      names.set(entryId, { row, list, folded, views, reportedAt, entryId });
    }
    text = undefined;
    head = { history: head.history, seq: to };
  };

  const holds = (folded: string): boolean => {
    text ??= [...names.values()].map((name) => name.folded).join(BORDER);
    return text.includes(folded);
  };

  return {
    get head() {
      return head;
    },
    stale,
    catchUp(db, latest) {
      if (latest.history !== head.history || latest.seq < head.seq) return 'too many';
      if (latest.seq - base.seq > CHANGES_HELD_MAX) return 'too many';
      isLogWhole ||= isLogWholeSince(db, base.seq);
      if (!isLogWhole) return 'too many';
      if (latest.seq > head.seq) read(db, Math.min(latest.seq, head.seq + CHANGES_STEP));
      return head.seq === latest.seq ? 'done' : 'more';
    },
    markRemoved(row) {
      stale.add(row);
    },
    holds,
    find(folded, perList) {
      const found: (NamedRow & { readonly name: ChangedName })[][] = LIST_KINDS.map(() => []);
      if (!holds(folded)) return found;
      for (const name of names.values()) {
        const match = matchOf(name.folded, folded);
        if (match) found[name.list]?.push({ row: name.row, match, name });
      }
      return found.map((list) =>
        list
          .toSorted((one, other) => one.match - other.match || compareViews(one.name, other.name))
          .slice(0, perList),
      );
    },
  };
}

function matchOf(name: string, piece: string): NameMatch | undefined {
  const at = name.indexOf(piece);
  if (at < 0) return undefined;
  if (at > 0) return 3;
  return name.length === piece.length ? 1 : 2;
}
