import { changesPageSchema } from '#src/entries/mirror-schema.ts';
import { changesQuerySchema, listChanges, parseChangesQuery } from '#src/entries/list-changes.ts';
import { MANIFEST_PATH } from '#src/entries/snapshots/manifest.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/response.ts';
import examples from '../_examples/changes.json' with { type: 'json' };

/** How a mirror keeps up; `/docs` tells how it starts. */
export const GET = endpoint({
  operation: {
    id: 'listChanges',
    tag: 'mirror',
    summary: 'Co się zmieniło na listach od podanego miejsca.',
    description:
      'Zmiany przychodzą po kolei. Może ich być kilka albo żadnej, choć `hasMore` to `true`. Pytaj dalej z `since` równym `next`, dopóki `hasMore` to `true`. Potem wróć za pół minuty albo słuchaj `/api/changes/events`. Kursor działa co najmniej 90 dni. Odpowiedź 410 znaczy, że kursor jest za stary albo bazę przywrócono z kopii zapasowej. Zacznij wtedy od manifestu.',
    query: changesQuerySchema,
    response: { description: 'Kolejne zmiany.', schema: changesPageSchema },
    examples,
    errors: ['invalid_parameter', 'cursor_gone'],
  },
  rateLimit: 'changes',
  cacheControl: 'changes',
  parse: ({ query }) => parseChangesQuery(query),
  handle: (query, { db, baseUrl }) => {
    const page = listChanges(db, query);
    if (!page) throw new ApiError('cursor_gone', { manifest: baseUrl + MANIFEST_PATH });
    return { body: JSON.stringify(page) };
  },
});
