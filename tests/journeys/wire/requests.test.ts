/**
 * Single requests, as raw bytes, to the site with real pages. T1 to T17 are the requests that a bare Astro site answers
 * otherwise than the contract wants. T12, the drain, is in journeys/server-process; T13, the time-outs, in
 * unit/http/http-server.
 */
import { METHODS } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorText } from '#src/http/errors.ts';
import { LISTS_LIMIT, STATUS_LIMIT, type RateLimit } from '#src/http/rate-limit.ts';
import { ENDPOINTS } from '#src/api.ts';
import { assertError } from '../../support/assert-error.ts';
import { makeSmallLists } from '../../support/small-lists.ts';
import { startTestSite, exhaustLimit, type TestSite } from '../../support/test-site.ts';
import { dial, exchange, type WireAnswer } from '../../support/wire.ts';

const BAD_REQUEST = errorText('bad_request');
const HEAD_TOO_LARGE = errorText('request_head_too_large');
const NOT_FOUND = 'Nie znaleziono';
const WRONG_METHOD = 'Metoda niedozwolona';
const HTML = 'text/html; charset=utf-8';

let databasePath: string;
let site: TestSite;
beforeAll(async () => {
  databasePath = await makeSmallLists();
  site = await startTestSite(databasePath);
});

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

function expectWrongMethod(answer: WireAnswer): void {
  assertError(answer, 405, WRONG_METHOD);
  expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
}

