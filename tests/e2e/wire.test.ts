/**
 * The web process as a client meets it: raw bytes to a real src/server.ts. T1 to T17 are the requests that a bare
 * Astro site answers otherwise than the contract wants.
 */
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#src/site.ts';
import { startServer } from '../support/server-process.ts';
import type { RunningServer } from '../support/server-process.ts';
import { makeSmallLists } from '../support/small-lists.ts';
import { dial, expectError } from '../support/wire.ts';
import type { Answer } from '../support/wire.ts';

const BAD_REQUEST = 'Nieprawidłowe zapytanie.';
const NOT_FOUND = 'Nie znaleziono';
const WRONG_METHOD = 'Metoda niedozwolona';
const HEAD_TOO_LARGE = 'Nagłówki lub adres zapytania są za długie: najwyżej 16 kB.';

let databasePath: string;
beforeAll(async () => {
  databasePath = await makeSmallLists();
});

describe('the wire', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ DATABASE_PATH: databasePath });
  });

  /** The one answer to one request; the request line and header lines are sent as they stand. */
  const ask = async (
    requestLine: string,
    headerLines: readonly string[] = ['Host: a'],
    body = '',
  ): Promise<Answer> => {
    const wire = dial(server.port);
    wire.write(`${requestLine}\r\n${headerLines.map((line) => `${line}\r\n`).join('')}\r\n${body}`);
    const answer = await wire.answer(requestLine.startsWith('HEAD '));
    wire.hangUp();
    return answer;
  };
  const get = (target: string, headerLines: readonly string[] = []): Promise<Answer> =>
    ask(`GET ${target} HTTP/1.1`, ['Host: a', ...headerLines]);

  it.each([
    ['no type', []],
    ['a form', ['Content-Type: application/x-www-form-urlencoded']],
    ['a form with files', ['Content-Type: multipart/form-data; boundary=x']],
    ['plain text', ['Content-Type: text/plain']],
    ['a form of another site', ['Content-Type: text/plain', 'Origin: http://evil.example']],
  ])('T1 answers 405 to other methods with %s', async (_name, headerLines) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const path of ['/api/scammers', '/']) {
        const answer = await ask(`${method} ${path} HTTP/1.1`, [
          'Host: a',
          ...headerLines,
          'Content-Length: 0',
        ]);
        expectError(answer, 405, WRONG_METHOD);
        expect(answer.field('allow')).toBe('GET, HEAD, OPTIONS');
      }
    }
  });

  it('T2 answers 405 to every method that Node knows, for endpoints and pages', async () => {
    const others = METHODS.filter((method) => !['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method));
    expect(others.length).toBeGreaterThan(25);
    for (const method of others) {
      for (const path of ['/api/legit', '/scammers']) {
        const answer = await ask(`${method} ${path} HTTP/1.1`);
        expectError(answer, 405, WRONG_METHOD);
        expect(answer.field('allow')).toBe('GET, HEAD, OPTIONS');
      }
    }
  });

  it.each([
    // A stream does not end; its HEAD is in contract/change-events.
    ...Object.entries(ENDPOINTS)
      .filter(([, { definition }]) => !definition.isStream)
      .map(([path]) => path),
    '/api/check?search=a',
    '/api/scammers?limit=61',
    '/api',
    '/api/nope',
    '/',
    '/?search=a',
    '/scammers',
    '/nope',
    '/404',
    '/_image',
    '/%ff',
  ])('T3 gives HEAD %s the headers of GET and no body', async (target) => {
    const wire = dial(server.port);
    const request = `${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
    wire.write(`GET ${request}HEAD ${request}GET /api/nope HTTP/1.1\r\nHost: a\r\n\r\n`);
    const [got, head] = [await wire.answer(), await wire.answer(true)];
    // A body of the second would be taken for the third.
    expectError(await wire.answer(), 404, NOT_FOUND);
    wire.hangUp();
    const comparable = ({ fields }: Answer): readonly (readonly string[])[] =>
      fields.filter(([name = '']) => !/^(?:date|ratelimit-(?:remaining|reset))$/i.test(name));
    expect(head.status).toBe(got.status);
    expect(comparable(head)).toEqual(comparable(got));
    expect(head.field('content-length')).toBe(String(Buffer.byteLength(got.text)));
    expect(got.text).not.toBe('');
  });

  it('T4 answers TRACE like any other method', async () => {
    for (const target of ['/api/scammers', '/', '/nope', 'http://a/api/scammers']) {
      const answer = await ask(`TRACE ${target} HTTP/1.1`, ['Host: a', 'X-Secret: echoed']);
      expectError(answer, 405, WRONG_METHOD);
      expect(answer.text).not.toContain('echoed');
    }
  });

  it('T5 answers a method that is none in the error form and ends the connection', async () => {
    for (const requestLine of [
      'FOO / HTTP/1.1',
      'get / HTTP/1.1',
      'GETX /api/scammers HTTP/1.1',
      '\x16\x03\x01',
    ]) {
      const wire = dial(server.port);
      wire.write(`${requestLine}\r\nHost: a\r\n\r\n`);
      expectError(await wire.answer(), 400, BAD_REQUEST);
      expect(await wire.rest()).toBe('');
    }
  });

  it('T5 answers CONNECT with 405 and ends the connection', async () => {
    const wire = dial(server.port);
    wire.write('CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n');
    const answer = await wire.answer();
    expectError(answer, 405, WRONG_METHOD);
    expect(answer.field('allow')).toBe('GET, HEAD, OPTIONS');
    expect(await wire.rest()).toBe('');
  });

  it('T5 outlives clients that reset their connection', async () => {
    const heads = [
      'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\nhello',
      'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET /api/scammers HTTP/1.1\r\nHost: a\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab',
      'FOO / HTTP/1.1\r\n\r\n',
      'GET / HT',
    ];
    for (let round = 0; round < 20; round += 1) {
      for (const head of heads) {
        const wire = dial(server.port);
        wire.write(head);
        await once(wire.socket, 'connect');
        if (round % 2 === 0 && !head.endsWith('HT')) await wire.answer();
        wire.socket.resetAndDestroy();
      }
    }
    expect((await get('/api/scammers')).status).toBe(200);
    expect(server.hasEnded()).toBe(false);
  });

  it.each(['search=%E0%A4%A', 'search=%ff', 'search=100%', 'x=%', 'search=%00', 'search=%C0%AF', '%=%'])(
    'T6 answers the query %s',
    async (query) => {
      const api = await get(`/api/scammers?${query}`);
      expect(api.status).toBe(200);
      expect(JSON.parse(api.text)).toHaveProperty('data');
      const page = await get(`/?${query}`);
      expect(page.status).toBe(200);
      expect(page.field('content-type')).toBe('text/html; charset=utf-8');
    },
  );

  it.each(['/%', '/%E0%A4%A', '/api/%ff', '/api/scammers%', '/%C0%AF'])(
    'T6 answers 400 to the path %s, which decodes to nothing',
    async (path) => {
      expectError(await get(path), 400, BAD_REQUEST);
    },
  );

  it.each([
    '/api',
    '/api/',
    '/api/nope',
    '/api/scammers/1',
    '/api//scammers',
    '/api/../api/scammers',
    '/api/./check',
  ])('T7 answers 404 as JSON at %s', async (path) => {
    expectError(await get(path), 404, NOT_FOUND);
  });

  it('T7 answers 404 as a page elsewhere', async () => {
    for (const path of [
      '/nope',
      '/API/scammers',
      '/apix',
      '/x/api/scammers',
      '//api/scammers',
      '/x/../api/scammers',
    ]) {
      const answer = await get(path);
      expect(answer.status).toBe(404);
      expect(answer.field('content-type')).toBe('text/html; charset=utf-8');
    }
  });

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
      const plain = await ask(`GET ${path} HTTP/1.1`, ['Host: a']);
      const answer = await ask(`GET ${path} HTTP/1.1`, headerLines);
      expect(answer.status).toBe(plain.status);
      expect(answer.text).toBe(plain.text);
      expect(JSON.stringify(answer.fields)).not.toContain('evil');
    }
  });

  it.each(['Host: a b', 'Host: a/b', 'Host: u@a', 'Host: http://a', 'Host: a:b', 'Host: \xc5\xbc', 'Hos: a'])(
    'T9 answers 400 to %j',
    async (headerLine) => {
      for (const path of ['/api/scammers', '/']) {
        expectError(await ask(`GET ${path} HTTP/1.1`, [headerLine]), 400, BAD_REQUEST);
      }
    },
  );

  it('T9 serves HTTP/1.0 without a Host', async () => {
    const wire = dial(server.port);
    wire.write('GET /api/scammers HTTP/1.0\r\n\r\n');
    expect((await wire.answer()).status).toBe(200);
    expect(await wire.rest()).toBe('');
  });

  it('T10 serves absolute form by its path', async () => {
    const plain = await get('/api/scammers?limit=1');
    for (const origin of ['http://evil.example', 'HTTP://a:80', 'https://u:p@a', 'http://[::1]']) {
      const answer = await ask(`GET ${origin}/api/scammers?limit=1 HTTP/1.1`);
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(plain.text);
    }
    expectError(await ask('GET http://evil.example/api/nope HTTP/1.1'), 404, NOT_FOUND);
    expect((await ask('GET http://evil.example HTTP/1.1')).text).toBe((await get('/')).text);
  });

  it('T10 answers OPTIONS about the server as a whole', async () => {
    const answer = await ask('OPTIONS * HTTP/1.1');
    expect(answer.status).toBe(204);
    expect(answer.field('allow')).toBe('GET, HEAD, OPTIONS');
  });

  it('T11 answers 400 to two Hosts, equal or not', async () => {
    expectError(await ask('GET /api/scammers HTTP/1.1', ['Host: a', 'Host: b']), 400, BAD_REQUEST);
    expectError(await ask('GET /api/scammers HTTP/1.1', ['Host: a', 'X: y', 'hOST: a']), 400, BAD_REQUEST);
    expectError(await ask('GET / HTTP/1.1', ['Host: a', 'Host: b']), 400, BAD_REQUEST);
    expectError(await ask('GET http://a/api/scammers HTTP/1.1', ['Host: a', 'Host: b']), 400, BAD_REQUEST);
  });

  // T12, the drain, has processes of its own below; T13, the time-outs, stands in unit/http/http-server.test.ts.

  it('T13 answers a head that comes byte by byte', async () => {
    const wire = dial(server.port);
    wire.socket.setNoDelay(true);
    for (const byte of 'GET /api/legit HTTP/1.1\r\nHost: a\r\n\r\n') {
      await new Promise<void>((resolve) => wire.socket.write(byte, () => resolve()));
    }
    expect((await wire.answer()).status).toBe(200);
    wire.hangUp();
  });

  it.each([
    ['GET', 'Content-Length: 5', 'hello', 200],
    ['GET', 'Transfer-Encoding: chunked', '5\r\nhello\r\n0\r\n\r\n', 200],
    ['HEAD', 'Content-Length: 5', 'hello', 200],
    ['OPTIONS', 'Content-Length: 5', 'hello', 204],
    ['POST', 'Content-Length: 5', 'hello', 405],
    // Answered before any of it has come.
    ['GET', 'Content-Length: 1000000000', '', 200],
    ['POST', 'Content-Length: 1000000000', '', 405],
    ['POST', 'Transfer-Encoding: chunked', '', 405],
  ])(
    'T14 answers %s with "%s" without reading the body, and ends the connection',
    async (method, field, body, status) => {
      for (const path of ['/api/scammers', '/']) {
        const wire = dial(server.port);
        wire.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\n${field}\r\n\r\n${body}`);
        const answer = await wire.answer(method === 'HEAD');
        expect(answer.status).toBe(status);
        expect(answer.field('connection')).toBe('close');
        expect(await wire.rest()).toBe('');
      }
    },
  );

  it('T14 does not invite a body', async () => {
    const answer = await ask('POST /api/scammers HTTP/1.1', [
      'Host: a',
      'Expect: 100-continue',
      'Content-Length: 1000000000',
    ]);
    expectError(answer, 405, WRONG_METHOD);
    expect((await get('/api/scammers', ['Expect: miracles'])).status).toBe(200);
  });

  it('T14 keeps a connection whose request says that it has no body', async () => {
    const wire = dial(server.port);
    const request = 'GET /api/legit HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n';
    for (let round = 0; round < 3; round += 1) {
      wire.write(request);
      expect((await wire.answer()).status).toBe(200);
    }
    wire.hangUp();
  });

  it.each([
    '/_image',
    '/_image?href=http://127.0.0.1/&w=1',
    '/_server-islands/x',
    '/_actions/x',
    '/_astro/../_image',
  ])('T15 has nothing at %s', async (target) => {
    const answer = await get(target);
    expect(answer.status).toBe(404);
    expect(answer.text).toBe((await get('/nope')).text);
  });

  it.each(['/404', '/404.html', '/429', '/429/', '/429/index.html', '/503', '/500', '/500.html'])(
    'has no page at %s, where the error pages lie',
    async (target) => {
      const answer = await get(target);
      expect(answer.status).toBe(404);
      expect(answer.text).toBe((await get('/nope')).text);
    },
  );

  it('T17 counts every spelling of a path in one bucket', async () => {
    // In a process whose window has just begun.
    const wire = dial((await startServer({ DATABASE_PATH: databasePath })).port);
    let expected = 1000;
    for (const target of [
      '/api/scammers',
      '/api/%73cammers',
      '/api/scammers/',
      '/api/scammers//?a',
      '/api%2Fscammers',
      '/%61pi/%73%63ammers%2f',
      'http://b.example/api/scammers',
      '/api/legit',
    ]) {
      wire.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const answer = await wire.answer();
      expect(answer.status).toBe(200);
      expected -= 1;
      expect(answer.field('ratelimit-remaining')).toBe(String(expected));
    }
    wire.hangUp();
  });

  it('answers pipelined requests in their order, slow ones among quick ones', async () => {
    const wire = dial(server.port);
    wire.write(
      ['/', '/api/scammers?id=100000000000000001', '/api/nope']
        .map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
        .join(''),
    );
    const page = await wire.answer();
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/^<!DOCTYPE html>/);
    expect(JSON.parse((await wire.answer()).text)).toMatchObject({ total: 1, data: [{ name: 'Zażółć' }] });
    expectError(await wire.answer(), 404, NOT_FOUND);
    wire.hangUp();
  });

  it('refuses what follows a page only after the page', async () => {
    const wire = dial(server.port);
    wire.write('GET / HTTP/1.1\r\nHost: a\r\n\r\ngarbage\r\n\r\n');
    expect((await wire.answer()).status).toBe(200);
    expectError(await wire.answer(), 400, BAD_REQUEST);
    expect(await wire.rest()).toBe('');
  });

  it('answers a request with a malformed body once', async () => {
    for (const [method, path, status] of [
      ['GET', '/api/scammers', 200],
      ['POST', '/api/scammers', 405],
      ['GET', '/', 200],
    ] as const) {
      const wire = dial(server.port);
      wire.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`);
      expect((await wire.answer()).status).toBe(status);
      expect(await wire.rest()).toBe('');
    }
  });

  it.each([
    ['Content-Length and Transfer-Encoding', 'Content-Length: 5\r\nTransfer-Encoding: chunked'],
    ['Transfer-Encoding and Content-Length', 'Transfer-Encoding: chunked\r\nContent-Length: 5'],
    ['two Content-Lengths', 'Content-Length: 5\r\nContent-Length: 6'],
    ['two equal Content-Lengths', 'Content-Length: 5\r\nContent-Length: 5'],
    ['a list of Content-Lengths', 'Content-Length: 5, 5'],
    ['a negative Content-Length', 'Content-Length: -1'],
    ['a Content-Length with a sign', 'Content-Length: +5'],
    ['a Content-Length that is no number', 'Content-Length: 0x5'],
    ['an unknown last encoding', 'Transfer-Encoding: chunked, gzip'],
    ['a space before the colon', 'Transfer-Encoding : chunked'],
    ['a folded line', 'X: a\r\n b'],
    ['a NUL in a value', 'X: a\0b'],
    ['a bare CR in a value', 'X: a\rb'],
    ['a line without a colon', 'X'],
    ['a name with a space', 'X Y: a'],
    ['a name of nothing', ': a'],
  ])('answers 400 to %s and ends the connection', async (_name, fields) => {
    const wire = dial(server.port);
    wire.write(`POST /api/scammers HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\nhello`);
    expectError(await wire.answer(), 400, BAD_REQUEST);
    expect(await wire.rest()).toBe('');
  });

  it.each([
    ['a space in the target', 'GET /api/sca mmers HTTP/1.1'],
    ['raw UTF-8 in the target', 'GET /api/\xc5\xbc HTTP/1.1'],
    ['a NUL in the target', 'GET /api/\0 HTTP/1.1'],
    ['a version that is none', 'GET / HTTP/9.9'],
    ['a target that is no path', 'GET api/scammers HTTP/1.1'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0'],
  ])('answers 400 to %s', async (_name, requestLine) => {
    expectError(await ask(requestLine), 400, BAD_REQUEST);
  });

  it('ignores the wish to speak another protocol', async () => {
    const upgrade = [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c, websocket',
      'HTTP2-Settings: AAMAAABk',
    ];
    expect((await get('/api/scammers', upgrade)).status).toBe(200);
  });

  it('is not led astray by names that JavaScript objects have', async () => {
    const headerLines = ['__proto__: x', 'constructor: y', 'toString: z', 'hasOwnProperty: q'];
    const query = '__proto__=1&constructor=2&__proto__[a]=3&toString=4';
    for (const path of ['/api/scammers', '/api/check', '/']) {
      expect((await get(`${path}?search=__proto__&${query}`, headerLines)).status).toBe(200);
    }
    const answer = await get('/api/scammers?search=__proto__', headerLines);
    expect(JSON.parse(answer.text)).toMatchObject({ total: 1, data: [{ name: '__proto__' }] });
    for (const path of ['/api/__proto__', '/api/constructor', '/api/toString']) {
      expectError(await get(path), 404, NOT_FOUND);
    }
  });

  it('takes 10,000 parameters, or refuses them for their length', async () => {
    expect((await get(`/api/scammers?${'&'.repeat(10_000)}`)).status).toBe(200);
    expect((await get(`/api/scammers?${'a&'.repeat(7_500)}`)).status).toBe(200);
    expectError(await get(`/api/scammers?${'a=&'.repeat(10_000)}`), 431, HEAD_TOO_LARGE);
    expectError(
      await get(`/api/scammers?${'id=1&'.repeat(2_000)}`),
      400,
      'Nieprawidłowy parametr id: można go podać tylko raz.',
    );
  });

  it.each([
    ['a target of 64 kB', `GET /api/scammers?search=${'a'.repeat(64 * 1024)} HTTP/1.1\r\nHost: a\r\n\r\n`],
    ['a field of 64 kB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(64 * 1024)}\r\n\r\n`],
    ['a name of 64 kB', `GET / HTTP/1.1\r\nHost: a\r\n${'a'.repeat(64 * 1024)}: x\r\n\r\n`],
    ['16,000 fields', `GET / HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(16_000)}\r\n`],
    ['a head that never ends', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(64 * 1024)}`],
  ])('answers 431 to %s and ends the connection', async (_name, request) => {
    const wire = dial(server.port);
    wire.write(request);
    expectError(await wire.answer(), 431, HEAD_TOO_LARGE);
    expect(await wire.rest()).toBe('');
  });

  it('answers a head just under 16 kB', async () => {
    expect((await get(`/api/scammers?x=${'a'.repeat(15_000)}`)).status).toBe(200);
    expect((await get('/', [`X: ${'a'.repeat(15_000)}`])).status).toBe(200);
  });

  it.each([...Object.keys(ENDPOINTS), '/api/nope', '/', '/nope'])(
    'answers OPTIONS %s with 204',
    async (path) => {
      const answer = await ask(`OPTIONS ${path} HTTP/1.1`, [
        'Host: a',
        'Origin: http://b.example',
        'Access-Control-Request-Method: GET',
        'Access-Control-Request-Headers: if-none-match',
      ]);
      expect(answer.status).toBe(204);
      expect(answer.field('allow')).toBe('GET, HEAD, OPTIONS');
      expect(answer.field('access-control-allow-origin')).toBe('*');
      expect(answer.field('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
      expect(answer.field('access-control-allow-headers')).toBe('*');
      expect(Number(answer.field('access-control-max-age'))).toBeGreaterThan(0);
      expect(answer.field('access-control-allow-credentials')).toBeUndefined();
      expect(answer.field('ratelimit-remaining')).toBeUndefined();
      expect(answer.field('content-length')).toBeUndefined();
    },
  );

  it.each(['/api/scammers', '/api/servers', '/api/legit', '/api/check?search=a', '/'])(
    'answers 304 for %s when the client has it already',
    async (target) => {
      const first = await get(target);
      const etag = first.field('etag') ?? '';
      expect(etag).toMatch(/^"[^"]+"$/);
      for (const known of [etag, `W/${etag}`, '*', `"x", ${etag}`, `W/"x",W/${etag}`]) {
        const answer = await get(target, [`If-None-Match: ${known}`]);
        expect(answer.status).toBe(304);
        expect(answer.field('etag')).toBe(etag);
        expect(answer.field('cache-control')).toBe(first.field('cache-control'));
        expect(answer.field('date')).toBeDefined();
        expect(answer.field('ratelimit-limit')).toBe('1000');
        expect(answer.field('ratelimit-remaining')).toMatch(/^\d+$/);
        expect(answer.field('ratelimit-reset')).toMatch(/^\d+$/);
        expect(answer.field('content-length')).toBeUndefined();
        expect(answer.field('access-control-allow-origin')).toBe(first.field('access-control-allow-origin'));
      }
      for (const stale of ['"x"', etag.replaceAll('"', ''), `${etag}x`, '']) {
        const answer = await get(target, [`If-None-Match: ${stale}`]);
        expect(answer.status).toBe(200);
        expect(answer.text).toBe(first.text);
      }
    },
  );

  it('sends nothing after a 304, so that the connection can go on', async () => {
    const wire = dial(server.port);
    wire.write('GET /api/legit HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n');
    wire.write('HEAD /api/legit HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n');
    wire.write('GET /api/nope HTTP/1.1\r\nHost: a\r\nIf-None-Match: *\r\n\r\n');
    expect((await wire.answer()).status).toBe(304);
    expect((await wire.answer(true)).status).toBe(304);
    expectError(await wire.answer(), 404, NOT_FOUND);
    wire.hangUp();
  });

  it('does not let If-Modified-Since or Range change an answer', async () => {
    const plain = await get('/api/scammers');
    for (const field of [
      'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT',
      'Range: bytes=0-1',
      'If-Match: "x"',
    ]) {
      const answer = await get('/api/scammers', [field]);
      expect(answer.status).toBe(200);
      expect(answer.text).toBe(plain.text);
    }
  });
});
