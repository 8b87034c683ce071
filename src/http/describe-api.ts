/** The OpenAPI document: what stands beside each endpoint, its limits, caching and errors, in the form that tools read. */
import type { ApiDocument, ExampleObject, OperationObject, ResponseObject } from './api-document.ts';
import { JSON_TYPE } from './api-headers.ts';
import { describeErrors } from './describe-errors.ts';
import { EVERYWHERE, HEADERS, headersOfAnswer, limitHeaders, refsTo } from './describe-headers.ts';
import { mediaType, parametersOf, toSchema } from './describe-schema.ts';
import type { Parts } from './describe-schema.ts';
import type { Endpoint } from './endpoint.ts';
import { TAGS } from './operation.ts';

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly baseUrl: string;
}

/** @param endpoints by path, as the router knows them */
export function describeApi(
  endpoints: Readonly<Record<string, { readonly definition: Endpoint }>>,
  { title, version, description, baseUrl }: ApiInfo,
): ApiDocument {
  const parts: Parts = { schemas: new Map(), responses: new Map() };
  const paths = Object.entries(endpoints).map(([path, { definition }]) => [
    path,
    { get: describeOperation(definition, baseUrl, parts) },
  ]);
  return {
    openapi: '3.1.1',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: baseUrl }],
    security: [],
    tags: Object.values(TAGS),
    paths: Object.fromEntries(paths) as ApiDocument['paths'],
    components: {
      schemas: Object.fromEntries(parts.schemas),
      responses: Object.fromEntries(parts.responses),
      headers: HEADERS,
    },
  } as ApiDocument;
}

function describeOperation(endpoint: Endpoint, baseUrl: string, parts: Parts): OperationObject {
  const { operation } = endpoint;
  const { id, tag, summary, description } = operation;
  const parameters = [
    ...parametersOf('path', operation.path),
    ...parametersOf('query', operation.query),
    ...parametersOf('header', operation.headers),
  ];
  return {
    operationId: id,
    tags: [TAGS[tag].name],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    responses: {
      '200': describeAnswer(endpoint, parts),
      ...(endpoint.isStream
        ? {}
        : {
            '304': {
              description: 'Nic się nie zmieniło od odpowiedzi z tym `ETag`; bez treści.',
              headers: headersOfAnswer(endpoint),
            },
          }),
      ...describeErrors(endpoint, baseUrl, parts),
      ...(operation.unready && {
        '503': {
          description: operation.unready.description,
          headers: { ...refsTo([...EVERYWHERE, 'ETag']), ...limitHeaders(endpoint) },
          content: { [mediaType(JSON_TYPE)]: { schema: toSchema(operation.unready.schema, parts) } },
        },
      }),
    },
  };
}

function describeAnswer(endpoint: Endpoint, parts: Parts): ResponseObject {
  const { answer, examples } = endpoint.operation;
  const content = Object.entries(answer.content).map(([type, schema]) => {
    const shown = Object.entries(examples ?? {}).map(([name, { path, value }]): [string, ExampleObject] => [
      name,
      { summary: `GET ${path}`, value },
    ]);
    const given = type === JSON_TYPE && shown.length > 0 ? { examples: Object.fromEntries(shown) } : {};
    return [mediaType(type), { schema: toSchema(schema, parts), ...given }];
  });
  return {
    description: answer.description,
    headers: headersOfAnswer(endpoint),
    content: Object.fromEntries(content) as NonNullable<ResponseObject['content']>,
  };
}
