/** What the pages of the documentation show of the document: operations, parameters, fields, errors. */
import { bindWords, pl } from '../components/ui/polish.ts';
import type { Block, TryIt } from '../components/docs/prose/block.ts';
import type { ErrorStatus } from '../components/docs/prose/docs.ts';
import { DETAILS_PATH } from '#src/paths.ts';
import type { ApiDocument, OperationObject, ResponseObject, Schema } from '#src/http/api-document.ts';

/** Operations in the order of their groups, each with its parameters, a form to try it, and an answer of its kind. */
export function operationBlocks(document: ApiDocument): Block[] {
  const all = Object.entries(document.paths);
  const shown = new Set<string>();
  return document.tags.flatMap(({ name, description }) => [
    { heading: bindWords(name), id: slug(name) },
    bindWords(description),
    ...all
      .filter(([, { get }]) => get.tags.includes(name))
      .flatMap(([path, { get }]) => describe(path, get, document, shown)),
  ]);
}

/** @param shown kinds of answers that have an example above */
function describe(
  path: string,
  operation: OperationObject,
  document: ApiDocument,
  shown: Set<string>,
): Block[] {
  const { parameters = [], responses, summary, description } = operation;
  const answer = resolve(responses['200'], document);
  const content = answer?.content?.['application/json'];
  const examples = Object.values(content?.examples ?? {});
  const rows = parameters.map(({ name, required, description: meaning = '', schema }) => [
    `\`${name}\``,
    bindWords(allowedOf(schema)) + (required ? bindWords(', wymagany') : ''),
    bindWords(meaning),
  ]);
  const fields = content && fieldsLink(content.schema);
  const isShown = fields !== undefined && shown.has(fields);
  if (fields !== undefined) shown.add(fields);
  return [
    { heading: path, id: slug(operation.operationId), level: 3 },
    bindWords(summary + (description === undefined ? '' : ` ${description}`)),
    ...(rows.length > 0
      ? [{ caption: pl`Parametry ${path}`, head: PARAMETER_HEAD, table: rows } satisfies Block]
      : []),
    { tryIt: tryIt(path, operation, examples[0]?.summary) },
    ...(isShown ? [] : examples).flatMap((example): Block[] => [
      { sample: `${example.summary}\n\n${JSON.stringify(example.value, null, 2)}`, label: pl`Odpowiedź` },
    ]),
    ...(fields === undefined ? [] : [fields]),
  ];
}

const PARAMETER_HEAD = ['Parametr', 'Wartość', 'Znaczenie'];

function tryIt(path: string, { parameters = [], operationId }: OperationObject, example?: string): TryIt {
  const given = new URL(example?.replace('GET ', '') ?? PATH_EXAMPLES[path] ?? path, 'http://example.test');
  return {
    id: operationId,
    action: given.pathname,
    fields: parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema }) => ({
        name,
        value: given.searchParams.get(name) ?? '',
        choices: schema.enum ?? [],
        fallback: schema.default === undefined ? '' : String(schema.default),
      })),
  };
}

/** Of paths with segments that nobody could fill in without a script. */
const PATH_EXAMPLES: Readonly<Record<string, string>> = {
  '/api/chat/avatar/{chatId}': '/api/chat/avatar/1558644164640031523',
  '/feeds/{list}.atom': '/feeds/scammers.atom',
  '/badge/{id}.svg': '/badge/status.svg',
  '/snapshots/{list}/{chunk}': '/snapshots/manifest.json',
};

/** Every part of an answer that has a name, field by field. */
export function fieldBlocks(document: ApiDocument): Block[] {
  return Object.entries(document.components.schemas).flatMap(([name, schema]): Block[] => {
    const rows = Object.entries(schema.properties ?? {}).flatMap(([field, part]) =>
      fieldRows(field, part, document),
    );
    const parts = (schema.oneOf ?? []).map(nameOf).filter((part) => part !== undefined);
    return [
      { heading: name, id: slug(name), level: 3, isUnlisted: true },
      bindWords(schema.description ?? '') +
        (parts.length > 0 ? ` ${bindWords('Jedno z:')} ${parts.map(linkTo).join(', ')}.` : ''),
      ...(rows.length > 0
        ? [{ caption: pl`Pola ${name}`, head: ['Pole', 'Typ i znaczenie'], table: rows } satisfies Block]
        : []),
    ];
  });
}

