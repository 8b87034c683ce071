import { z } from 'zod';
import { findSnapshot } from '#src/entries/snapshots/manifest.ts';
import { PREFIXES_FILE } from '#src/entries/snapshots/publish-prefixes.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/response.ts';
import { refuseOutdated, RETRY_SECONDS } from '../_snapshot-reply.ts';

/** Asking without telling: a client looks for an ID by itself, and asks for the verdict of a hit only. */
export const GET = endpoint({
  operation: {
    id: 'readPrefixes',
    tag: 'mirror',
    summary: 'Skróty wszystkich ID z list, żeby nie zdradzać, o kogo pytasz.',
    description:
      'Pierwsze 4 bajty SHA-256 każdego ID z list (tekst w UTF-8), rosnąco, jako liczby bez znaku od najstarszego bajtu, bez powtórzeń. Kogo tu nie ma, tego nie ma na listach. O trafienie zapytaj `/api/verdict`: przy 10 000 wpisów przypadkowych jest 2,3 na milion. Pobieraj ponownie z `If-None-Match` co 30 s. Nieudane pobranie znaczy „nie sprawdzono”, nigdy „czysto”.',
    response: {
      description: 'Skróty; 0 bajtów, gdy listy są puste.',
      content: { 'application/octet-stream': z.file() },
    },
    errors: ['snapshots_remade'],
  },
  rateLimit: 'snapshots',
  cacheControl: 'revalidated',
  handle: async (_, { db }) => {
    const file = await findSnapshot(db.path, PREFIXES_FILE);
    if (!file) throw new ApiError('snapshots_remade', { seconds: RETRY_SECONDS });
    const end = file.indexOf('\n');
    refuseOutdated(db, file.toString('latin1', 0, end));
    return { contentType: 'application/octet-stream', body: file.subarray(end + 1) };
  },
});
