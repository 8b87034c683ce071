/**
 * The check by nickname (SPEC 4.2, DESIGN section 3): the name index that the worker makes, and what has changed since,
 * both in the memory of the web process. Where they do not reach, for example right after a large import, SQLite looks
 * at every name: slower, and the same answer.
 */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { readLogHead } from '../changes/log-head.ts';
import type { LogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import { foldText } from '../text/fold-text.ts';
import { createChangedNames } from './changed-names.ts';
import type { ChangedNames } from './changed-names.ts';
import { CHECK_RESULTS_MAX, toCheckResults } from './check-entries.ts';
import type { CheckResult } from './check-entries.ts';
import { LIST_KINDS } from './entry.ts';
import type { ListKind } from './entry.ts';
import type { FiledEntry } from './entry-file/entry-file.ts';
import type { FiledEntries } from './entry-file/ready-entries.ts';
import { createNameIndex } from './name-index.ts';
import type { NameIndex } from './name-index.ts';
import { compareViews } from './read-entry.ts';
import type { PlacedEntry } from './read-entry.ts';
import { nameIndexPath, readNameIndex, readNameIndexHeader } from './name-index-file.ts';

/** Undefined when there is no public entry in this row. */
export type ReadRow<Read extends PlacedEntry> = (row: number) => Read | undefined;

/** What is found in one list; at most CHECK_RESULTS_MAX. */
export interface FiledResult {
  readonly kind: ListKind;
  readonly found: readonly FiledEntry[];
}

export interface NameCheck {
  /**
   * Equal ID first, then equal name, then names that begin with the search, then the rest by views; all of one moment
   * of the database. Lists in which nothing is found are left out, the trusted one also beside a reported entry.
   * @returns a promise only while the index is not there or not up to date
   */
  find<Read extends PlacedEntry>(
    search: string,
    readRow: ReadRow<Read>,
  ): CheckResult<Read>[] | Promise<CheckResult<Read>[]>;
  /**
   * The same out of memory and the entry file alone.
   * @returns undefined when the database has to be asked
   */
  findFiled(search: string, filed: FiledEntries): FiledResult[] | undefined;
  /** Resolves when the file that is there now is in use, or cannot be. */
  refresh(): Promise<void>;
  close(): void;
}

/** How often it is looked whether the worker has made another file. */
const LOOK_MS = 1_000;
/** How long a question waits for the index at the start of the process; then SQLite answers it. */
const LOADING_MS = 2_000;

interface Held {
  readonly index: NameIndex | undefined;
  readonly changed: ChangedNames;
}

/** @param onFailure told when there is a file that cannot be used */
export function createNameCheck(db: Database, onFailure: (error: unknown) => void): NameCheck {
  const path = nameIndexPath(db.path);
  let held: Held | undefined;
  let made: string | undefined;
  let failure: string | undefined;
  let refreshing: Promise<void> | undefined;

  const load = async (): Promise<void> => {
    try {
      const header = await readNameIndexHeader(path);
      if (header.made === made) return;
      if (header.history !== readLogHead(db).history) return;
      const { names } = await readNameIndex(path);
      held = { index: createNameIndex(names), changed: createChangedNames(header) };
      made = header.made;
      failure = undefined;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      // Told once, and not while there is none yet.
      if (code !== 'ENOENT' && message !== failure) onFailure(error);
      failure = message;
    }
  };
  const refresh = (): Promise<void> => (refreshing ??= load().finally(() => (refreshing = undefined)));
  const first = refresh();
  let isLoaded = false;
  void first.finally(() => (isLoaded = true));
  const timer = setInterval(() => void refresh(), LOOK_MS).unref();

  /** Without a file, the log alone tells all names as long as it is short. */
  const current = ({ history }: LogHead): Held => {
    if (held?.changed.head.history !== history) {
      held = { index: undefined, changed: createChangedNames({ history, seq: 0 }) };
      made = undefined;
    }
    return held;
  };

  const findNow = <Read extends PlacedEntry>(
    search: string,
    folded: string,
    readRow: ReadRow<Read>,
  ): CheckResult<Read>[] | 'more' | 'too many' =>
    db.snapshot(() => {
      const head = readLogHead(db);
      const { index, changed } = current(head);
      const state = changed.catchUp(db, head);
      if (state !== 'done') return state;
      return collect(db, search, folded, { index, changed }, readRow);
    });

  const findLater = async <Read extends PlacedEntry>(
    search: string,
    folded: string,
    readRow: ReadRow<Read>,
  ): Promise<CheckResult<Read>[]> => {
    if (!isLoaded) await Promise.race([first, setTimeout(LOADING_MS, undefined, { ref: false })]);
    for (;;) {
      const found = findNow(search, folded, readRow);
      if (found === 'too many') {
        return db.snapshot(() => scanNames(db, search, folded, readRow));
      }
      if (found !== 'more') return found;
      await setImmediate();
    }
  };

  return {
    find(search, readRow) {
      const folded = foldText(search);
      if (folded === '') return [];
      if (!isLoaded) return findLater(search, folded, readRow);
      const found = findNow(search, folded, readRow);
      return typeof found === 'string' ? findLater(search, folded, readRow) : found;
    },
    findFiled(search, filed) {
      const folded = foldText(search);
      if (folded === '') return [];
      return held?.index && findFiled(search, folded, { ...held, index: held.index }, filed);
    },
    refresh,
    close: () => clearInterval(timer),
  };
}

/** Only what is answered is read, in the order that the index has. */
function findFiled(
  search: string,
  folded: string,
  { index, changed }: Held & { readonly index: NameIndex },
  filed: FiledEntries,
): FiledResult[] | undefined {
  const { history, seq } = filed.head;
  if (changed.head.seq !== seq || changed.head.history !== history || changed.holds(folded)) return undefined;
  const equalIds = filed.findById(search);
  if (!equalIds) return undefined;
  const rows = index.find(folded, CHECK_RESULTS_MAX, (row) => changed.stale.has(row));
  const results: FiledResult[] = [];
  for (const [list, kind] of LIST_KINDS.entries()) {
    // A trusted entry beside a reported one could be read as an all-clear (SPEC 4.2 rule 3).
    if (kind === 'legit' && results.length > 0) break;
    const found = equalIds.filter((entry) => entry.list === kind);
    const [first] = found;
    for (const { row } of rows[list] ?? []) {
      if (found.length === CHECK_RESULTS_MAX) break;
      if (row === first?.row) continue;
      const entry = filed.findByRow(row);
      if (!entry) return undefined;
      found.push(entry);
    }
    if (found.length > 0) results.push({ kind, found });
  }
  return results;
}

/** An entry that may be among the answers; a smaller match comes first, 0 is an equal ID. */
interface Candidate<Read> {
  readonly match: number;
  readonly read: Read;
  /** Of its list in LIST_KINDS. */
  readonly list: number;
  /** In the order of the name index; undefined for what is not there or no longer so. */
  place: number | undefined;
}

function collect<Read extends PlacedEntry>(
  db: Database,
  search: string,
  folded: string,
  { index, changed }: Held,
  readRow: (row: number) => Read | undefined,
): CheckResult<Read>[] {
  const isStale = (row: number): boolean => changed.stale.has(row);
  const candidates = new Map<number, Candidate<Read>>();
  const offer = (row: number, match: number, place?: number): boolean => {
    const known = candidates.get(row);
    if (known) {
      // Asked once more, the index counts its places without those that turned out to be removed.
      if (known.place !== undefined) known.place = place;
      return true;
    }
    const read = readRow(row);
    if (read) candidates.set(row, { match, read, list: LIST_KINDS.indexOf(read.list), place });
    return read !== undefined;
  };
  for (const row of findRowsById(db, search)) offer(row, 0);
  for (const { row, match } of changed.find(folded, CHECK_RESULTS_MAX + 1).flat()) offer(row, match);
  for (let removed = -1; removed !== 0;) {
    removed = 0;
    const found = index?.find(folded, CHECK_RESULTS_MAX + 1, isStale) ?? [];
    for (const [place, { row, match }] of found.flat().entries()) {
      if (offer(row, match, place)) continue;
      // The log tells of a removed entry only by an ID that the index does not hold.
      changed.markRemoved(row);
      removed += 1;
    }
  }
  return arrange([...candidates.values()]);
}

function arrange<Read extends PlacedEntry>(candidates: Candidate<Read>[]): CheckResult<Read>[] {
  // The index has its names in their order. Views are asked for only where others come between them.
  const arePlaced = candidates.every(({ match, place }) => match === 0 || place !== undefined);
  candidates.sort(
    (one, other) =>
      one.list - other.list ||
      one.match - other.match ||
      (arePlaced ? (one.place ?? 0) - (other.place ?? 0) : compareViews(one.read, other.read)),
  );
  return toCheckResults(candidates.map(({ read }) => read));
}

function findRowsById(db: Database, id: string): number[] {
  return db.statement('SELECT row FROM entries WHERE chat_id = ?').pluck().all(id) as number[];
}

/** The same without an index: SQLite looks at every name. */
export function scanNames<Read extends PlacedEntry>(
  db: Database,
  search: string,
  folded: string,
  readRow: (row: number) => Read | undefined,
): CheckResult<Read>[] {
  const rows = LIST_KINDS.flatMap((list) =>
    db
      .statement<{ row: number; match: number }>(SCAN)
      .all({ list, search, folded, max: CHECK_RESULTS_MAX + 1 }),
  );
  const candidates = rows.flatMap(({ row, match }) => {
    const read = readRow(row);
    return read ? [{ match, read, list: LIST_KINDS.indexOf(read.list), place: undefined }] : [];
  });
  return arrange(candidates);
}

const SCAN = `SELECT row, CASE WHEN chat_id = @search THEN 0 WHEN name_folded = @folded THEN 1
    WHEN instr(name_folded, @folded) = 1 THEN 2 ELSE 3 END AS match
  FROM entries WHERE list = @list AND (list != 'legit' OR verified = 1)
    AND (chat_id = @search OR instr(name_folded, @folded) > 0)
  ORDER BY match, views DESC, reported_at DESC, entry_id LIMIT @max`;
