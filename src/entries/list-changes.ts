import { z } from 'zod';
import {
  readLogHead,
  formatCursor,
  isCursorValid,
  parseCursor,
  type LogHead,
} from '../changes/change-log.ts';
import { sqlBuilder, type Database } from '../db/database.ts';
import {
  createQueryParser,
  textParameter,
  type Parsed,
  type QueryPairs,
  type QueryProblem,
} from '../text/read-query.ts';
import type { Change, ChangesPage, MirrorEntry } from './mirror-schema.ts';
import { parseSummary, toEntryJson } from './public-entry.ts';

const CHANGES_LIMIT_MAX = 500;
const CHANGES_LIMIT_DEFAULT = 100;
const SINCE_WRONG = {
  parameter: 'since',
  allowed: 'cursor z manifestu, next z /api/changes albo id zdarzenia',
};
const CURSOR_MAX = 64;

type ChangesQuery = Readonly<{ since: LogHead | undefined; limit: number }>;

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
  const since = readCursor(query.since, SINCE_WRONG, problems);
  return { query: { since: since.query, limit: query.limit }, problems: since.problems };
}

/** @param before problems of the other parameters */
function readCursor(
  raw: string | undefined,
  wrong: Omit<QueryProblem, 'raw'>,
  before: readonly QueryProblem[],
): Parsed<LogHead | undefined> {
  const since = raw === undefined ? undefined : parseCursor(raw);
  return { query: since, problems: raw === undefined || since ? before : [...before, { ...wrong, raw }] };
}

/** Each entry once, at its last change and as it is now. @returns undefined for a cursor of another log */
export function listChanges(db: Database, { since, limit }: ChangesQuery): ChangesPage | undefined {
  return db.read(() => {
    if (since && !isCursorValid(db, since)) return undefined;
    const { changes, last, hasMore } = readChanges(db, since?.seq ?? 0, limit);
    return { changes, next: formatCursor({ ...readLogHead(db), seq: last }), hasMore };
  });
}

function readChanges(db: Database, after: number, limit: number) {
  const rows = db.all(
    sqlBuilder
      .selectFrom('changes')
      .leftJoin('entries', 'entries.entry_id', 'changes.entry_id')
      .leftJoin('published', 'published.row', 'entries.row')
      .leftJoin('tombstones', 'tombstones.entry_id', 'changes.entry_id')
      .select(['seq', 'at', 'op', 'changes.list', 'changes.entry_id as _id', 'card', 'json'])
      .select(['removed_at', 'reason_code'])
      // An entry that is not public reveals only its number.
      .select(({ fn }) => fn.coalesce('tombstones.report_id', 'entries.report_id').as('reportId'))
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
  const changes = page
    .filter(({ seq, last }) => seq === last)
    .map((row): Change => {
      const { seq, list, _id, op, reportId, card, json } = row;
      const at = new Date(row.at).toISOString();
      if (card !== null && json !== null) {
        const entry = JSON.parse(toEntryJson(json, parseSummary(card))) as MirrorEntry;
        return { seq, at, op: op === 'removed' ? 'updated' : op, list, entry };
      }
      if (reportId === null) throw new Error(`the removed entry ${_id} has no tombstone`);
      const removedAt = new Date(row.removed_at ?? row.at).toISOString();
      const tombstone = { list, _id, reportId, removedAt, reasonCode: row.reason_code ?? 'other' };
      return { seq, at, op: 'removed', list, tombstone };
    });
  return { changes, last: page.at(-1)?.seq ?? after, hasMore: rows.length > limit };
}

const LAST_EVENT_ID = 'Last-Event-ID';
const HEADER_WRONG = {
  parameter: LAST_EVENT_ID,
  isHeader: true,
  allowed: 'podaj w nim id ostatniego odebranego zdarzenia',
} as const;

export const eventsQuerySchema = z.object({
  since: changesQuerySchema.shape.since.describe(
    'Kursor: `next` z `/api/changes`, `cursor` z manifestu albo `id` zdarzenia. Bez niego i bez `Last-Event-ID`: od teraz.',
  ),
});

export const eventsHeaderSchema = z.object({
  [LAST_EVENT_ID]: z
    .string()
    .describe(
      '`id` ostatniego zdarzenia; przeglądarka wysyła je sama, gdy wraca. Ma pierwszeństwo przed `since`.',
    )
    .optional(),
});

const parseSince = createQueryParser(eventsQuerySchema);

export function parseEventsQuery(
  parameters: QueryPairs,
  lastEventId: string | undefined,
): Parsed<LogHead | undefined> {
  const { query, problems } = parseSince(parameters);
  const heard = lastEventId?.trim();
  return heard ? readCursor(heard, HEADER_WRONG, problems) : readCursor(query.since, SINCE_WRONG, problems);
}

/** The change log as server-sent events: their IDs are cursors, their data elements of `changes`. */
export function createChangeEvents(db: Database) {
  const formatPlace = (seq: number): string => `id: ${formatCursor({ ...readLogHead(db), seq })}\n\n`;
  return {
    readHead: () => readLogHead(db),
    formatPlace,
    read: (after: number, rows: number) =>
      db.read(() => {
        const { logId } = readLogHead(db);
        const { changes, last } = readChanges(db, after, rows);
        const events = changes.map(
          (change) => `id: ${formatCursor({ logId, seq: change.seq })}\ndata: ${JSON.stringify(change)}\n\n`,
        );
        // A reconnecting client skips changes that were superseded.
        const place = last > (changes.at(-1)?.seq ?? after) ? formatPlace(last) : '';
        return { events: events.join('') + place, last };
      }),
  };
}
