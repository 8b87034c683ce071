import type { ListKind } from '#src/entries/entry.ts';
import { listResponseSchema } from '#src/entries/entry-schema.ts';
import { listQuerySchema } from '#src/entries/list-query.ts';
import { JSON_TYPE } from '#src/http/response-headers.ts';
import type { Operation } from '#src/http/endpoint.ts';
import legit from './_examples/legit.json' with { type: 'json' };
import scammers from './_examples/scammers.json' with { type: 'json' };
import servers from './_examples/servers.json' with { type: 'json' };

const EXAMPLES = { scammers, servers, legit };

/** The documentation of a list (SPEC 4.1). */
export function listOperation(id: string, list: ListKind, summary: string): Operation {
  return {
    id,
    tag: 'lists',
    summary,
    query: listQuerySchema,
    answer: { description: 'Strona listy.', content: { [JSON_TYPE]: listResponseSchema } },
    examples: EXAMPLES[list],
    errors: ['invalid_parameter', 'overloaded'],
  };
}
