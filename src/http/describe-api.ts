/** The OpenAPI document: what stands beside each endpoint, its limits, caching and errors, in the form that tools read. */
import { z } from 'zod';
import { JSON_TYPE, METHODS_ALLOWED } from './api-headers.ts';
import type { Endpoint } from './endpoint.ts';
import { errorStatus, errorText } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import { TAGS } from './operation.ts';
import type { Operation } from './operation.ts';
import { PER_ADDRESS_MAX } from './stream-places.ts';

/** JSON Schema 2020-12, as far as this house writes it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly const?: string | number;
  readonly default?: string | number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

export interface ParameterObject {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface HeaderObject {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface ExampleObject {
  readonly summary?: string;
  readonly value: unknown;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string } | HeaderObject>>;
  readonly content?: Readonly<
    Record<string, { readonly schema: Schema; readonly examples?: Readonly<Record<string, ExampleObject>> }>
  >;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly ParameterObject[];
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
}

export interface ApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, { readonly get: OperationObject }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
  };
}

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly baseUrl: string;
}

/** SPEC 2.6. */
const errorSchema = z
  .object({ error: z.string().describe('Co jest nie tak, po polsku.') })
  .meta({ id: 'Error', description: 'Błąd. Nigdy nie jest wynikiem sprawdzenia.' });

const integerHeader = (description: string): HeaderObject => ({
  description,
  required: true,
  schema: { type: 'integer', minimum: 0 },
});
const textHeader = (description: string, example?: string): HeaderObject => ({
  description,
  required: true,
  schema: { type: 'string', ...(example !== undefined && { examples: [example] }) },
});

const HEADERS = {
  'Access-Control-Allow-Origin': textHeader('Zawsze `*`: można pytać z każdej strony.', '*'),
  'Access-Control-Expose-Headers': textHeader('Nagłówki, które skrypt na innej stronie może odczytać.'),
  'X-Content-Type-Options': textHeader('Zawsze `nosniff`.', 'nosniff'),
  'Cache-Control': textHeader('Jak długo wolno przechowywać odpowiedź.'),
  ETag: textHeader('Odcisk treści; odesłany w `If-None-Match` daje 304, dopóki nic się nie zmieni.'),
  Age: integerHeader('Od ilu sekund odpowiedź leży w pamięci podręcznej.'),
  Vary: textHeader('Od jakich nagłówków zapytania zależy postać odpowiedzi.'),
  'RateLimit-Limit': integerHeader('Ile zapytań na minutę przysługuje temu adresowi IP.'),
  'RateLimit-Remaining': integerHeader('Ile z nich zostało.'),
  'RateLimit-Reset': integerHeader('Za ile sekund limit się odnowi.'),
  'Retry-After': integerHeader('Za ile sekund spróbować ponownie.'),
  Allow: textHeader('Dozwolone metody.', METHODS_ALLOWED),
  'X-Accel-Buffering': textHeader('Zawsze `no`: pośrednik ma przekazywać zdarzenia od razu.', 'no'),
} as const;
type HeaderName = keyof typeof HEADERS;

const EVERYWHERE: readonly HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
  'Cache-Control',
];
const LIMIT_HEADERS: readonly HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
/** Answered before anybody knows which endpoint is asked. */
const BEFORE_ROUTING: readonly ErrorCode[] = ['bad_request', 'request_timeout', 'request_head_too_large'];

/** The same for every endpoint. */
const COMMON: readonly ErrorCode[] = [...BEFORE_ROUTING, 'method_not_allowed', 'rate_limited', 'internal'];

const STATUS_MEANINGS: Readonly<Record<number, string>> = {
  400: 'Zły, powtórzony albo brakujący parametr, albo zapytanie, którego nie da się odczytać.',
  404: 'Nie ma czegoś takiego.',
  405: 'Metoda inna niż GET, HEAD i OPTIONS.',
  408: 'Zapytanie nie dotarło w całości na czas.',
  410: 'Tego już nie ma: zacznij od manifestu.',
  429: 'Limit wyczerpany. To nie jest odpowiedź na pytanie: spróbuj ponownie po czasie z `Retry-After`.',
  431: 'Adres i nagłówki mają razem ponad 16 kB.',
  500: 'Błąd po stronie serwisu. To nie jest odpowiedź na pytanie.',
  503: 'Serwis chwilowo nie może odpowiedzieć. To nie jest odpowiedź na pytanie: spróbuj ponownie po czasie z `Retry-After`.',
};

