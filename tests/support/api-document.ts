/** Holds answers to the OpenAPI document, as strictly as it can be read: a key or header that it does not name is a fault. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import type { ApiDocument, ResponseObject } from '#src/http/openapi.ts';
import type { Answer } from './test-site.ts';

/** Headers that every HTTP answer may have, documented or not. */
const OF_HTTP = new Set([
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'content-type',
  'transfer-encoding',
]);

export interface AnswerCheck {
  /** Statuses that the document gives to `GET path`. */
  statusesOf(path: string): string[];
  /** Fails when status, headers or body are not as the document says. */
  check(path: string, answer: Answer): void;
  /** As if it had been answered. */
  checkBody(path: string, status: number, body: unknown): void;
}

export function createAnswerCheck(document: ApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(closeObjects(document) as object, 'document');

  const resolve = <Part>(part: Part | { readonly $ref: string }): Part =>
    typeof part === 'object' && part !== null && '$ref' in part
      ? (part.$ref
          .slice('#/'.length)
          .split('/')
          .reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document) as Part)
      : part;

  const findResponse = (path: string, status: number): ResponseObject => {
    const found = document.paths[path]?.get.responses[String(status)];
    if (!found) throw new Error(`${path}: the document has no ${status}`);
    return resolve(found);
  };

  const checkBody = (path: string, status: number, type: string, body: unknown): void => {
    const given = document.paths[path]?.get.responses[String(status)];
    const place = given && '$ref' in given ? given.$ref : `#/paths/${escape(path)}/get/responses/${status}`;
    const validate = ajv.compile({ $ref: `document${place}/content/${escape(type)}/schema` });
    expect(validate(body), `${path} ${status}: ${ajv.errorsText(validate.errors)}`).toBe(true);
  };

  return {
    statusesOf: (path) => Object.keys(document.paths[path]?.get.responses ?? {}),
    checkBody: (path, status, body) => checkBody(path, status, 'application/json', body),
    check(path, { status, headers, text }) {
      const response = findResponse(path, status);
      const names = new Map(Object.keys(response.headers).map((name) => [name.toLowerCase(), name]));
      for (const [lower, name] of names) {
        const header = resolve<ApiDocument['components']['headers']['Age']>(
          response.headers[name] ?? { $ref: '' },
        );
        const value = headers[lower];
        if (value === undefined) {
          expect(header.required, `${path} ${status}: ${name} is missing`).toBe(false);
          continue;
        }
        const typed = header.schema.type === 'integer' ? Number(value) : value;
        expect(ajv.validate(header.schema, typed), `${path} ${status}: ${name}: ${String(value)}`).toBe(true);
      }
      const unknown = Object.keys(headers).filter((name) => !OF_HTTP.has(name) && !names.has(name));
      expect(unknown, `${path} ${status}: headers that the document does not name`).toEqual([]);
      const type = headers['content-type']?.split(';', 1)[0];
      const types = Object.keys(response.content ?? {});
      if (types.length === 0) return expect(text, `${path} ${status} has no content`).toBe('');
      expect(types, `${path} ${status}`).toContain(type);
      if (type === 'application/json') checkBody(path, status, type, JSON.parse(text));
    },
  };
}

/** The document lets answers grow; the tests know exactly what is in them. */
function closeObjects(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closeObjects);
  if (typeof part !== 'object' || part === null) return part;
  const closed = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closeObjects(value)]));
  return 'properties' in part && 'type' in part ? { additionalProperties: false, ...closed } : closed;
}

function escape(segment: string): string {
  return encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'));
}
