/**
 * Single requests, as raw bytes, to the site with real pages. T1 to T18 are the requests that a bare Astro site answers
 * otherwise than the contract wants. T12, the drain, is in journeys/server-process; T13, the time-outs, in
 * unit/http/http-server.
 */
import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import { errorText } from '#src/http/response.ts';
import { LIMITS } from '#src/http/rate-limit.ts';
import { ENDPOINTS } from '#src/endpoints.ts';
import { assertError } from '../support/assert-error.ts';
import { makeSmallLists } from '../support/small-lists.ts';
import { startTestSite, exhaustLimit } from '../support/test-site.ts';
import { dial, exchange, type WireAnswer } from '../support/wire.ts';

const BAD_REQUEST = errorText('bad_request');
const HEAD_TOO_LARGE = errorText('request_head_too_large');
const NOT_FOUND = 'Nie znaleziono';
const WRONG_METHOD = 'Metoda niedozwolona';
const HTML = 'text/html; charset=utf-8';

const databasePath = await makeSmallLists();
const site = await startTestSite(databasePath);

const ask = (requestLine: string, headerLines?: readonly string[], from?: string): Promise<WireAnswer> =>
  exchange(site.port, requestLine, headerLines, from);
const get = (target: string, headerLines: readonly string[] = [], from?: string): Promise<WireAnswer> =>
  ask(`GET ${target} HTTP/1.1`, ['Host: a', ...headerLines], from);

/** Sends bytes and reads one answer, after which the server has to end the connection. */
async function askForTheLastTime(bytes: string): Promise<WireAnswer> {
  const wire = dial(site.port);
  wire.write(bytes);
  const answer = await wire.answer(bytes.startsWith('HEAD '));
  expect(await wire.rest()).toBe('');
  return answer;
}

it('T1 T2 T4 answers 405 to every method that Node knows, whatever its body', async () => {
  const others = METHODS.filter((method) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method));
  expect(others).toContain('TRACE');
  const form = ['Content-Type: text/plain', 'Origin: http://evil.example', 'Content-Length: 0'];
  for (const method of others)
    for (const target of ['/api/legit', '/scammers', '/nope', 'http://a/api/scammers']) {
      const answer = await ask(`${method} ${target} HTTP/1.1`, ['Host: a', 'X-Secret: echoed', ...form]);
      assertError(answer, 405, WRONG_METHOD);
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
    }
});

