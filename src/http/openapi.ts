/**
 * The OpenAPI document: what stands beside each endpoint (operation.ts), its limits, caching and errors, in the form that
 * tools read.
 */
import { z } from 'zod';
import type {
  ApiDocument,
  ExampleObject,
  HeaderObject,
  OperationObject,
  ParameterObject,
  ResponseObject,
  Schema,
} from './api-document.ts';
import { JSON_TYPE, METHODS_ALLOWED } from './response-headers.ts';
import type { Endpoint } from './endpoint.ts';
import { errorStatus, errorText } from './errors.ts';
import type { ErrorCode } from './errors.ts';
import { TAGS } from './operation.ts';
import type { Operation } from './operation.ts';
import { PER_ADDRESS_MAX } from './stream-places.ts';

export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly baseUrl: string;
}

type Example = readonly [name: string, ExampleObject];
type Content = NonNullable<ResponseObject['content']>;

/** SPEC 2.6. */
const errorSchema = z
  .object({ error: z.string().describe('Co jest nie tak, po polsku.') })
  .meta({ id: 'Error', description: 'Błąd. Nigdy nie jest wynikiem sprawdzenia.' });

/** Errors of every endpoint. */
const COMMON: readonly ErrorCode[] = [
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'rate_limited',
  'request_head_too_large',
  'internal',
];

const STATUS_MEANINGS: Readonly<Record<number, string>> = {
  400: 'Zły, powtórzony albo brakujący parametr, albo zapytanie, którego nie da się odczytać.',
  404: 'Nie ma takiego adresu albo takiej rzeczy, na przykład wpłaty o tym ID.',
  405: 'Metoda inna niż GET, HEAD i OPTIONS.',
  408: 'Zapytanie nie dotarło w całości na czas.',
  410: 'Tego już nie ma: zacznij od manifestu.',
  429: 'Limit wyczerpany. To nie jest odpowiedź na pytanie: spróbuj ponownie po czasie z `Retry-After`.',
  431: 'Adres i nagłówki mają razem ponad 16 kB.',
  500: 'Błąd po stronie serwisu. To nie jest odpowiedź na pytanie.',
  503: 'Serwis chwilowo nie może odpowiedzieć. To nie jest odpowiedź na pytanie: spróbuj ponownie po czasie z `Retry-After`.',
};

const integerHeader = (description: string, required = true): HeaderObject => ({
  description,
  required,
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
  Age: integerHeader('Ile sekund temu powstała odpowiedź; przy stanie usług: ile sekund temu je sprawdzono.'),
  Vary: textHeader('Od jakich nagłówków zapytania zależy postać odpowiedzi.'),
  // Requests that cannot be read are answered before a limit counts them.
  'RateLimit-Limit': integerHeader('Ile zapytań na minutę przysługuje temu adresowi IP.', false),
  'RateLimit-Remaining': integerHeader('Ile z nich zostało.', false),
  'RateLimit-Reset': integerHeader('Za ile sekund limit się odnowi.', false),
  'Retry-After': integerHeader('Za ile sekund spróbować ponownie.'),
  Allow: textHeader('Dozwolone metody.', METHODS_ALLOWED),
  'X-Accel-Buffering': textHeader('Zawsze `no`: pośrednik ma przekazywać zdarzenia od razu.', 'no'),
} as const;
type HeaderName = keyof typeof HEADERS;

/** Headers of every answer. */
const COMMON_HEADERS: readonly HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
  'Cache-Control',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];
