import type { Selectable } from 'kysely';
import { z } from 'zod';
import { formatCursor, isCursorValid, parseCursor, type Cursor } from '../changes/cursor.ts';
import { readLogHead } from '../changes/log-head.ts';
import { build, type Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { createQueryParser, textParameter } from '../text/query-schema.ts';
import type { Parsed, QueryPairs, QueryProblem } from '../text/read-query.ts';
import { toMirrorJson } from './mirror-entry.ts';
import type { Change, ChangesPage, MirrorEntry, Tombstone } from './mirror-schema.ts';
import { findByNames } from './published.ts';

const CHANGES_LIMIT_MAX = 500;
const CHANGES_LIMIT_DEFAULT = 100;
export const SINCE_WRONG = {
  parameter: 'since',
  allowed: 'cursor z manifestu, next z /api/changes albo id zdarzenia',
};
const CURSOR_MAX = 64;

interface ChangesQuery {
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

export function readCursor(
  given: string | undefined,
  wrong: Omit<QueryProblem, 'given'>,
): { readonly since: Cursor | undefined; readonly problem: QueryProblem | undefined } {
  const since = given === undefined ? undefined : parseCursor(given);
  return { since, problem: given === undefined || since ? undefined : { ...wrong, given } };
}

type ChangeRow = Selectable<Tables['changes']>;

/** Each entry once, at its last change and as it is now. @returns undefined for a cursor of another log */
export function listChanges(db: Database, { since, limit }: ChangesQuery): ChangesPage | undefined {
  return db.read(() => {
    if (since && !isCursorValid(db, since)) return undefined;
    const { changes, last, hasMore } = readChanges(db, since?.seq ?? 0, limit);
    return { changes, next: formatCursor({ ...readLogHead(db), seq: last }), hasMore };
  });
}

export function readChanges(db: Database, after: number, limit: number) {
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
  const entryIds = last.map((row) => row.entry_id);
  const entries = new Map(
    findByNames(db, 'entry_id', entryIds).map((row) => {
      const entry = JSON.parse(toMirrorJson(row)) as MirrorEntry;
      return [entry._id, entry];
    }),
  );
  return {
    changes: last.map((row) => toChange(db, row, entries.get(row.entry_id))),
    last: page.at(-1)?.seq ?? after,
    hasMore: rows.length > limit,
  };
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
  // An entry that is not public reveals only its number.
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
