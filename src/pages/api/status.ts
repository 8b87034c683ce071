import { statusSchema } from '#src/status/status.ts';
import { JSON_TYPE, STATUS_CACHE } from '#src/http/response-headers.ts';
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
    answer: { description: 'Stan usług i botów.', content: { [JSON_TYPE]: statusSchema } },
    examples,
  },
  limit: 'status',
  cache: STATUS_CACHE,
  invalidatedBy: 'expiry',
  handle: async (_query, { readStatus }) => {
    const { status, ...kept } = await readStatus();
    return { body: JSON.stringify(status), ...kept };
  },
});
