import { z } from 'zod';
import { LISTS_CACHE } from '#src/http/cache-policy.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/errors.ts';
import { PICTURES_LIMIT } from '#src/http/rate-limit.ts';
import type { Services } from '#src/services.ts';
import { createQueryParser, textParameter } from '#src/text/query-schema.ts';
import { describePreview, PREVIEW_PAGES } from '../_describe-preview.ts';

/** The picture that a chat shows beside a link: of a page, or with `id` of what the page says about it. */
export const { definition, prerender, GET, HEAD, OPTIONS, ALL } = endpoint({
  operation: {
    id: 'readPreview',
    tag: 'rest',
    summary: 'Obrazek do linku.',
    path: z.object({ page: z.enum(PREVIEW_PAGES) }),
    answer: { description: 'Obrazek PNG.', content: { 'image/png': z.string() } },
    errors: ['not_found', 'overloaded'],
  },
  limit: PICTURES_LIMIT,
  cache: LISTS_CACHE,
  parse: ({ path, query }) => {
    const page = PREVIEW_PAGES.find((known) => known === path['page']);
    if (!page) throw new ApiError('not_found');
    const parsed = parseQuery(query);
    return { ...parsed, query: { page, id: parsed.query.id } };
  },
  handle: async ({ page, id }, services: Services, waiters) => {
    const { preview, ...kept } = await describePreview(page, id, services, Date.now());
    const body = await services.previews.draw(preview, waiters);
    return { body, contentType: 'image/png', ...kept };
  },
});

/** As long as the longest number of a donation; IDs of entries are shorter. */
const parseQuery = createQueryParser(z.object({ id: textParameter(68) }));
