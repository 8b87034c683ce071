/** Answers compared with `/openapi.json`. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { ApiDocument, ResponseObject } from '#src/http/openapi.ts';
import type { Answer } from './test-site.ts';

/** Headers of HTTP itself, which the document leaves out. */
const HTTP_HEADERS = new Set(
  'date connection keep-alive content-length content-type transfer-encoding'.split(' '),
);

/** The document lets answers grow; the tests know every field. */
function closeObjects(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closeObjects);
  if (typeof part !== 'object' || part === null) return part;
  const closed = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closeObjects(value)]));
  return 'properties' in part && 'type' in part ? { additionalProperties: false, ...closed } : closed;
}

export function createAnswerChecks(document: ApiDocument) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(closeObjects(document) as object, 'document');

  /** @param at keys from the root of the document */
  const validate = (value: unknown, ...at: readonly string[]): void => {
    const escaped = at.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1')));
    const $ref = `document#/${escaped.join('/')}`;
    const check = ajv.getSchema($ref) ?? ajv.compile({ $ref });
    expect(check(value), `${at.join(' ')}: ${ajv.errorsText(check.errors)}`).toBe(true);
  };

  /** Fails when the document gives another status, header or body to this answer; HEAD has no body. */
  const checkAnswer = (path: string, { status, headers, text }: Answer, method = 'GET'): void => {
    const given = document.paths[path]?.get.responses[status];
    expect(given, `${path} has no ${status}`).toBeDefined();
    const place =
      given && '$ref' in given
        ? given.$ref.split('/').slice(1)
        : ['paths', path, 'get', 'responses', `${status}`];
    const response = place.reduce<unknown>(
      (part, key) => (part as Record<string, unknown>)[key],
      document,
    ) as ResponseObject;
    for (const name of Object.keys(response.headers)) {
      const { required, schema } = document.components.headers[name as 'Age'];
      const value = headers[name.toLowerCase()];
      if (value === undefined) expect(required, `${path} ${status}: ${name} is missing`).toBe(false);
      else
        validate(schema.type === 'integer' ? Number(value) : value, 'components', 'headers', name, 'schema');
    }
    const documented = new Set(Object.keys(response.headers).map((name) => name.toLowerCase()));
    const unknown = Object.keys(headers).filter((name) => !HTTP_HEADERS.has(name) && !documented.has(name));
    expect(unknown, `${path} ${status}: headers that the document does not name`).toEqual([]);
    const types = Object.keys(response.content ?? {});
    const type = headers['content-type']?.split(';', 1)[0] ?? '';
    expect(types.length > 0 ? types : [''], `${path} ${status}`).toContain(type);
    // It is of the body that the client has.
    if (status === 304) expect(headers).not.toHaveProperty('content-length');
    if (types.length === 0 || method === 'HEAD') expect(text, `${path} ${status} has no content`).toBe('');
    else if (type === 'application/json') validate(JSON.parse(text), ...place, 'content', type, 'schema');
    else if (type === 'text/event-stream')
      for (const [, data = ''] of text.matchAll(/^data: (.*)\n\n/gm))
        validate(JSON.parse(data), ...place, 'content', type, 'schema');
  };

  return { validate, checkAnswer };
}