/** What operations share, by name. */
interface Parts {
  readonly schemas: Map<string, Schema>;
  readonly responses: Map<string, ResponseObject>;
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

function headersOfAnswer(endpoint: Endpoint): ResponseObject['headers'] {
  const names: HeaderName[] = [
    ...EVERYWHERE,
    endpoint.isStream ? 'X-Accel-Buffering' : 'ETag',
    ...(endpoint.isCacheable ? (['Age'] as const) : []),
    ...(endpoint.isCacheable || endpoint.hasForms ? (['Vary'] as const) : []),
  ];
  return { ...refsTo(names), ...limitHeaders(endpoint) };
}

/** Of an answer that is given when the endpoint is known. */
function limitHeaders({ limit }: Endpoint): ResponseObject['headers'] {
  if (!limit) return {};
  return limit.sparesLoopback ? optional(LIMIT_HEADERS) : refsTo(LIMIT_HEADERS);
}

function describeErrors(endpoint: Endpoint, baseUrl: string, parts: Parts): OperationObject['responses'] {
  const { limit, operation } = endpoint;
  const codes: ErrorCode[] = [
    ...(operation.errors ?? []),
    'method_not_allowed',
    ...(limit ? (['rate_limited'] as const) : []),
    'internal',
    ...BEFORE_ROUTING,
  ];
  const byStatus = Map.groupBy(codes, errorStatus);
  const responses = [...byStatus].map(([status, group]) => {
    // An answer given before routing knows no limit.
    const isEarly = group.every((code) => BEFORE_ROUTING.includes(code));
    const isMixed = !isEarly && group.some((code) => BEFORE_ROUTING.includes(code));
    const isLimited = limit !== undefined && !isEarly;
    const headers = {
      ...refsTo(EVERYWHERE),
      ...(isLimited ? (isMixed ? optional(LIMIT_HEADERS) : limitHeaders(endpoint)) : {}),
      ...(status === 429 || status === 503 ? refsTo(['Retry-After']) : {}),
      ...(status === 405 ? refsTo(['Allow']) : {}),
    };
    const examples = group.map((code) => [
      code,
      { value: { error: errorText(code, exampleValues(operation, baseUrl, code === 'invalid_header')) } },
    ]);
    const response: ResponseObject = {
      description: STATUS_MEANINGS[status] ?? '',
      headers,
      content: {
        [mediaType(JSON_TYPE)]: {
          schema: toSchema(errorSchema, parts),
          examples: Object.fromEntries(examples) as Record<string, ExampleObject>,
        },
      },
    };
    return [
      String(status),
      group.every((code) => COMMON.includes(code)) && !limit?.sparesLoopback
        ? shared(response, group, isLimited, parts)
        : response,
    ] as const;
  });
  return Object.fromEntries(responses);
}

/** What many operations answer alike stands in the document once. */
function shared(
  response: ResponseObject,
  codes: readonly ErrorCode[],
  isLimited: boolean,
  { responses }: Parts,
): { $ref: string } {
  const name = [...codes, ...(isLimited ? ['limited'] : [])].join('_');
  responses.set(name, response);
  return { $ref: `#/components/responses/${name}` };
}

/** What the placeholders of an error stand for in an example. */
function exampleValues(
  { query, path, headers }: Operation,
  baseUrl: string,
  ofHeader: boolean,
): Record<string, string | number> {
  const [parameter = ''] = Object.keys(
    ofHeader ? { ...headers?.shape } : { ...query?.shape, ...path?.shape },
  );
  return {
    parameter,
    allowed: ofHeader ? 'podaj w nim id ostatniego odebranego zdarzenia' : 'można go podać tylko raz',
    seconds: 23,
    most: PER_ADDRESS_MAX,
    manifest: `${baseUrl}/snapshots/manifest.json`,
  };
}

function parametersOf(place: ParameterObject['in'], schema: z.ZodObject | undefined): ParameterObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' }) as Schema;
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}

/** Schemas with an ID become components, and are referred to. */
function toSchema(schema: z.ZodType, parts: Parts): Schema {
  const whole = z.toJSONSchema(z.object({ it: schema }), {
    // Fields may be added to answers; a client must not fail for it.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const { $defs = {}, properties } = JSON.parse(
    JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { $defs?: Record<string, Schema>; properties: { it: Schema } };
  for (const [id, definition] of Object.entries($defs)) parts.schemas.set(id, definition);
  return properties.it;
}

function refsTo(names: readonly HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function optional(names: readonly HeaderName[]): Record<string, HeaderObject> {
  return Object.fromEntries(names.map((name) => [name, { ...HEADERS[name], required: false }]));
}

/** Without its parameters. */
function mediaType(type: string): string {
  return type.split(';', 1)[0] ?? type;
}
