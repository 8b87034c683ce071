/** The change log as server-sent events: their IDs are cursors, their data elements of `changes`. */
import { z } from 'zod';
import { readLogHead, formatCursor, type LogHead } from '../changes/change-log.ts';
import type { Database } from '../db/database.ts';
import { createQueryParser, type Parsed, type QueryPairs } from '../text/read-query.ts';
import { changesQuerySchema, readChanges, readCursor, SINCE_WRONG } from './list-changes.ts';

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
  const heard = lastEventId?.trim() || undefined;
  const { since, problem } =
    heard === undefined ? readCursor(query.since, SINCE_WRONG) : readCursor(heard, HEADER_WRONG);
  return { query: since, problems: problem ? [...problems, problem] : problems };
}

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
