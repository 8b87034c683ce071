import { endpoint } from '#src/http/endpoint.ts';
import {
  historyQuerySchema,
  historyResponseSchema,
  parseHistoryQuery,
  readHistory,
} from '#src/status/read-history.ts';
import examples from '../../_examples/history.json' with { type: 'json' };

/** How a check or a bot of SPEC 2.4 was; `id` is required, `range` is 24h unless said. */
export const GET = endpoint({
  operation: {
    id: 'readStatusHistory',
    tag: 'status',
    summary: 'Jak usługa albo bot działały wcześniej.',
    description: 'Strona `/status` rysuje to samo, w dniach czasu polskiego.',
    query: historyQuerySchema,
    response: { description: 'Historia.', schema: historyResponseSchema },
    examples,
    errors: ['invalid_parameter'],
  },
  rateLimit: 'history',
  cacheControl: 'status',
  cachedHereUntil: () => 'expiry',
  parse: ({ query }) => parseHistoryQuery(query),
  handle: ({ id, range }, { db }) => ({ body: JSON.stringify(readHistory(db, id, range, Date.now())) }),
});
