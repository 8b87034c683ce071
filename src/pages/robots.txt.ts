import type { APIRoute } from 'astro';
import { SITEMAP_PATH } from '#src/paths.ts';
import { fileAnswer } from './_plain-answer.ts';

/** The lists of reported ones may be fetched, or nobody would see that they are noindex. */
export const GET: APIRoute = ({ locals }) =>
  fileAnswer(
    'text/plain',
    `User-agent: *\nDisallow: /api/\nDisallow: /proofs/\n\nSitemap: ${locals.services.baseUrl}${SITEMAP_PATH}\n`,
  );
