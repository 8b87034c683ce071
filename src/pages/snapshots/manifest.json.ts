import { manifestSchema } from '#src/entries/mirror-schema.ts';
import { isOfThisHistory } from '#src/entries/snapshots/manifest.ts';
import { findManifestFile } from '#src/entries/snapshots/read-snapshot-file.ts';
import { JSON_TYPE } from '#src/http/api-headers.ts';
import { REVALIDATED_CACHE } from '#src/http/cache-policy.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { SNAPSHOTS_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';
import examples from '../_examples/manifest.json' with { type: 'json' };

/** The worker publishes again within a minute at the latest. */
const RETRY_SECONDS = 10;

/**
 * Which chunks make up the lists now. After a backup was restored, until the worker has published anew, the one that lies
 * there would send mirrors in circles: /api/changes refuses its cursor and sends them back here.
 */
export const ALL = endpoint({
  operation: {
    id: 'readManifest',
    tag: 'mirror',
    summary: 'Z jakich plików składają się całe listy.',
    description:
      'Początek własnej kopii. Pobierz wszystkie części, potem tylko zmiany od `cursor`. Odpowiedź 503 znaczy, że po przywróceniu kopii zapasowej pliki dopiero powstają. Trwa to najwyżej minutę.',
    answer: { description: 'Manifest.', content: { [JSON_TYPE]: manifestSchema } },
    examples,
    errors: ['not_found', 'snapshots_remade'],
  },
  hasForms: true,
  limit: SNAPSHOTS_LIMIT,
  cache: REVALIDATED_CACHE,
  parse: () => ({ query: undefined, problems: [] }),
  handle: async (_, { db }: Services) => {
    const file = await findManifestFile(db.path);
    if (!file) throw new ApiError('not_found');
    if (!isOfThisHistory(db, file.body)) throw new ApiError('snapshots_remade', { seconds: RETRY_SECONDS });
    return { body: file.body, encode: file.form, contentType: JSON_TYPE };
  },
});
