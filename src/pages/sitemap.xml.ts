import type { APIRoute } from 'astro';
import { DETAILS_PATH, DOCS_PATH, ENGLISH_DOCS_PATH, listPath, statusPath } from '#src/paths.ts';
import { answerFile } from './_answer-file.ts';

/**
 * The pages that search engines may keep: text pages and the trusted list. A search result that shows the nick of a
 * reported person without the ID would harm namesakes, so the other lists are `noindex`.
 */
const PAGES = [
  '/',
  listPath('legit'),
  '/jak-powstaja-wpisy',
  '/odwolania',
  '/zglos',
  '/pomoc',
  '/prywatnosc',
  DOCS_PATH,
  ENGLISH_DOCS_PATH,
  DETAILS_PATH,
  statusPath(),
];

export const GET: APIRoute = ({ locals }) => {
  const urls = PAGES.map((path) => `<url><loc>${locals.services.baseUrl}${path}</loc></url>`);
  return answerFile(
    'application/xml',
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
  );
};
