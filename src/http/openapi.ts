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
import { JSON_TYPE, METHODS_ALLOWED } from './api-headers.ts';
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

/** What operations share, by name. */
interface Components {
  readonly schemas: Record<string, Schema>;
  readonly responses: Record<string, ResponseObject>;
}

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
  Age: integerHeader('Ile sekund temu powstała odpowiedź; przy stanie usług: ile sekund temu je sprawdzono.'),
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
/** Requests that cannot be read are answered before a limit counts them. */
const LIMITS: readonly HeaderName[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** @param endpoints by path, as the router knows them */
export function describeApi(
  endpoints: Readonly<Record<string, { readonly definition: Endpoint }>>,
  { title, version, description, baseUrl }: ApiInfo,
): ApiDocument {
  const components: Components = { schemas: {}, responses: {} };
  const paths = Object.entries(endpoints).map(([path, { definition }]) => [
    path,
    { get: describeOperation(definition, baseUrl, components) },
  ]);
  return {
    openapi: '3.1.1',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: baseUrl }],
    security: [],
    tags: Object.values(TAGS),
    paths: Object.fromEntries(paths) as ApiDocument['paths'],
    components: { ...components, headers: HEADERS },
  } as ApiDocument;
}

function describeOperation(endpoint: Endpoint, baseUrl: string, components: Components): OperationObject {
  const { operation, isStream, isCacheable, hasForms } = endpoint;
  const { id, tag, summary, description, answer, examples = {}, unready } = operation;
  const parameters = [
    ...toParameters('path', operation.path),
    ...toParameters('query', operation.query),
    ...toParameters('header', operation.headers),
  ];
  const headers = describeHeaders(
    [
      ...EVERYWHERE,
      isStream ? 'X-Accel-Buffering' : 'ETag',
      ...(isCacheable ? (['Age'] as const) : []),
      ...(isCacheable || hasForms ? (['Vary'] as const) : []),
    ],
    endpoint.limit?.sparesLoopback !== true,
  );
  const shown = Object.entries(examples).map(([name, { path, value }]): [string, ExampleObject] => [
    name,
    { summary: `GET ${path}`, value },
  ]);
  const content = Object.entries(answer.content).map(([type, schema]) => [
    mediaType(type),
    {
      schema: toSchema(schema, components),
      ...(type === JSON_TYPE && shown.length > 0 && { examples: Object.fromEntries(shown) }),
    },
  ]);
  return {
    operationId: id,
    tags: [TAGS[tag].name],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    responses: {
      '200': {
        description: answer.description,
        headers,
        content: Object.fromEntries(content) as NonNullable<ResponseObject['content']>,
      },
      ...(!isStream && {
        '304': { description: 'Nic się nie zmieniło od odpowiedzi z tym `ETag`; bez treści.', headers },
      }),
      ...describeErrors(operation, baseUrl, components),
      ...(unready && {
        '503': {
          description: unready.description,
          headers: describeHeaders([...EVERYWHERE, 'ETag']),
          content: { [mediaType(JSON_TYPE)]: { schema: toSchema(unready.schema, components) } },
        },
      }),
    },
  };
}

function describeErrors(
  operation: Operation,
  baseUrl: string,
  components: Components,
): OperationObject['responses'] {
  const [parameter = ''] = Object.keys({ ...operation.query?.shape, ...operation.path?.shape });
  const [header = ''] = Object.keys({ ...operation.headers?.shape });
  const describe = (status: number, codes: readonly ErrorCode[]): ResponseObject | { $ref: string } => {
    const examples = codes.map((code): [string, ExampleObject] => {
      // What the placeholders of its sentence stand for.
      const error = errorText(code, {
        parameter: code === 'invalid_header' ? header : parameter,
        allowed: 'można go podać tylko raz',
        seconds: 23,
        most: PER_ADDRESS_MAX,
        manifest: `${baseUrl}/snapshots/manifest.json`,
      });
      return [code, { value: { error } }];
    });
    const response: ResponseObject = {
      description: STATUS_MEANINGS[status] ?? '',
      headers: describeHeaders(
        [
          ...EVERYWHERE,
          ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
          ...(status === 405 ? (['Allow'] as const) : []),
        ],
        status === 429,
      ),
      content: {
        [mediaType(JSON_TYPE)]: {
          schema: toSchema(errorSchema, components),
          examples: Object.fromEntries(examples),
        },
      },
    };
    if (!codes.every((code) => COMMON.includes(code))) return response;
    // What all operations answer alike stands in the document once.
    const name = codes.join('_');
    components.responses[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };
  const byStatus = Map.groupBy([...(operation.errors ?? []), ...COMMON], errorStatus);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [String(status), describe(status, codes)]),
  );
}

/** @param isCounted the request was counted against a limit in any case */
function describeHeaders(names: readonly HeaderName[], isCounted = false): ResponseObject['headers'] {
  const refer = (name: HeaderName) => [name, { $ref: `#/components/headers/${name}` }];
  const limits = LIMITS.map((name) =>
    isCounted ? refer(name) : [name, { ...HEADERS[name], required: false }],
  );
  return Object.fromEntries([...names.map(refer), ...limits]) as ResponseObject['headers'];
}

/** Schemas with an ID become components, and are referred to. */
function toSchema(schema: z.ZodType, { schemas }: Components): Schema {
  const whole = z.toJSONSchema(z.object({ it: schema }), {
    // Fields may be added to answers; a client must not fail for it.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const { $defs = {}, properties } = JSON.parse(
    JSON.stringify(whole).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as { $defs?: Record<string, Schema>; properties: { it: Schema } };
  Object.assign(schemas, $defs);
  return properties.it;
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

/** Without its parameters. */
function mediaType(type: string): string {
  return type.split(';', 1)[0] ?? type;
}
