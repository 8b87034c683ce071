import { manifestSchema } from '#src/entries/mirror-schema.ts';
import { findSnapshotCursor, findSnapshot } from '#src/entries/snapshots/manifest.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/response.ts';
import examples from '../_examples/manifest.json' with { type: 'json' };
import { refuseOutdated } from '../_snapshot-reply.ts';

/** Which chunks make up the lists now. */
export const GET = endpoint({
  operation: {
    id: 'readManifest',
    tag: 'mirror',
    summary: 'Z jakich plików składają się całe listy.',
    description:
      'Początek własnej kopii. Pobierz wszystkie części, potem tylko zmiany od `cursor`. Odpowiedź 503 znaczy, że pliki dopiero powstają: po przywróceniu kopii zapasowej albo bez wpisu, który usunięto. Wróć po czasie z `Retry-After`.',
    response: { description: 'Manifest.', schema: manifestSchema },
    examples,
    errors: ['not_found', 'snapshots_remade'],
  },
  rateLimit: 'snapshots',
  cacheControl: 'revalidated',
  handle: async (_, { db }) => {
    const body = await findSnapshot(db.path, 'manifest.json');
    if (!body) throw new ApiError('not_found');
    refuseOutdated(db, await findSnapshotCursor(db));
    return { body };
  },
});