it.each([
  // A stream does not end; its HEAD is in contract/change-events.
  ...Object.entries(ENDPOINTS)
    .filter(([, { isStream }]) => !isStream)
    .map(([path]) => path),
  ...['/api/scammers?limit=61', '/', '/scammers', '/nope', '/favicon.svg', '/%ff'],
])('T3 gives HEAD %s the headers of GET and no body', async (target) => {
  const wire = dial(site.port, { from: '127.0.0.3' });
  const request = `${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
  wire.write(`GET ${request}HEAD ${request}GET /api/nope HTTP/1.1\r\nHost: a\r\n\r\n`);
  const [got, head] = [await wire.answer(), await wire.answer(true)];
  // A body of the second would be taken for the third.
  assertError(await wire.answer(), 404, NOT_FOUND);
  const comparable = ({ fields }: WireAnswer): readonly (readonly string[])[] =>
    fields.filter(([name = '']) => !/^(?:date|ratelimit-remaining)$/i.test(name));
  expect(head.status).toBe(got.status);
  expect(comparable(head)).toEqual(comparable(got));
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(got.text)));
  expect(got.text).not.toBe('');
});

it.each(['FOO / HTTP/1.1', '\x16\x03\x01'])(
  'T5 answers 400 to the unknown method in %j, and ends the connection',
  async (requestLine) => {
    assertError(await askForTheLastTime(`${requestLine}\r\nHost: a\r\n\r\n`), 400, BAD_REQUEST);
  },
);

it('T5 answers 405 to CONNECT, after earlier requests, and ends the connection', async () => {
  const connect = 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n';
  const refused = await askForTheLastTime(connect);
  assertError(refused, 405, WRONG_METHOD);
  expect(refused.headers).toMatchObject({ allow: 'GET, HEAD, OPTIONS', connection: 'close' });
  const wire = dial(site.port);
  wire.write(`GET /api/legit HTTP/1.1\r\nHost: a\r\n\r\n${connect}more`);
  expect((await wire.answer()).status).toBe(200);
  assertError(await wire.answer(), 405, WRONG_METHOD);
  expect(await wire.rest()).toBe('');
});

it.each(['/api/scammers', '/', '/favicon.svg', '/nope'])(
  'T18 answers 417 at %s to an unknown expectation, and never 100',
  async (path) => {
    for (const expectation of ['x', '100-continue, x', '200-ok'])
      assertError(await get(path, [`Expect: ${expectation}`]), 417, errorText('expectation_failed'));
    const { status, text } = await get(path);
    expect(await get(path, ['Expect: 100-Continue'])).toMatchObject({ status, text });
    const fields = ['Host: a', 'Expect: 100-continue', 'Content-Length: 5'];
    const posted = await ask(`POST ${path} HTTP/1.1`, fields);
    assertError(posted, 405, WRONG_METHOD);
    expect(posted.headers.connection).toBe('close');
  },
);

it.each(['*', '/api/scammers', '/api/nope', '/'])(
  'T10 answers OPTIONS %s with 204, for every origin and without counting it',
  async (target) => {
    const preflight = ['Origin: http://b.example', 'Access-Control-Request-Method: GET'];
    const { status, headers } = await ask(`OPTIONS ${target} HTTP/1.1`, ['Host: a', ...preflight]);
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      allow: 'GET, HEAD, OPTIONS',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': '*',
      'access-control-max-age': expect.stringMatching(/^[1-9]\d*$/) as string,
    });
    for (const name of ['access-control-allow-credentials', 'ratelimit-remaining', 'content-length'])
      expect(headers[name], name).toBeUndefined();
  },
);

it.each(['/api', '/api/nope', '/api//scammers', '/api/../api/scammers', '/api/__proto__'])(
  'T7 answers 404 as JSON at %s',
  async (target) => {
    assertError(await get(target), 404, NOT_FOUND);
    assertError(await ask(`POST ${target} HTTP/1.1`), 404, NOT_FOUND);
  },
);

it.each([
  ['T7 outside /api', '/API/scammers /apix'],
  ['T7 where another reader would find an endpoint', '//api/scammers /./api/check /%2e%2e/api/check'],
  ['T15 at addresses of Astro', '/_image?href=http://127.0.0.1/&w=1 /_server-islands/x /_actions/x'],
  ['at compressed files', '/docs/index.html.br /favicon.svg.gz'],
])('answers 404 as a page %s', async (_where, targets) => {
  const { text } = await get('/nope');
  for (const target of targets.split(' ')) {
    const answer = await get(target);
    expect([target, answer.status, answer.headers['content-type']]).toEqual([target, 404, HTML]);
    expect(answer.text === text, target).toBe(true);
  }
});

it('reads names of properties of JavaScript objects as plain text', async () => {
  const headerLines = ['__proto__: x', 'constructor: y', 'hasOwnProperty: q'];
  const query = '?search=__proto__&__proto__=1&constructor=2&__proto__[a]=3';
  const { text } = await get(`/api/scammers${query}`, headerLines);
  expect(JSON.parse(text)).toMatchObject({ total: 1, data: [{ name: '__proto__' }] });
  expect((await get(`/${query}`, headerLines)).status).toBe(200);
});

it('T8 never repeats the Host, nor what claims to be a proxy', async () => {
  const headerLines = [
    'Host: evil.example:81',
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: evil',
    'X-Original-URL: /evil',
    'X-Astro-Path: /evil',
    'Forwarded: host=evil.example',
  ];
  for (const path of ['/', '/nope', '/scammers', '/api/scammers', '/api/nope']) {
    const plain = await get(path);
    const answer = await ask(`GET ${path} HTTP/1.1`, headerLines);
    expect([answer.status, answer.text]).toEqual([plain.status, plain.text]);
    expect(JSON.stringify(answer.fields)).not.toContain('evil');
  }
});

it.each([['Host: a b'], ['Hos: a'], ['Host: a', 'hOST: a']])('T9 T11 400 to %j', async (...headerLines) => {
  for (const target of ['/api/scammers', '/'])
    assertError(await ask(`GET ${target} HTTP/1.1`, headerLines), 400, BAD_REQUEST);
});

it('T9 serves HTTP/1.0 without a Host', async () => {
  expect((await askForTheLastTime('GET /api/scammers HTTP/1.0\r\n\r\n')).status).toBe(200);
});

it.each([
  ['GET', 'Content-Length: 5', 'hello', 200],
  ['GET', 'Transfer-Encoding: chunked', 'zz\r\n', 200],
  ['OPTIONS', 'Content-Length: 5', 'hello', 204],
  // Answered before any of it has come.
  ['GET', 'Content-Length: 1000000000', '', 200],
  ['POST', 'Transfer-Encoding: chunked', '', 405],
])('T14 answers %s with %j and %j once, and ends the connection', async (method, field, body, status) => {
  for (const path of ['/api/scammers', '/']) {
    const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\n${field}`;
    const answer = await askForTheLastTime(`${head}\r\n\r\n${body}`);
    expect([answer.status, answer.headers.connection]).toEqual([status, 'close']);
  }
});

