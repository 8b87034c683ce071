import { z } from 'zod';
import { DOCS_PATH } from '#src/paths.ts';
import { endpoint } from '#src/http/endpoint.ts';

export const GET = endpoint({
  operation: {
    id: 'readDescription',
    tag: 'rest',
    summary: 'Opis API w formacie OpenAPI 3.1.',
    description: 'Z niego powstaje strona `/docs`.',
    response: {
      description: 'Dokument OpenAPI.',
      schema: z
        .looseObject({ openapi: z.string().describe('Wersja OpenAPI.') })
        .meta({ id: 'ApiDescription', description: 'Dokument OpenAPI.' }),
    },
  },
  rateLimit: 'pages',
  cacheControl: 'entries',
  page: () => DOCS_PATH,
  cachedHereUntil: () => 'expiry',
  handle: (_query, { readApiDocument }) => ({ body: JSON.stringify(readApiDocument()) }),
});
