/** Parts of the API document as the documentation shows them: endpoints, parameters, fields, errors. */
import type { EndpointDoc, FieldDoc, TryIt, TypeDoc } from '../components/docs/endpoint-doc.ts';
import { ENDPOINTS } from '#src/endpoints.ts';
import { ID_MAX, LIST_KINDS } from '#src/entries/entry.ts';
import type { ApiDocument, OperationObject, ResponseObject, Schema } from '#src/http/openapi.ts';
import { LIMITS } from '#src/http/rate-limit.ts';

type Parameter = NonNullable<OperationObject['parameters']>[number];

/** The three lists, which differ only in their entries, are described once. */
const DESCRIBED_LIST = '/api/scammers';
const SAME_AS_DESCRIBED = LIST_KINDS.map((list) => `/api/${list}`).filter((path) => path !== DESCRIBED_LIST);
const LISTS_SUMMARY = 'Zgłoszone osoby, zgłoszone serwery i zaufane osoby, po stronach.';

/** This says what the document says; another language has its own. An owner is an operation or a type. */
const POLISH = {
  allowed: {
    required: ', wymagany',
    byDefault: '; domyślnie',
    upTo: (length: number) => `do ${length} znaków`,
  },
  limits: { alone: 'osobno', shared: 'razem', withPages: 'razem ze stronami' },
  answer: 'Odpowiedź',
  listOf: 'lista',
  listOfWords: 'lista słów',
  group: (polish: string): string => polish,
  textOf: ({
    summary,
    description,
  }: Pick<OperationObject, 'summary' | 'description' | 'operationId'>): string =>
    `${summary} ${description}`.trim(),
  meaningOf: (_name: string, _owner: string, polish: string): string => polish,
  valuesOf: (_schema: Schema, _owner: string): string => '',
};
export type DocsWords = typeof POLISH;

interface Context {
  readonly document: ApiDocument;
  readonly words: DocsWords;
  /** Names of the parts that are described above. */
  readonly shown: Set<string>;
}

/** Endpoints in the order of their groups; the first endpoint with a named part of an answer describes it. */
export function describeEndpoints(document: ApiDocument, words = POLISH) {
  const context = { document, words, shown: new Set<string>() };
  return document.tags.map((tag) => {
    const name = words.group(tag.name);
    const endpoints = Object.entries(document.paths)
      .filter(([path, { get }]) => get.tags.includes(tag.name) && !SAME_AS_DESCRIBED.includes(path))
      .map(([path, { get }]) => describe(path, get, context));
    return { id: slug(name), name, endpoints };
  });
}

function describe(path: string, operation: OperationObject, context: Context): EndpointDoc {
  const { document, words, shown } = context;
  const { parameters = [], responses, operationId } = operation;
  const content = resolve(responses['200'], document)?.content?.['application/json'];
  const [example] = Object.values(content?.examples ?? {});
  const isList = path === DESCRIBED_LIST;
  const named = content && (nameOf(content.schema) ?? (content.schema.items && nameOf(content.schema.items)));
  const isAbove = named !== undefined && shown.has(named);
  return {
    id: slug(operationId),
    path: isList ? '/api/{list}' : path,
    text: isList
      ? words.textOf({ operationId: 'lists', summary: LISTS_SUMMARY, description: '' })
      : words.textOf(operation),
    parameters: [
      ...(isList ? [fieldDoc('list', LIST_KINDS.map(asCode).join(', '), '')] : []),
      ...parameters.map((parameter) =>
        fieldDoc(
          parameter.name,
          allowedOf(parameter, document, words),
          words.meaningOf(parameter.name, operationId, parameter.description ?? ''),
        ),
      ),
    ],
    types: content ? describeTypes(content.schema, context) : [],
    answer: isAbove && content ? `${words.answer}: ${typeOf(content.schema, words)}.` : '',
    example: example && {
      request: example.summary ?? '',
      code: JSON.stringify(example.value, null, 2),
    },
    // In English the forms would make the page heavier than it may be.
    form: words === POLISH ? tryIt(path, operation, document, example?.summary) : undefined,
  };
}

function tryIt(
  path: string,
  { parameters = [] }: OperationObject,
  document: ApiDocument,
  example?: string,
): TryIt {
  const given = new URL(example?.replace('GET ', '') ?? PATH_EXAMPLES[path] ?? path, 'http://example.test');
  return {
    action: given.pathname,
    fields: parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => ({
        name,
        value: given.searchParams.get(name) ?? '',
        choices: resolveSchema(schema, document).enum ?? [],
        fallback: schema.default === undefined ? '' : String(schema.default),
      })),
  };
}

/** Paths have segments that cannot be filled in without a script. */
const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  '/api/chat/avatar/{chatId}': '/api/chat/avatar/1558644164640031523',
  '/feeds/{list}.atom': '/feeds/scammers.atom',
  '/badge/{id}.svg': '/badge/status.svg',
  '/snapshots/{list}/{chunk}': '/snapshots/manifest.json',
};

/** The named parts of an answer and their parts, each once. */
function describeTypes(schema: Schema, context: Context): TypeDoc[] {
  const { document, words, shown } = context;
  const name = nameOf(schema);
  if (name === undefined) return partsOf(schema).flatMap((part) => describeTypes(part, context));
  const named = document.components.schemas[name];
  if (named === undefined || shown.has(name)) return [];
  shown.add(name);
  const choices = [
    ...(named.oneOf ?? []).filter((part) => nameOf(part) !== undefined).map((part) => typeOf(part, words)),
    ...(named.enum ?? []).map(asCode),
  ];
  const description = words.meaningOf(name, '', named.description ?? '') + words.valuesOf(named, name);
  const fields = Object.entries(named.properties ?? {}).flatMap(([field, part]) =>
    fieldRows(field, part, name, context),
  );
  return [
    { id: slug(name), name, text: `${description} ${unlessIn(description, choices)}`.trim(), fields },
    ...partsOf(named).flatMap((part) => describeTypes(part, context)),
  ];
}

