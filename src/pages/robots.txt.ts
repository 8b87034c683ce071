import type { APIRoute } from 'astro';
import { SITEMAP_PATH } from '#src/paths.ts';
import { answerFile } from './_answer-file.ts';

/** Crawlers may fetch lists, entries and proofs, because only then they see `noindex`. */
export const GET: APIRoute = ({ locals }) =>
  answerFile(
    'text/plain',
    `User-agent: *\nDisallow: /api/\n\nSitemap: ${locals.services.baseUrl}${SITEMAP_PATH}\n`,
  );
