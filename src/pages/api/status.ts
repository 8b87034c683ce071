import { statusSchema } from '#src/status/status.ts';
import { statusPath } from '#src/paths.ts';
import { endpoint } from '#src/http/endpoint.ts';
import examples from '../_examples/status.json' with { type: 'json' };

/** SPEC 4.3; it has no parameters. */
export const GET = endpoint({
  operation: {
    id: 'readStatus',
    tag: 'status',
    summary: 'Stan bazy, usług zewnętrznych i botów.',
    description:
      'Sprawdzane na żywo, wynik jest ważny 15 sekund. Usługa, która nie odpowie w ciągu 6 sekund, ma `ok: false`. To, czego operator nie podłączył, ma `ok: false` i zera.',
    response: { description: 'Stan usług i botów.', schema: statusSchema },
    examples,
  },
  rateLimit: 'status',
  cacheControl: 'status',
  page: () => statusPath(),
  cachedHereUntil: () => 'expiry',
  handle: async (_query, { readStatus }) => {
    const { status, ...cacheFacts } = await readStatus();
    return { body: JSON.stringify(status), ...cacheFacts };
  },
});
