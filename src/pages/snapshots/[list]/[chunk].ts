import { chunkEntriesSchema, listKindSchema } from '#src/entries/mirror-schema.ts';
import { z } from 'zod';
import { parseListKind } from '#src/entries/entry.ts';
import {
  CHUNK_NAME,
  MANIFEST_PATH,
  findSnapshotCursor,
  findSnapshot,
} from '#src/entries/snapshots/manifest.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/response.ts';
import { refuseOutdated } from '../../_snapshot-reply.ts';

/** A part of a list. A retired chunk and an unknown one answer alike: the client fetches the manifest again. */
export const GET = endpoint({
  operation: {
    id: 'readChunk',
    tag: 'mirror',
    summary: 'Część listy: tablica wpisów.',
    description:
      'Adresy podaje manifest. Część o danym adresie nigdy się nie zmienia. Odpowiedź 410 znaczy, że już jej nie ma. Odczekaj sekundę i pobierz manifest ponownie. Odpowiedź 503 znaczy to samo co przy manifeście. Części o znanej sumie nie musisz pobierać drugi raz.',
    path: z.object({
      list: listKindSchema.describe('Która lista.'),
      chunk: z.string().regex(CHUNK_NAME).describe('Nazwa części, z manifestu.'),
    }),
    response: { description: 'Wpisy tej części.', schema: chunkEntriesSchema },
    errors: ['not_found', 'snapshot_gone', 'snapshots_remade'],
  },
  rateLimit: 'snapshots',
  cacheControl: 'revalidated',
  parse: ({ path }) => {
    const list = parseListKind(path['list'] ?? '');
    const chunk = path['chunk'] ?? '';
    if (!list || !CHUNK_NAME.test(chunk)) throw new ApiError('not_found');
    return { query: { list, chunk }, problems: [] };
  },
  handle: async ({ list, chunk }, { db, baseUrl }) => {
    const body = await findSnapshot(db.path, list, chunk);
    if (!body) throw new ApiError('snapshot_gone', { manifest: baseUrl + MANIFEST_PATH });
    refuseOutdated(db, await findSnapshotCursor(db));
    return { body };
  },
});
