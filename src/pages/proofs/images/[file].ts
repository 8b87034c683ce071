/** A picture of a public proof, by the hash of its content. */
import type { APIRoute } from 'astro';
import { NO_STORE, REVALIDATED_CACHE } from '#src/http/cache-policy.ts';
import { readPublicPicture } from '#src/proofs/read-public-picture.ts';

export const GET: APIRoute = async ({ params, locals }) => {
  const { db, dataFolder } = locals.services;
  const picture = await readPublicPicture(db, dataFolder, params.file ?? '');
  if (!picture) {
    return new Response('Nie znaleziono', {
      status: 404,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': NO_STORE },
    });
  }
  return new Response(new Uint8Array(picture.bytes), {
    headers: {
      'Content-Type': `image/${picture.format}`,
      'Cache-Control': REVALIDATED_CACHE,
      'X-Robots-Tag': 'noindex',
    },
  });
};
