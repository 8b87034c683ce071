import { verdictResponseSchema } from '#src/entries/verdict-schema.ts';
import { toVerdictJson, parseVerdictQuery, verdictQuerySchema } from '#src/entries/verdict.ts';
import { listPublicByChatId } from '#src/entries/public-entry.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/response.ts';
import { LATER_SECONDS } from '#src/search/search-pool.ts';
import examples from '../_examples/verdict.json' with { type: 'json' };

/** One answer about an ID, a name or both: verdict, warnings, look-alikes. */
export const GET = endpoint({
  operation: {
    id: 'verdict',
    tag: 'check',
    summary: 'Jednoznaczny wynik dla ID oraz lista nicków podobnych do podanego.',
    description:
      'O wyniku decyduje tylko ID. Sam nick daje zawsze `unknown` i najwyżej ostrzeżenia, bo podobieństwo nie świadczy o zamiarze.',
    query: verdictQuerySchema,
    response: { description: 'Wynik.', schema: verdictResponseSchema },
    examples,
    errors: ['invalid_parameter', 'check_without_subject', 'overloaded'],
  },
  rateLimit: 'verdicts',
  cacheControl: 'entries',
  parse: ({ query }) => parseVerdictQuery(query),
  // Bots ask about every message, and an account that has written one writes another.
  cachedHereUntil: ({ name }) => (name === undefined ? 'notCached' : 'oneSecond'),
  handle: (query, { db, changeClock, indexes, listReader }) => {
    const { id, name } = query;
    if (id === undefined && name === undefined) throw new ApiError('check_without_subject');
    const dataAt = changeClock.dataAt(name === undefined ? undefined : indexes.hashesSeq);
    const found = id === undefined ? [] : listPublicByChatId(db, id);
    const lookAlikes = name === undefined ? [] : listReader.findLookAlikes(name, id);
    // An answer without them would say that there are none.
    if (!lookAlikes) throw new ApiError('overloaded', { seconds: LATER_SECONDS });
    return { body: toVerdictJson(query, found, lookAlikes, dataAt) };
  },
});
