import { z } from 'zod';
import { endpoint } from '#src/http/endpoint.ts';

/**
 * The process accepts and answers requests. The answer names the client's address, so that `doctor --public` sees whether
 * a proxy passes it on.
 */
export const GET = endpoint({
  operation: {
    id: 'healthz',
    tag: 'status',
    summary: 'Czy proces działa.',
    description:
      'Dla programów, które pilnują serwisu. Zapytań z maszyny, na której działa serwis, limit nie obejmuje.',
    response: {
      description: 'Proces żyje.',
      schema: z
        .object({
          alive: z.literal(true).describe('Zawsze `true`.'),
          address: z.string().describe('Adres, pod którym serwis widzi pytającego.'),
        })
        .meta({ id: 'Health', description: 'Działający proces.' }),
    },
  },
  rateLimit: 'health',
  cacheControl: 'none',
  handle: (_query, _services, { client }) => ({ body: JSON.stringify({ alive: true, address: client }) }),
});
