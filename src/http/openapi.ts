/** The OpenAPI document, made from the endpoints and their documentation. */
import { z } from 'zod';
import { type Endpoint, type Endpoints, TAGS, type Operation } from './endpoint.ts';
import { ERRORS, errorText, JSON_TYPE, METHODS_ALLOWED, type ErrorCode } from './response.ts';
import { PER_ADDRESS_MAX } from './change-streams.ts';

export type ApiDocument = ReturnType<typeof describeApi>;
export type OperationObject = ApiDocument['paths'][string]['get'];

export interface ResponseObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

type Reference = { readonly $ref: string };
type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
type Content = Readonly<Record<string, { readonly schema: Schema; readonly examples?: Examples }>>;

/** The used parts of JSON Schema 2020-12. */
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
  readonly additionalProperties?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** SPEC 2.6. */
const errorSchema = z
  .object({ error: z.string().describe('Co jest nie tak, po polsku.') })
  .meta({ id: 'ApiError', description: 'Błąd. Nigdy nie jest wynikiem sprawdzenia.' });

const ERROR_CODE: Schema = { type: 'string', description: 'Kod błędu.', enum: Object.keys(ERRORS) };

const COMMON_ERRORS: readonly ErrorCode[] = [
  'bad_request',
  'method_not_allowed',
  'request_timeout',
  'expectation_failed',
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
  417: 'Nagłówek `Expect` z czymś innym niż `100-continue`.',
  429: 'Limit wyczerpany. To nie jest odpowiedź na pytanie: spróbuj ponownie po czasie z `Retry-After`.',
  431: 'Adres i nagłówki mają razem ponad 16 kB.',
  500: 'Błąd po stronie serwisu. To nie jest odpowiedź na pytanie. Zgłaszając błąd, podaj numer z `X-Request-Id`.',
  503: 'Serwis chwilowo nie może odpowiedzieć. To nie jest odpowiedź na pytanie: spróbuj ponownie po czasie z `Retry-After`.',
};

const INT32_MAX = 2 ** 31 - 1;
const NOT_MODIFIED = 'Nic się nie zmieniło od odpowiedzi z tym `ETag`; bez treści.';

const integerHeader = (description: string, required = true) => ({
  description,
  required,
  schema: { type: 'integer', format: 'int32', minimum: 0 },
});
const textHeader = (description: string, example?: string) => ({
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
  Link: textHeader('Strona, która pokazuje to samo ludziom.', '</status>; rel="alternate"; type="text/html"'),
  Vary: textHeader('Od jakich nagłówków zapytania zależy postać odpowiedzi.'),
  // Invalid requests are answered before the rate limit.
  'RateLimit-Limit': integerHeader('Ile zapytań na minutę przysługuje temu adresowi IP.', false),
  'RateLimit-Remaining': integerHeader('Ile z nich zostało.', false),
  'RateLimit-Reset': integerHeader('Za ile sekund limit się odnowi.', false),
  'Retry-After': integerHeader('Za ile sekund spróbować ponownie.'),
  Allow: textHeader('Dozwolone metody.', METHODS_ALLOWED),
  'X-Error-Code': {
    description: 'Kod błędu dla programów; mogą dochodzić nowe.',
    required: true,
    schema: { $ref: '#/components/schemas/ErrorCode' },
  },
  'X-Request-Id': textHeader('Numer nieudanego zapytania.'),
  'X-Accel-Buffering': textHeader('Zawsze `no`: pośrednik ma przekazywać zdarzenia od razu.', 'no'),
} as const;
type HeaderName = keyof typeof HEADERS;

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
  500: ['X-Request-Id'],
  503: ['Retry-After'],
};

