import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { encodingFor, errorResult, matchesEtag, strongEtag } from '#src/http/response.ts';

function requestWith(name: string, value: string | undefined): IncomingMessage {
  return { headers: { [name]: value } } as unknown as IncomingMessage;
}

it.each([
  [undefined, 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;q=0.5', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0.1, gzip;q=0.2', 'gzip'],
  ['brotli', 'identity'],
  ['gzip'.padStart(300, ','), 'gzip'],
  ['gzip'.padStart(301, ','), 'identity'],
])('encodingFor chooses for "%s" %s', (header, encoding) => {
  const long = { body: 'x'.repeat(1_400) };
  expect(encodingFor(requestWith('accept-encoding', header), long)).toBe(encoding);
});

it.each([
  [1_399, 'text/plain', 200, false],
  [1_400, 'image/svg+xml', 200, true],
  [9_000, 'image/webp', 200, false],
  [9_000, 'text/plain', 500, false],
])('compresses %i bytes of %s with %i or not: %s', (length, contentType, status, expected) => {
  const result = { body: 'x'.repeat(length), contentType, status };
  expect(encodingFor(requestWith('accept-encoding', 'br'), result) === 'br').toBe(expected);
});

it('strongEtag is quoted, of characters that no list of tags uses, and the same however the bytes are held', () => {
  const text = 'Zażółć gęślą jaźń 🦊';
  expect(strongEtag(text)).toMatch(/^"[\w-]{22}"$/);
  for (const bytes of [Buffer.from(text), new TextEncoder().encode(text)])
    expect(strongEtag(bytes)).toBe(strongEtag(text));
});

describe('matchesEtag', () => {
  const etag = '"abc_-123"';

  it.each([
    ['the tag itself', '"abc_-123"'],
    ['a list that holds its weak form', '"x", W/"abc_-123", "y"'],
    ['any tag', '*'],
    ['tabs around it', '\t"abc_-123"\t'],
    ['a list of 300 characters', '"abc_-123"'.padStart(300, ',')],
  ])('matches %s', (_name, value) => {
    expect(matchesEtag(requestWith('if-none-match', value), etag)).toBe(true);
  });

  it.each([
    ['no header', undefined],
    ['a list of 301 characters', '"abc_-123"'.padStart(301, ',')],
    ['the tag without quotes', 'abc_-123'],
    ['another case', '"ABC_-123"'],
    ['a lower-case w', 'w/"abc_-123"'],
    ['the star as one of many', '"x", *'],
  ])('does not match %s', (_name, value) => {
    expect(matchesEtag(requestWith('if-none-match', value), etag)).toBe(false);
  });
});

// The sentences of SPEC section 7 stand word by word in the tests of the endpoints that say them.
it('writes values of an error as they are, also when they look like placeholders or JSON', () => {
  const allowed = '$& {parameter} $1 "\n\u2028\\';
  const { body } = errorResult('invalid_parameter', { parameter: '{allowed}', allowed });
  expect(JSON.parse(String(body))).toEqual({ error: `Nieprawidłowy parametr {allowed}: ${allowed}.` });
});
