import { listUnreadiness, UNREADINESS } from '#src/db/readiness.ts';
import { z } from 'zod';
import { endpoint } from '#src/http/endpoint.ts';
import { hasListIndexes } from '#src/lists/list-indexes.ts';

const readinessSchema = z
  .object({
    ready: z.boolean().describe('Czy może odpowiadać.'),
    reasons: z
      .array(z.enum(UNREADINESS).describe('Dlaczego, dla programów.'))
      .describe('Dlaczego nie; puste, gdy może.'),
  })
  .meta({ id: 'Readiness', description: 'Gotowość serwisu.' });

/** The service can serve, be it without searches, and its lists follow the database; else 503 says why, for machines. */
export const GET = endpoint({
  operation: {
    id: 'readyz',
    tag: 'status',
    summary: 'Czy serwis może odpowiadać na zapytania.',
    description:
      'Dla programów, które pilnują serwisu. Gdy nie może albo gdy listy od dłuższego czasu nie nadążają za bazą danych, dostaniesz 503 z powodami.',
    response: { description: 'Może.', schema: readinessSchema },
    unready: { description: 'Nie może, z tych powodów.', schema: readinessSchema },
  },
  rateLimit: 'health',
  cacheControl: 'none',
  handle: (_query, { db }) => {
    const reasons = listUnreadiness(db, hasListIndexes);
    const ready = reasons.length === 0;
    return { body: JSON.stringify({ ready, reasons }), status: ready ? 200 : 503 };
  },
});