export function describeApi(info: { readonly version: string }, endpoints: Endpoints, baseUrl: string) {
  const operations = Object.values(endpoints).map(({ operation }) => operation);
  const { schemas, toContent } = convertSchemas([
    errorSchema,
    ...operations.flatMap(({ response, unready }) => [
      ...Object.values(contentOf(response)),
      ...(unready ? [unready.schema] : []),
    ]),
  ]);
  const shared: Record<string, ResponseObject> = {};

  const describeError = (operation: Operation, status: number, codes: readonly ErrorCode[]) => {
    const examples = Object.fromEntries(
      codes.map((code) => [code, { value: { error: exampleText(code, operation, baseUrl) } }]),
    );
    const response: ResponseObject = {
      description: STATUS_MEANINGS[status] ?? '',
      headers: refer(['X-Error-Code', ...(ERROR_HEADERS[status] ?? [])]),
      content: toContent(JSON_TYPE, errorSchema, examples),
    };
    if (!codes.every((code) => COMMON_ERRORS.includes(code))) return response;
    const name = codes.join('_');
    shared[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };

  const describeOperation = ({ operation, isStream, hasAge, hasPage }: Endpoint) => {
    const { id, tag, summary, description: text, response: success, unready, errors = [] } = operation;
    const parameters = [
      ...toParameters('path', operation.path, schemas),
      ...toParameters('query', operation.query, schemas),
      ...toParameters('header', operation.headers, schemas),
    ];
    const headers = refer([
      ...(isStream ? (['X-Accel-Buffering'] as const) : (['ETag', 'Vary'] as const)),
      ...(hasAge ? (['Age'] as const) : []),
      ...(hasPage ? (['Link'] as const) : []),
    ]);
    const given = Object.entries(operation.examples ?? {});
    const examples = Object.fromEntries(
      given.map(([name, { path, value }]) => [name, { summary: `GET ${path}`, value }]),
    );
    const content = Object.entries(contentOf(success)).map(([type, schema]) =>
      toContent(type, schema, type === JSON_TYPE ? examples : {}),
    );
    const byStatus = Map.groupBy([...errors, ...COMMON_ERRORS], (code) => ERRORS[code].status);
    const responses: Record<string, ResponseObject | Reference> = {
      '200': { description: success.description, headers, content: Object.assign({}, ...content) as Content },
    };
    if (!isStream) responses['304'] = { description: NOT_MODIFIED, headers };
    for (const [status, codes] of byStatus) responses[status] = describeError(operation, status, codes);
    if (unready) {
      const content = toContent(JSON_TYPE, unready.schema);
      responses['503'] = { description: unready.description, headers: refer(['ETag']), content };
    }
    return {
      operationId: id,
      tags: [TAGS[tag].name],
      summary,
      description: text,
      ...(parameters.length > 0 && { parameters }),
      responses,
    };
  };

  const paths = Object.entries(endpoints).map(
    ([path, each]) => [path, { get: describeOperation(each) }] as const,
  );
  return {
    openapi: '3.1.0',
    info: { ...info, contact: { url: `${baseUrl}/docs` }, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: baseUrl }],
    security: [],
    tags: Object.values(TAGS),
    paths: Object.fromEntries(paths),
    components: {
      schemas: { ErrorCode: ERROR_CODE, ...schemas } as Readonly<Record<string, Schema>>,
      responses: shared,
      headers: HEADERS,
    },
  };
}

function refer(names: readonly HeaderName[] = []): ResponseObject['headers'] {
  const all = [...COMMON_HEADERS, ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

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

function contentOf(response: Operation['response']): Readonly<Record<string, z.ZodType>> {
  return 'schema' in response ? { [JSON_TYPE]: response.schema } : response.content;
}

const override = ({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  // Typed languages read an integer without a format as 32 bits.
  if (jsonSchema.type === 'integer')
    jsonSchema.format = (jsonSchema.maximum ?? Infinity) <= INT32_MAX ? 'int32' : 'int64';
  // Clients must accept fields that are added later.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

/** In one call, so that schemas with an ID become shared components. */
function convertSchemas(given: readonly z.ZodType[]) {
  const all = z.object(Object.fromEntries(given.map((schema, at) => [at, schema])));
  const converted = z.toJSONSchema(all, { override });
  const { $defs, properties } = referToComponents(converted);
  return {
    schemas: $defs,
    toContent: (type: string, schema: z.ZodType, examples: Examples = {}) =>
      ({
        // Without parameters.
        [type.split(';', 1)[0] ?? type]: {
          schema: properties[given.indexOf(schema)],
          ...(Object.keys(examples).length > 0 && { examples }),
        },
      }) as Content,
  };
}

function referToComponents(converted: z.core.JSONSchema.BaseSchema) {
  const text = JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/');
  return { $defs: {}, properties: {}, required: [], ...(JSON.parse(text) as object) } as {
    readonly $defs: Record<string, Schema>;
    readonly properties: Record<string, Schema>;
    readonly required: readonly string[];
  };
}

/** @param schemas gets the named parts */
function toParameters(
  place: 'path' | 'query' | 'header',
  schema: z.ZodObject | undefined,
  schemas: Record<string, Schema>,
) {
  if (!schema) return [];
  const { $defs, properties, required } = referToComponents(
    z.toJSONSchema(schema, { io: 'input', override }),
  );
  Object.assign(schemas, $defs);
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: rest,
  }));
}
