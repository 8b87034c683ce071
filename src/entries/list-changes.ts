/** What has changed in the lists since a place in the change log: how mirrors keep up (`/api/changes`). */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { formatCursor, isCursorAlive, parseCursor } from '../changes/cursor.ts';
import type { Cursor } from '../changes/cursor.ts';
import { readLogHead } from '../changes/log-head.ts';
import { build } from '../db/database.ts';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { createQueryParser, textParameter } from '../text/query-schema.ts';
import type { Parsed, QueryPairs, QueryProblem } from '../text/read-query.ts';
import { toMirrorJson } from './mirror-entry.ts';
import type { Change, ChangesPage, MirrorEntry, Tombstone } from './mirror-schema.ts';
import { findByNames } from './published.ts';

export const CHANGES_LIMIT_MAX = 500;
export const CHANGES_LIMIT_DEFAULT = 100;
/** What is said of a `since` that is no cursor. */
export const SINCE_WRONG = {
  parameter: 'since',
  allowed: 'cursor z manifestu, next z /api/changes albo id zdarzenia',
};
/** More than any cursor has. */
const CURSOR_MAX = 64;

export interface ChangesQuery {
  /** Undefined: from the first change on. */
  readonly since: Cursor | undefined;
  readonly limit: number;
}

export const changesQuerySchema = z.object({
  since: textParameter(CURSOR_MAX).describe(
    'Kursor: `cursor` z manifestu, `next` z poprzedniej odpowiedzi albo `id` zdarzenia. Bez niego: od pierwszej zmiany.',
  ),
  limit: z
    .int()
    .min(1)
    .max(CHANGES_LIMIT_MAX)
    .default(CHANGES_LIMIT_DEFAULT)
    .describe('Ile zmian przejrzeć; w odpowiedzi może ich być mniej.'),
});

const parseTexts = createQueryParser(changesQuerySchema);

export function parseChangesQuery(parameters: QueryPairs): Parsed<ChangesQuery> {
  const { query, problems } = parseTexts(parameters);
  const { since, problem } = readCursor(query.since, SINCE_WRONG);
  return { query: { since, limit: query.limit }, problems: problem ? [...problems, problem] : problems };
}

/** @param wrong what is said of a value that is no cursor */
export function readCursor(
  given: string | undefined,
  wrong: Omit<QueryProblem, 'given'>,
): { readonly since: Cursor | undefined; readonly problem: QueryProblem | undefined } {
  const since = given === undefined ? undefined : parseCursor(given);
  return { since, problem: given === undefined || since ? undefined : { ...wrong, given } };
}

type ChangeRow = Selectable<Tables['changes']>;

/**
 * Looks at so many changes; an entry is given once, at its last change, as it is now. An entry that the public may not
 * see (any more) is a removed one.
 * @returns undefined when the cursor belongs to another log: start from the snapshots
 */
export function listChanges(db: Database, { since, limit }: ChangesQuery): ChangesPage | undefined {
  return db.snapshot(() => {
    if (since && !isCursorAlive(db, since)) return undefined;
    const { changes, last, hasMore } = readChanges(db, since?.seq ?? 0, limit);
    return { changes, next: formatCursor({ ...readLogHead(db), seq: last }), hasMore };
  });
}

export interface ReadChanges {
  readonly changes: readonly Change[];
  /** Number of the last change that was looked at. */
  readonly last: number;
  readonly hasMore: boolean;
}

/** As `listChanges`, after the change of this number. Belongs into a snapshot of the database. */
export function readChanges(db: Database, after: number, limit: number): ReadChanges {
  const rows = db.all(
    build
      .selectFrom('changes')
      .selectAll()
      .select((outer) =>
        outer
          .selectFrom('changes as later')
          .select(({ fn }) => fn.max('later.seq').as('last'))
          .whereRef('later.entry_id', '=', 'changes.entry_id')
          .as('last'),
      )
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  const last = page.filter((row) => row.seq === row.last);
  const entries = findEntries(
    db,
    last.map((row) => row.entry_id),
  );
  return {
    changes: last.map((row) => toChange(db, row, entries.get(row.entry_id))),
    last: page.at(-1)?.seq ?? after,
    hasMore: rows.length > limit,
  };
}

function findEntries(db: Database, ids: readonly string[]): Map<string, MirrorEntry> {
  const entries = findByNames(db, 'entry_id', ids).map((row) => JSON.parse(toMirrorJson(row)) as MirrorEntry);
  return new Map(entries.map((entry) => [entry._id, entry]));
}

function toChange(db: Database, row: ChangeRow, entry: MirrorEntry | undefined): Change {
  const { seq, list } = row;
  const at = new Date(row.at).toISOString();
  if (entry) return { seq, at, op: row.op === 'removed' ? 'updated' : row.op, list, entry };
  return { seq, at, op: 'removed', list, tombstone: getTombstone(db, row) };
}

function getTombstone(db: Database, { entry_id, list, at }: ChangeRow): Tombstone {
  const tombstone = db.first(
    build
      .selectFrom('tombstones')
      .select(['report_id', 'reason_code', 'removed_at'])
      .where('entry_id', '=', entry_id),
  );
  // Still in the database, and not public: only its number is shown.
  const hidden =
    tombstone ?? db.first(build.selectFrom('entries').select('report_id').where('entry_id', '=', entry_id));
  if (!hidden) throw new Error(`the removed entry ${entry_id} has no tombstone`);
  return {
    list,
    _id: entry_id,
    reportId: hidden.report_id,
    removedAt: new Date(tombstone?.removed_at ?? at).toISOString(),
    reasonCode: tombstone?.reason_code ?? 'other',
  };
}