it('T14 reads the next request after one with a Content-Length of 0, and after a 304', async () => {
  const wire = dial(site.port);
  for (const [fields, status] of [
    ['Content-Length: 0', 200],
    ['If-None-Match: *', 304],
  ] as const) {
    wire.write(`GET /api/legit HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n`.repeat(2));
    expect([(await wire.answer()).status, (await wire.answer()).status]).toEqual([status, status]);
  }
});

it('ignores the wish to speak another protocol', async () => {
  const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c, websocket'];
  expect((await get('/api/scammers', [...upgrade, 'HTTP2-Settings: AAMAAABk'])).status).toBe(200);
});

describe('heads that are not HTTP', () => {
  it.each(['Content-Length: 5\r\nTransfer-Encoding: chunked', 'X: a\0b'])(
    'get 400 for %j, and the connection ends',
    async (fields) => {
      const head = `POST /api/scammers HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\nhello`;
      assertError(await askForTheLastTime(head), 400, BAD_REQUEST);
    },
  );

  it.each([
    ['16,000 fields', `GET / HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(16_000)}\r\n`],
    ['a head that never ends', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(64 * 1024)}`],
  ])('get 431 for %s, and the connection ends', async (_name, bytes) => {
    assertError(await askForTheLastTime(bytes), 431, HEAD_TOO_LARGE);
  });

  it('T3 get no body for HEAD', async () => {
    const answer = await askForTheLastTime(`HEAD / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`);
    expect([answer.status, answer.text]).toEqual([431, '']);
  });
});

// Those with If-None-Match are in contract/openapi.
it('ignores If-Modified-Since, Range and If-Match', async () => {
  const plain = await get('/api/scammers');
  const since = 'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT';
  for (const field of [since, 'Range: bytes=0-1', 'If-Match: "x"'])
    expect(await get('/api/scammers', [field])).toMatchObject({ status: 200, text: plain.text });
});

it('the rate limit on the wire 8 T16 refuses every request of a used-up limit but OPTIONS, whatever the client claims to be', async () => {
  const [target, from] = ['/api/scammers?limit=1', '127.0.0.5'];
  const spoofed = ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP'].map((name) => `${name}: 198.51.100.1`);
  await ask(`OPTIONS ${target} HTTP/1.1`, ['Host: a'], from);
  for (const [at, method] of ['GET', 'HEAD', 'POST'].entries()) {
    const { headers } = await ask(`${method} ${target} HTTP/1.1`, ['Host: a', ...spoofed], from);
    expect(headers['ratelimit-remaining']).toBe(String(LIMITS.lists - 1 - at));
    expect(headers['retry-after']).toBeUndefined();
  }
  exhaustLimit(site, 'lists', from);
  for (const method of ['GET', 'POST']) {
    const answer = await ask(`${method} ${target} HTTP/1.1`, ['Host: a', ...spoofed], from);
    assertError(answer, 429, 'Za dużo zapytań. Spróbuj ponownie za 60 s.');
    expect(answer.headers).toMatchObject({ 'retry-after': '60', 'ratelimit-reset': '60' });
  }
  expect((await ask(`OPTIONS ${target} HTTP/1.1`, ['Host: a'], from)).status).toBe(204);
  expect((await get(target, [], '127.0.0.7')).status).toBe(200);
});
