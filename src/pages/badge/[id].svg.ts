import { z } from 'zod';
import { endpoint } from '#src/http/endpoint.ts';
import { ApiError } from '#src/http/response.ts';
import { renderBadge } from '#src/status/render-badge.ts';
import { overallHealth, PART_IDS, partHealths } from '#src/status/status.ts';
import { SITE_NAME } from '../../components/layout/site-texts.ts';
import { STATUS } from '../../components/status/status-texts.ts';

/** A picture of how the service (`status`), a check or a bot is, for pages of others. */
export const GET = endpoint({
  operation: {
    id: 'readBadge',
    tag: 'status',
    summary: 'Plakietka ze stanem, do wstawienia na swoją stronę.',
    description: 'Jak na stronie `/status`.',
    path: z.object({
      id: z.enum(['status', ...PART_IDS]).describe('`status` całość, albo ID usługi lub bota.'),
    }),
    response: { description: 'Obrazek.', content: { 'image/svg+xml': z.string() } },
    errors: ['not_found'],
  },
  rateLimit: 'badges',
  cacheControl: 'status',
  cachedHereUntil: () => 'expiry',
  parse: ({ path }) => ({ query: { id: path['id'] ?? '' }, problems: [] }),
  handle: async ({ id }, { readStatus }) => {
    const part = PART_IDS.find((known) => known === id);
    if (!part && id !== 'status') throw new ApiError('not_found');
    const { status, ...cacheFacts } = await readStatus();
    const overall = overallHealth(status);
    const own = (part && partHealths(status).get(part)) ?? 'none';
    const body = part
      ? renderBadge(STATUS.parts[part], STATUS.healthOf(part, own), own)
      : renderBadge(SITE_NAME, STATUS.health[overall], overall);
    return { body, contentType: 'image/svg+xml; charset=utf-8', ...cacheFacts };
  },
});
