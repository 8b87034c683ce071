import { verdictsResponseSchema } from '#src/entries/verdict-schema.ts';
import { toVerdictsJson, parseVerdictsQuery, verdictsQuerySchema } from '#src/entries/verdict.ts';
import { endpoint } from '#src/http/endpoint.ts';
import examples from '../_examples/verdicts.json' with { type: 'json' };

/** This answers for up to 100 IDs at once. */
export const GET = endpoint({
  operation: {
    id: 'verdicts',
    tag: 'check',
    summary: 'Wyniki dla wielu ID naraz.',
    description:
      'Całość liczy się jako jedno zapytanie. `unknown` dostaje też coś, co nie jest ID albo straciło cyfry: mówi o tym `warnings`. Jeśli nie chcesz zdradzać, o kogo pytasz, użyj `/snapshots/prefixes` albo własnej kopii list. Nie ma wyszukiwania po fragmencie skrótu ID, bo na jednym serwerze kilka znaków wskaże jedną osobę.',
    query: verdictsQuerySchema,
    response: { description: 'Wyniki.', schema: verdictsResponseSchema },
    examples,
    errors: ['invalid_parameter'],
  },
  rateLimit: 'verdicts',
  cacheControl: 'entries',
  parse: ({ query }) => parseVerdictsQuery(query),
  cachedHereUntil: () => 'notCached',
  // The time is asked first, so that the data is not older.
  handle: (ids, { db, changeClock }) => ({ body: toVerdictsJson(db, ids, changeClock.dataAt()) }),
});