function partsOf(schema: Schema): Schema[] {
  const { properties = {}, items = [], additionalProperties = [], oneOf = [], anyOf = [] } = schema;
  return [...Object.values(properties), items, additionalProperties, oneOf, anyOf].flat();
}

/** Fields of an unnamed part follow the field that holds them. */
function fieldRows(field: string, schema: Schema, owner: string, context: Context): FieldDoc[] {
  const { document, words } = context;
  const inner = schema.items?.properties ?? schema.properties ?? {};
  const prefix = schema.items ? `${field}[].` : `${field}.`;
  const meaning = words.meaningOf(field, owner, meaningOf(schema, document)) + words.valuesOf(schema, owner);
  return [
    fieldDoc(field, typeOf(schema, words, meaning), meaning),
    ...Object.entries(inner).flatMap(([name, part]) => fieldRows(prefix + name, part, owner, context)),
  ];
}

function fieldDoc(name: string, type: string, meaning: string): FieldDoc {
  return [asCode(name), [type, meaning].filter(Boolean).join(' · ')];
}

/** A named part describes itself; an array also describes its elements. */
function meaningOf(schema: Schema, { components }: ApiDocument): string {
  const named = components.schemas[nameOf(schema) ?? ''];
  const whole = schema.description ?? named?.description ?? '';
  return schema.items?.description === undefined ? whole : `${whole} ${schema.items.description}`.trim();
}

/** Every status of an error: when it comes, and what it says then. */
export function listErrors(document: ApiDocument) {
  const errors = new Map<string, { readonly when: string; readonly texts: Map<string, string> }>();
  for (const { get } of Object.values(document.paths))
    for (const [status, given] of Object.entries(get.responses)) {
      const { description = '', content } = resolve(given, document) ?? {};
      if (Number(status) < 400) continue;
      const error = errors.get(status) ?? { when: description, texts: new Map<string, string>() };
      errors.set(status, error);
      // One example with a parameter's name is enough.
      for (const [code, { value }] of Object.entries(content?.['application/json']?.examples ?? {}))
        if (!error.texts.has(code)) error.texts.set(code, (value as { error: string }).error);
    }
  return [...errors]
    .map(([status, { when, texts }]) => ({ status, when, texts }))
    .sort((one, other) => one.status.localeCompare(other.status));
}

/** Addresses, and their requests per minute with how they count; endpoints with a shared limit share a row. */
export function limitRows({ limits: { alone, shared, withPages } } = POLISH) {
  const byLimit = Map.groupBy(Object.entries(ENDPOINTS), ([, { rateLimit }]) => rateLimit);
  return [...byLimit].map(([name, sharing]) => {
    const word = name === 'pages' ? withPages : sharing.length > 1 ? shared : alone;
    return [sharing.map(([path]) => asCode(path)).join(', '), `${LIMITS[name]}, ${word}`] as const;
  });
}

function resolve(
  given: ResponseObject | { readonly $ref: string } | undefined,
  { components }: ApiDocument,
): ResponseObject | undefined {
  if (!given || !('$ref' in given)) return given;
  return components.responses[given.$ref.split('/').at(-1) ?? ''];
}

function resolveSchema(schema: Schema, { components }: ApiDocument): Schema {
  return { ...components.schemas[nameOf(schema) ?? ''], ...schema };
}

/** @param meaning words that it names are not listed as well */
function typeOf(schema: Schema, words: DocsWords, meaning = ''): string {
  const name = nameOf(schema);
  const { items, additionalProperties, enum: choices, anyOf } = schema;
  if (name !== undefined) return `[${name}](#${slug(name)})`;
  if (items?.enum)
    return [words.listOfWords, unlessIn(meaning, items.enum.map(asCode))].filter(Boolean).join(': ');
  if (items) return `${words.listOf} ${typeOf(items, words)}`;
  if (additionalProperties) return `\`{ ID: …}\` → ${typeOf(additionalProperties, words)}`;
  if (choices) return unlessIn(meaning, choices.map(asCode)) || '`string`';
  if (schema.const !== undefined) return asCode(schema.const);
  if (anyOf) return anyOf.map((part) => typeOf(part, words, meaning)).join(' | ');
  return [schema.type ?? 'object'].flat().map(asCode).join(' | ');
}

function unlessIn(meaning: string, choices: readonly string[]): string {
  return choices.every((one) => meaning.includes(one)) ? '' : choices.join(', ');
}

function asCode(value: string | number): string {
  return `\`${value}\``;
}

function allowedOf({ schema, required }: Parameter, document: ApiDocument, { allowed }: DocsWords): string {
  const { enum: choices, minimum, maximum, maxLength, default: fallback } = resolveSchema(schema, document);
  const rest =
    (fallback === undefined ? '' : `${allowed.byDefault} \`${fallback}\``) +
    (required ? allowed.required : '');
  if (choices) return choices.map(asCode).join(', ') + rest;
  if (minimum !== undefined && maximum !== undefined) return `${minimum}–${maximum}${rest}`;
  // Longer than any ID of the platform: readers would take it for the length of one.
  return (maxLength === undefined || maxLength === ID_MAX ? '`string`' : allowed.upTo(maxLength)) + rest;
}

function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}

function slug(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}
