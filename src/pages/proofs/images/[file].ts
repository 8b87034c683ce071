/** A picture of a public proof, by the hash of its content. */
import type { APIRoute } from 'astro';
import { CACHE_CONTROL } from '#src/http/response.ts';
import { readPublicPicture } from '#src/proofs/list-public-proofs.ts';
import { answerNoFile } from '../../_answer-file.ts';

export const GET: APIRoute = async ({ params, locals }) => {
  const picture = await readPublicPicture(locals.services.db, params.file ?? '');
  if (!picture) return answerNoFile();
  return new Response(new Uint8Array(picture.bytes), {
    headers: {
      'Content-Type': `image/${picture.format}`,
      'Cache-Control': CACHE_CONTROL.revalidated,
      'X-Robots-Tag': 'noindex',
    },
  });
};