/** Fields of what has no name of its own follow the field that holds them. */
function fieldRows(field: string, schema: Schema, document: ApiDocument): string[][] {
  const inner = schema.items?.properties ?? schema.properties ?? {};
  const prefix = schema.items ? `${field}[].` : `${field}.`;
  return [
    [`\`${field}\``, [typeOf(schema), bindWords(meaningOf(schema, document))].filter(Boolean).join(' · ')],
    ...Object.entries(inner).flatMap(([name, part]) => fieldRows(prefix + name, part, document)),
  ];
}

/** What has a name says itself what it is; of an array also what its elements are, unless they have rows of their own. */
function meaningOf(schema: Schema, { components }: ApiDocument): string {
  const named = components.schemas[nameOf(schema) ?? ''];
  const whole = schema.description ?? named?.description ?? '';
  return schema.items?.description === undefined ? whole : `${whole} ${schema.items.description}`.trim();
}

/** Every status of an error: when it comes, and what it says then. */
export function listErrors(document: ApiDocument): ErrorStatus[] {
  const errors = new Map<string, { readonly when: string; readonly texts: Map<string, string> }>();
  for (const { get } of Object.values(document.paths))
    for (const [status, given] of Object.entries(get.responses)) {
      const { description = '', content } = resolve(given, document) ?? {};
      if (Number(status) < 400) continue;
      const error = errors.get(status) ?? { when: bindWords(description), texts: new Map<string, string>() };
      errors.set(status, error);
      // Of a text that names a parameter one stands for all.
      for (const [code, { value }] of Object.entries(content?.['application/json']?.examples ?? {}))
        if (!error.texts.has(code)) error.texts.set(code, (value as { error: string }).error);
    }
  return [...errors]
    .map(([status, { when, texts }]) => ({ status, when, texts: [...texts.values()] }))
    .sort((one, other) => one.status.localeCompare(other.status));
}

function resolve(
  given: ResponseObject | { readonly $ref: string } | undefined,
  { components }: ApiDocument,
): ResponseObject | undefined {
  if (!given || !('$ref' in given)) return given;
  return components.responses[given.$ref.split('/').at(-1) ?? ''];
}

function fieldsLink(schema: Schema): string | undefined {
  const name = nameOf(schema) ?? (schema.items && nameOf(schema.items));
  if (name === undefined) return undefined;
  return schema.items ? pl`Odpowiedź to tablica: ${linkTo(name)}.` : pl`Pola odpowiedzi: ${linkTo(name)}.`;
}

function typeOf(schema: Schema): string {
  const name = nameOf(schema);
  if (name !== undefined) return linkTo(name);
  if (schema.items) return pl`tablica: ${typeOf(schema.items)}`;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  const [type = 'object', orNull] = [schema.type ?? []].flat();
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(pl` lub `);
  return (TYPES[type] ?? type) + (orNull === 'null' ? pl` lub \`null\`` : '');
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'tekst',
  boolean: 'prawda lub fałsz',
  integer: 'liczba całkowita',
  number: 'liczba',
  object: 'obiekt',
  null: '`null`',
};

function allowedOf(schema: Schema): string {
  const { enum: choices, minimum, maximum, maxLength, default: fallback } = schema;
  const byDefault = fallback === undefined ? '' : `; domyślnie \`${fallback}\``;
  if (choices) return choices.map((value) => `\`${value}\``).join(', ') + byDefault;
  if (minimum !== undefined && maximum !== undefined) return `${minimum}–${maximum}${byDefault}`;
  return maxLength === undefined ? 'tekst' : `do ${maxLength} znaków`;
}

function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.split('/').at(-1);
}

function linkTo(name: string): string {
  return `[${name}](${DETAILS_PATH}#${slug(name)})`;
}

function slug(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}