describe('methods on the wire', () => {
  it.each([
    ['no type', []],
    ['a form', ['Content-Type: application/x-www-form-urlencoded']],
    ['a form with files', ['Content-Type: multipart/form-data; boundary=x']],
    ['plain text', ['Content-Type: text/plain']],
    ['a form of another site', ['Content-Type: text/plain', 'Origin: http://evil.example']],
  ])('T1 answers 405 to other methods with %s', async (_name, headerLines) => {
    const all = ['Host: a', ...headerLines, 'Content-Length: 0'];
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      for (const path of ['/api/scammers', '/'])
        expectWrongMethod(await ask(`${method} ${path} HTTP/1.1`, all));
  });

  it('T2 T4 answers 405 to every method that Node knows, TRACE too, for endpoints and pages', async () => {
    const others = METHODS.filter((method) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method));
    expect(others).toContain('TRACE');
    for (const method of others)
      for (const target of ['/api/legit', '/scammers', '/nope', 'http://a/api/scammers'])
        expectWrongMethod(await ask(`${method} ${target} HTTP/1.1`, ['Host: a', 'X-Secret: echoed']));
  });

  it.each([
    // A stream does not end; its HEAD is in contract/change-events.
    ...Object.entries(ENDPOINTS)
      .filter(([, { definition }]) => !definition.isStream)
      .map(([path]) => path),
    ...['/api/check?search=a', '/api/scammers?limit=61', '/api', '/', '/?search=a', '/scammers', '/nope'],
    ...['/404', '/favicon.svg', '/%ff'],
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

  it.each(['FOO / HTTP/1.1', 'get / HTTP/1.1', 'GETX /api/scammers HTTP/1.1', '\x16\x03\x01'])(
    'T5 answers the method that is none in %j in the error form and ends the connection',
    async (requestLine) => {
      assertError(await askForTheLastTime(`${requestLine}\r\nHost: a\r\n\r\n`), 400, BAD_REQUEST);
    },
  );

  it.each(['*', ...Object.keys(ENDPOINTS), '/api/nope', '/', '/nope'])(
    'T10 answers OPTIONS %s with 204, for every origin and without counting it',
    async (target) => {
      const preflight = [
        'Access-Control-Request-Method: GET',
        'Access-Control-Request-Headers: if-none-match',
      ];
      const headerLines = ['Host: a', 'Origin: http://b.example', ...preflight];
      const { status, headers } = await ask(`OPTIONS ${target} HTTP/1.1`, headerLines);
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
});

describe('targets on the wire', () => {
  it.each(['search=%E0%A4%A', 'search=%ff', 'search=100%', 'x=%', 'search=%00', 'search=%C0%AF', '%=%'])(
    'T6 answers the query %s',
    async (query) => {
      const api = await get(`/api/scammers?${query}`);
      expect(api.status).toBe(200);
      expect(JSON.parse(api.text)).toHaveProperty('data');
      const page = await get(`/?${query}`);
      expect([page.status, page.headers['content-type']]).toEqual([200, HTML]);
    },
  );

  it.each(['/%', '/%E0%A4%A', '/api/%ff', '/api/scammers%', '/%C0%AF'])(
    'T6 answers 400 to the path %s, which decodes to nothing',
    async (path) => assertError(await get(path), 400, BAD_REQUEST),
  );

  it.each([
    ...['/api', '/api/', '/api/nope', '/api/scammers/1', '/api//scammers', '/api/../api/scammers'],
    ...['/api/./check', '/api/__proto__', '/api/constructor', 'http://evil.example/api/nope'],
  ])('T7 answers 404 as JSON at %s', async (target) => {
    assertError(await get(target), 404, NOT_FOUND);
    assertError(await ask(`POST ${target} HTTP/1.1`), 404, NOT_FOUND);
  });

  it.each([
    ['T7 outside of /api', ['/nope', '/API/scammers', '/apix', '/x/api/scammers']],
    [
      'T7 where another reader would find an endpoint',
      ['//api/scammers', '/x/../api/scammers', '/./api/check', '/%2e%2e/api/check', '/a%5Cb', '/%25%32%65/x'],
    ],
    [
      'T15 at addresses of Astro',
      [
        '/_image',
        '/_image?href=http://127.0.0.1/&w=1',
        '/_server-islands/x',
        '/_actions/x',
        '/_astro/../_image',
      ],
    ],
    [
      'where the error pages lie',
      ['/404', '/404.html', '/429', '/429/index.html', '/503/', '/500', '/500.html', '/500.html/'],
    ],
    ['at compressed files', ['/docs/index.html.br', '/404.html.br', '/favicon.svg.gz']],
  ])('answers 404 as a page %s', async (_where, targets) => {
    const { text } = await get('/nope');
    for (const target of targets) {
      const answer = await get(target);
      expect([target, answer.status, answer.headers['content-type']]).toEqual([target, 404, HTML]);
      expect(answer.text === text, target).toBe(true);
    }
  });

  it('T10 serves absolute form by its path', async () => {
    const plain = await get('/api/scammers?limit=1');
    for (const origin of ['http://evil.example', 'HTTP://a:80', 'https://u:p@a', 'http://[::1]'])
      expect((await get(`${origin}/api/scammers?limit=1`)).text).toBe(plain.text);
    expect((await get('http://evil.example')).text).toBe((await get('/')).text);
  });

  it('T17 counts every spelling of a path in one bucket', async () => {
    const spellings =
      '/api/%73cammers /api/scammers/ /api/scammers//?a /api%2Fscammers /%61pi/%73%63ammers%2f';
    const targets = ['/api/scammers', ...spellings.split(' '), 'http://b.example/api/scammers', '/api/legit'];
    for (const [at, target] of targets.entries()) {
      const { status, headers } = await get(target, [], '127.0.0.17');
      expect([status, headers['ratelimit-remaining']]).toEqual([200, String(999 - at)]);
    }
  });

  it('is not led astray by names that JavaScript objects have', async () => {
    const headerLines = ['__proto__: x', 'constructor: y', 'toString: z', 'hasOwnProperty: q'];
    const query = '?search=__proto__&__proto__=1&constructor=2&__proto__[a]=3&toString=4';
    for (const path of ['/api/check', '/'])
      expect((await get(`${path}${query}`, headerLines)).status).toBe(200);
    const { text } = await get(`/api/scammers${query}`, headerLines);
    expect(JSON.parse(text)).toMatchObject({ total: 1, data: [{ name: '__proto__' }] });
  });

  it('takes 10,000 parameters, or refuses them for their length', async () => {
    expect((await get(`/api/scammers?${'&'.repeat(10_000)}`)).status).toBe(200);
    expect((await get(`/api/scammers?${'a&'.repeat(7_500)}`)).status).toBe(200);
    expect((await get('/', [`X: ${'a'.repeat(15_000)}`])).status).toBe(200);
    assertError(await get(`/api/scammers?${'a=&'.repeat(10_000)}`), 431, HEAD_TOO_LARGE);
    assertError(await get(`/api/scammers?${'id=1&'.repeat(2_000)}`), 400, /^Nieprawidłowy parametr id: /);
  });
});

describe('hosts on the wire', () => {
  it('T8 never repeats the Host, nor what claims to be a proxy', async () => {
    const headerLines = [
      'Host: evil.example:81',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: evil',
      'X-Forwarded-Port: 81',
      'X-Original-URL: /evil',
      'X-Rewrite-URL: /evil',
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

  it.each([
    ['T9', ['Host: a b']],
    ['T9', ['Host: a/b']],
    ['T9', ['Host: u@a']],
    ['T9', ['Host: http://a']],
    ['T9', ['Host: a:b']],
    ['T9', ['Host: \xc5\xbc']],
    ['T9', ['Hos: a']],
    ['T11', ['Host: a', 'Host: b']],
    ['T11', ['Host: a', 'X: y', 'hOST: a']],
  ])('%s answers 400 to %j', async (_name, headerLines) => {
    for (const target of ['/api/scammers', '/', 'http://a/api/scammers'])
      assertError(await ask(`GET ${target} HTTP/1.1`, headerLines), 400, BAD_REQUEST);
  });

  it('T9 serves HTTP/1.0 without a Host', async () => {
    expect((await askForTheLastTime('GET /api/scammers HTTP/1.0\r\n\r\n')).status).toBe(200);
  });
});

describe('bodies on the wire', () => {
  it.each([
    ['GET', 'Content-Length: 5', 'hello', 200],
    ['GET', 'Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n', 200],
    ['GET', 'Transfer-Encoding: chunked', 'zz\r\n', 200],
    ['HEAD', 'Content-Length: 5', 'hello', 200],
    ['OPTIONS', 'Content-Length: 5', 'hello', 204],
    ['POST', 'Content-Length: 5', 'hello', 405],
    ['POST', 'Transfer-Encoding: chunked', 'zz\r\n', 405],
    // Answered before any of it has come.
    ['GET', 'Content-Length: 1000000000', '', 200],
    ['POST', 'Content-Length: 1000000000', '', 405],
    ['POST', 'Transfer-Encoding: chunked', '', 405],
  ])('T14 answers %s with %j and %j once, and ends the connection', async (method, field, body, status) => {
    for (const path of ['/api/scammers', '/']) {
      const answer = await askForTheLastTime(
        `${method} ${path} HTTP/1.1\r\nHost: a\r\n${field}\r\n\r\n${body}`,
      );
      expect([answer.status, answer.headers.connection]).toEqual([status, 'close']);
    }
  });

  it('ignores the wish to speak another protocol', async () => {
    const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c, websocket'];
    expect((await get('/api/scammers', [...upgrade, 'HTTP2-Settings: AAMAAABk'])).status).toBe(200);
  });
});

describe('heads that are no HTTP', () => {
  it.each([
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Content-Length: 5\r\nContent-Length: 6',
    'Content-Length: 5\r\nContent-Length: 5',
    'Content-Length: 5, 5',
    'Content-Length: -1',
    'Content-Length: +5',
    'Content-Length: 0x5',
    'Transfer-Encoding: chunked, gzip',
    'Transfer-Encoding : chunked',
    'X: a\r\n b',
    'X: a\0b',
    'X: a\rb',
    'X',
    'X Y: a',
    ': a',
  ])('get 400 for %j, and the connection ends', async (fields) => {
    const answer = await askForTheLastTime(
      `POST /api/scammers HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\nhello`,
    );
    assertError(answer, 400, BAD_REQUEST);
  });

  it.each([
    'GET /api/sca mmers HTTP/1.1',
    'GET /api/\xc5\xbc HTTP/1.1',
    'GET /api/\0 HTTP/1.1',
    'GET / HTTP/9.9',
    'GET api/scammers HTTP/1.1',
    'PRI * HTTP/2.0',
  ])('get 400 for %j', async (requestLine) => assertError(await ask(requestLine), 400, BAD_REQUEST));

  it.each([
    ['a target of 64 kB', `GET /api/scammers?search=${'a'.repeat(64 * 1024)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a field of 64 kB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(64 * 1024)}\r\n\r\n`],
    ['a name of 64 kB', `GET / HTTP/1.1\r\nHost: a\r\n${'a'.repeat(64 * 1024)}: x\r\n\r\n`],
    ['16,000 fields', `GET / HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(16_000)}\r\n`],
    ['a head that never ends', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(64 * 1024)}`],
  ])('get 431 for %s, and the connection ends', async (_name, bytes) => {
    assertError(await askForTheLastTime(bytes), 431, HEAD_TOO_LARGE);
  });
});

describe('conditional requests on the wire', () => {
  it.each(['/api/scammers', '/api/servers', '/api/legit', '/api/check?search=a', '/api/status', '/'])(
    'answers 304 for %s when the client has it already',
    async (target) => {
      const first = await get(target, [], '127.0.0.4');
      const etag = String(first.headers.etag);
      for (const known of [etag, `"x", W/${etag}`]) {
        const { status, headers } = await get(target, [`If-None-Match: ${known}`], '127.0.0.4');
        expect(status).toBe(304);
        for (const name of ['etag', 'cache-control', 'access-control-allow-origin', 'ratelimit-limit'])
          expect(headers[name], name).toBe(first.headers[name]);
        expect(headers).toMatchObject({
          date: expect.any(String) as string,
          'ratelimit-remaining': expect.stringMatching(/^\d+$/) as string,
          'ratelimit-reset': '60',
        });
        for (const name of ['content-length', 'content-type']) expect(headers[name], name).toBeUndefined();
      }
      const stale = await get(target, ['If-None-Match: "x"'], '127.0.0.4');
      expect([stale.status, stale.text]).toEqual([200, first.text]);
    },
  );

  it('does not let If-Modified-Since, Range or If-Match change an answer', async () => {
    const plain = await get('/api/scammers');
    for (const field of [
      'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT',
      'Range: bytes=0-1',
      'If-Match: "x"',
    ])
      expect(await get('/api/scammers', [field])).toMatchObject({ status: 200, text: plain.text });
  });
});

describe('the rate limit on the wire', () => {
  /** SPEC section 7: one number in three fields and the sentence. */
  const expectRefusal = (answer: WireAnswer, { limit }: RateLimit, seconds = 60): void => {
    assertError(answer, 429, `Za dużo zapytań. Spróbuj ponownie za ${seconds} s.`);
    expect(answer.headers).toMatchObject({
      'retry-after': String(seconds),
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(seconds),
    });
  };
  const LISTS = ['/api/check?search=a', '/api/scammers?limit=1', '/api/servers', '/api/legit?skip=x'];
  const names = ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'X-Client-IP'];
  const spoofed = [...names.map((name) => `${name}: 198.51.100.1`), 'Forwarded: for=198.51.100.1'];

  it.each([
    ['lists and check', LISTS_LIMIT, LISTS, '127.0.0.5'],
    ['status and donation', STATUS_LIMIT, ['/api/status', '/api/donate/status?id=x'], '127.0.0.6'],
  ])(
    '8 T16 refuses %s when their limit is used up, whatever a client claims',
    async (_name, limit, targets, from) => {
      const methods = ['GET', 'HEAD', 'POST'];
      // Not counted.
      await ask(`OPTIONS ${targets[0]} HTTP/1.1`, ['Host: a'], from);
      for (const [at, method] of methods.entries()) {
        const { headers } = await ask(`${method} ${targets[0]} HTTP/1.1`, ['Host: a', ...spoofed], from);
        expect(headers).toMatchObject({ 'ratelimit-remaining': String(limit.limit - 1 - at) });
        expect(headers['retry-after']).toBeUndefined();
      }
      exhaustLimit(site, limit, from);
      for (const target of targets) expectRefusal(await get(target, spoofed, from), limit);
      expect((await ask(`HEAD ${targets[0]} HTTP/1.1`, ['Host: a'], from)).status).toBe(429);
      // Refused, and so not looked at.
      expectRefusal(await ask(`POST ${targets[0]} HTTP/1.1`, ['Host: a'], from), limit);
      expect((await ask(`OPTIONS ${targets[0]} HTTP/1.1`, ['Host: a'], from)).status).toBe(204);
      expect((await get(targets[0] as string, [], '127.0.0.7')).status).toBe(200);
    },
  );
});
