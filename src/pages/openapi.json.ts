import { z } from 'zod';
import { JSON_TYPE, LISTS_CACHE } from '#src/http/response-headers.ts';
import { endpoint } from '#src/http/endpoint.ts';

export const GET = endpoint({
  operation: {
    id: 'readDescription',
    tag: 'rest',
    summary: 'Opis API w formacie OpenAPI 3.1.',
    answer: {
      description: 'Dokument OpenAPI.',
      content: { [JSON_TYPE]: z.looseObject({ openapi: z.string().describe('Wersja OpenAPI.') }) },
    },
  },
  limit: 'pages',
  cache: LISTS_CACHE,
  invalidatedBy: 'expiry',
  handle: (_query, { readApiDocument }) => ({ body: JSON.stringify(readApiDocument()) }),
});
