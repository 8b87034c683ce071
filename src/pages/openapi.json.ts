import { z } from 'zod';
import { JSON_TYPE } from '#src/http/api-headers.ts';
import { LISTS_CACHE } from '#src/http/cache-policy.ts';
import { endpoint } from '#src/http/endpoint.ts';
import { json } from '#src/http/http-result.ts';
import { PAGES_LIMIT } from '#src/http/rate-limit.ts';
import type { HttpResult } from '#src/http/http-result.ts';
import type { Services } from '#src/services.ts';
import { describeInterface } from './_api-document.ts';

/** The interface for tools, made of what stands beside each endpoint. */
export const ALL = endpoint({
  operation: {
    id: 'readDescription',
    tag: 'rest',
    summary: 'Opis API w formacie OpenAPI 3.1.',
    answer: {
      description: 'Dokument OpenAPI.',
      content: { [JSON_TYPE]: z.looseObject({ openapi: z.string().describe('Wersja OpenAPI.') }) },
    },
  },
  limit: PAGES_LIMIT,
  cache: LISTS_CACHE,
  dependsOn: 'none',
  parse: () => ({ query: undefined, problems: [] }),
  handle: (_query: undefined, { baseUrl }: Services): HttpResult => json(describeInterface(ALL, baseUrl)),
});