const ERROR_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** @param endpoints by path, as the router knows them */
export function describeApi(
  endpoints: Readonly<Record<string, { readonly definition: Endpoint }>>,
  { title, version, description, baseUrl }: ApiInfo,
): ApiDocument {
  const operations = Object.values(endpoints).map(({ definition }) => definition.operation);
  const { schemas, toContent } = convertSchemas([
    errorSchema,
    ...operations.flatMap(({ answer, unready }) => [
      ...Object.values(answer.content),
      ...(unready ? [unready.schema] : []),
    ]),
  ]);
  const shared: Record<string, ResponseObject> = {};

  const describeError = (operation: Operation, status: number, codes: readonly ErrorCode[]) => {
    const examples = codes.map((code): Example => {
      return [code, { value: { error: exampleText(code, operation, baseUrl) } }];
    });
    const response: ResponseObject = {
      description: STATUS_MEANINGS[status] ?? '',
      headers: refer(ERROR_HEADERS[status]),
      content: toContent(JSON_TYPE, errorSchema, examples),
    };
    if (!codes.every((code) => COMMON.includes(code))) return response;
    // What all operations answer alike stands in the document once.
    const name = codes.join('_');
    shared[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };

  const describeOperation = ({ operation, isStream, isCacheable }: Endpoint): OperationObject => {
    const { id, tag, summary, description: text, answer, unready, errors = [] } = operation;
    const parameters = [
      ...toParameters('path', operation.path),
      ...toParameters('query', operation.query),
      ...toParameters('header', operation.headers),
    ];
    const headers = refer([
      ...(isStream ? (['X-Accel-Buffering'] as const) : (['ETag', 'Vary'] as const)),
      ...(isCacheable ? (['Age'] as const) : []),
    ]);
    const examples = Object.entries(operation.examples ?? {}).map(([name, { path, value }]): Example => {
      return [name, { summary: `GET ${path}`, value }];
    });
    const content = Object.entries(answer.content).map(([type, schema]) =>
      toContent(type, schema, type === JSON_TYPE ? examples : []),
    );
    const byStatus = Map.groupBy([...errors, ...COMMON], errorStatus);
    return {
      operationId: id,
      tags: [TAGS[tag].name],
      summary,
      ...(text !== undefined && { description: text }),
      ...(parameters.length > 0 && { parameters }),
      responses: {
        '200': {
          description: answer.description,
          headers,
          content: Object.assign({}, ...content) as Content,
        },
        ...(!isStream && {
          '304': { description: 'Nic się nie zmieniło od odpowiedzi z tym `ETag`; bez treści.', headers },
        }),
        ...Object.fromEntries(
          [...byStatus].map(([status, codes]) => [status, describeError(operation, status, codes)]),
        ),
        ...(unready && {
          '503': {
            description: unready.description,
            headers: refer(['ETag']),
            content: toContent(JSON_TYPE, unready.schema),
          },
        }),
      },
    };
  };

  const paths = Object.entries(endpoints).map(([path, { definition }]) => [
    path,
    { get: describeOperation(definition) },
  ]);
  return {
    openapi: '3.1.1',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: baseUrl }],
    security: [],
    tags: Object.values(TAGS),
    paths: Object.fromEntries(paths) as ApiDocument['paths'],
    components: { schemas, responses: shared, headers: HEADERS },
  } as ApiDocument;
}

function refer(names: readonly HeaderName[] = []): ResponseObject['headers'] {
  const all = [...COMMON_HEADERS, ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The sentence of an error, with values in place of what it leaves open. */
function exampleText(code: ErrorCode, { query, path, headers }: Operation, baseUrl: string): string {
  const parameters = code === 'invalid_header' ? { ...headers?.shape } : { ...query?.shape, ...path?.shape };
  return errorText(code, {
    parameter: Object.keys(parameters)[0] ?? '',
    allowed: 'można go podać tylko raz',
    seconds: 23,
    most: PER_ADDRESS_MAX,
    manifest: `${baseUrl}/snapshots/manifest.json`,
  });
}

/** Converts all at once, so that schemas with an ID become components, and are referred to. */
function convertSchemas(given: readonly z.ZodType[]) {
  const all = z.object(Object.fromEntries(given.map((schema, at) => [at, schema])));
  const converted = z.toJSONSchema(all, {
    // Fields may be added to answers; a client must not fail for it.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const { $defs, properties } = JSON.parse(
    JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { $defs: Record<string, Schema>; properties: Record<string, Schema> };
  return {
    schemas: $defs,
    toContent: (type: string, schema: z.ZodType, examples: readonly Example[] = []) =>
      ({
        // Without its parameters.
        [type.split(';', 1)[0] ?? type]: {
          schema: properties[given.indexOf(schema)],
          ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
        },
      }) as Content,
  };
}

function toParameters(place: ParameterObject['in'], schema: z.ZodObject | undefined): ParameterObject[] {
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
