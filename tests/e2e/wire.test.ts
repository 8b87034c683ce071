/**
 * The web process as a client meets it: raw bytes to a real src/server.ts. T1 to T17 are the requests that a bare
 * Astro site answers otherwise than the contract wants.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { METHODS } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#src/site.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase, makeFolder } from '../support/temporary-database.ts';

const SERVER = join(import.meta.dirname, '../../src/server.ts');
const BAD_REQUEST = 'Nieprawidłowe zapytanie.';
const NOT_FOUND = 'Nie znaleziono';
const WRONG_METHOD = 'Metoda niedozwolona';
const HEAD_TOO_LARGE = 'Nagłówki lub adres zapytania są za długie: najwyżej 16 kB.';

/** One database for the tests that only read. */
let databasePath: string;
beforeAll(async () => {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [
    makeRecord({ id: '100000000000000001', name: 'Zażółć' }),
    makeRecord({ id: '100000000000000002', name: '__proto__' }),
    makeRecord({ verified: false }),
  ]);
  await importRecords(db, 'servers', [makeRecord()]);
  await importRecords(db, 'legit', [makeRecord()]);
  databasePath = db.path;
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
    ...Object.keys(ENDPOINTS),
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

  it.each(['/404', '/404.html', '/429', '/429/', '/429/index.html', '/500', '/500.html'])(
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

describe('the rate limit on the wire', () => {
  it('8 does not count OPTIONS, not even when the limit is used up', async () => {
    const wire = dial((await startServer({ DATABASE_PATH: databasePath })).port);
    for (let sent = 0; sent < 31; sent += 1) {
      for (const method of ['OPTIONS', 'GET'])
        wire.write(`${method} /api/status HTTP/1.1\r\nHost: a\r\n\r\n`);
      expect((await wire.answer()).status).toBe(204);
      expect((await wire.answer()).status).toBe(sent < 30 ? 200 : 429);
    }
    wire.write('OPTIONS /api/status HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await wire.answer()).status).toBe(204);
    wire.hangUp();
  });

  it('8 admits 30 requests of status and donation, and tells the 31st when to come back', async () => {
    const server = await startServer({ DATABASE_PATH: databasePath });
    const targets = [
      '/api/status',
      '/api/donate/status?id=ltc_00000000000000000000000000000000',
      '/api/donate/status',
    ];
    const wire = dial(server.port);
    for (let sent = 0; sent < 30; sent += 1) {
      wire.write(`GET ${targets[sent % 3]} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const answer = await wire.answer();
      expect(answer.status).toBe([200, 404, 400][sent % 3]);
      expect(answer.field('ratelimit-limit')).toBe('30');
      expect(answer.field('ratelimit-remaining')).toBe(String(29 - sent));
      expect(answer.field('retry-after')).toBeUndefined();
    }
    for (const target of targets) {
      wire.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expectRefusal(await wire.answer(), 30);
    }
    // Other buckets and other addresses are not touched.
    wire.write('GET /api/check?search=a HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await wire.answer()).field('ratelimit-remaining')).toBe('999');
    wire.hangUp();
    const neighbour = dial(server.port, '127.0.0.2');
    neighbour.write('GET /api/status HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await neighbour.answer()).field('ratelimit-remaining')).toBe('29');
    neighbour.hangUp();
  });

  it('8 T16 admits 1000 requests of lists and check, whatever X-Forwarded-For says', async () => {
    const server = await startServer({ DATABASE_PATH: databasePath });
    const targets = ['/api/check?search=a', '/api/scammers?limit=1', '/api/servers', '/api/legit'];
    const spoof = (sent: number): string =>
      ['X-Forwarded-For', 'X-Real-IP', 'CF-Connecting-IP', 'X-Client-IP']
        .map((name) => `${name}: 198.51.100.${sent % 256}\r\n`)
        .concat(`Forwarded: for=198.51.100.${sent % 256}\r\n`)
        .join('');
    const wire = dial(server.port);
    for (let sent = 0; sent < 1000; sent += 1) {
      wire.write(`GET ${targets[sent % 4]} HTTP/1.1\r\nHost: a\r\n${spoof(sent)}\r\n`);
      const answer = await wire.answer();
      if (answer.status !== 200 || answer.field('ratelimit-remaining') !== String(999 - sent)) {
        expect.unreachable(
          `request ${sent + 1}: ${answer.status}, ${answer.field('ratelimit-remaining')} left`,
        );
      }
    }
    for (const target of targets) {
      wire.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n${spoof(7)}\r\n`);
      expectRefusal(await wire.answer(), 1000);
    }
    wire.hangUp();
    const another = dial(server.port);
    another.write('HEAD /api/check?search=a HTTP/1.1\r\nHost: a\r\n\r\n');
    const refused = await another.answer(true);
    expect(refused.status).toBe(429);
    expect(refused.field('retry-after')).toBe(refused.field('ratelimit-reset'));
    another.hangUp();
    const neighbour = dial(server.port, '127.0.0.2');
    neighbour.write('GET /api/check?search=a HTTP/1.1\r\nHost: a\r\n\r\n');
    expect((await neighbour.answer()).field('ratelimit-remaining')).toBe('999');
    neighbour.hangUp();
  });

  it('8 T16 counts by X-Forwarded-For, read from the right, behind a trusted proxy', async () => {
    const server = await startServer({ DATABASE_PATH: databasePath, TRUST_PROXY: 'loopback' });
    const wire = dial(server.port);
    const askFrom = (forwardedFor: string): Promise<Answer> => {
      wire.write(`GET /api/status HTTP/1.1\r\nHost: a\r\n${forwardedFor}\r\n`);
      return wire.answer();
    };
    for (let sent = 0; sent < 30; sent += 1) {
      const answer = await askFrom(`X-Forwarded-For: 203.0.113.${sent}, 198.51.100.1, 127.0.0.9\r\n`);
      expect(answer.field('ratelimit-remaining')).toBe(String(29 - sent));
    }
    expectRefusal(await askFrom('X-Forwarded-For: 203.0.113.99, 198.51.100.1\r\n'), 30);
    expectRefusal(await askFrom('X-Forwarded-For: 203.0.113.99\r\nX-Forwarded-For: 198.51.100.1\r\n'), 30);
    expect((await askFrom('X-Forwarded-For: 198.51.100.1, 198.51.100.2\r\n')).status).toBe(200);
    expect((await askFrom('X-Forwarded-For: 2001:db8:1:2::1\r\n')).field('ratelimit-remaining')).toBe('29');
    expect((await askFrom('X-Forwarded-For: [2001:db8:1:2::2]:99\r\n')).field('ratelimit-remaining')).toBe(
      '28',
    );
    expect((await askFrom('')).field('ratelimit-remaining')).toBe('29');
    expect((await askFrom('X-Forwarded-For: nonsense\r\n')).field('ratelimit-remaining')).toBe('28');
    wire.hangUp();
  });
});

describe('the end of the process', () => {
  const HALF = 'GET /api/scammers HTTP/1.1\r\nHos';
  const OTHER_HALF = 't: a\r\n\r\n';

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'T12 finishes requests in flight after %s, and no new ones',
    async (signal) => {
      const server = await startServer({ DATABASE_PATH: databasePath });
      const clients = Array.from({ length: 20 }, () => dial(server.port));
      for (const client of clients) {
        // Once the first request is answered, the server has read what came with it.
        client.write(`GET /api/legit HTTP/1.1\r\nHost: a\r\n\r\n${HALF}`);
        expect((await client.answer()).status).toBe(200);
      }
      const idle = dial(server.port);
      idle.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await idle.answer();

      server.process.kill(signal);
      await server.logged('ending');
      expect(await idle.rest()).toBe('');
      await refusesConnections(server.port);
      for (const client of clients) {
        client.write(OTHER_HALF);
        const answer = await client.answer();
        expect(answer.status).toBe(200);
        expect(JSON.parse(answer.text)).toMatchObject({ total: 3 });
        expect(answer.field('connection')).toBe('close');
        expect(await client.rest()).toBe('');
      }
      expect(await server.ended()).toEqual({ code: 0, signal: null, stderr: '' });
    },
  );

  it('T12 lets a slow reader have its whole answer', async () => {
    const db = await makeDatabase();
    const reason = 'Długi powód. '.repeat(1_500);
    await importRecords(
      db,
      'scammers',
      Array.from({ length: 60 }, () => makeRecord({ reason })),
    );
    const server = await startServer({ DATABASE_PATH: db.path });
    const slow = dial(server.port);
    // Together more than the system holds between two sockets, so that most of it is sent after the signal; in one
    // piece, so that the server has read all of them before it.
    const count = 12;
    slow.write('GET /api/scammers?limit=60 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
    const first = await slow.answer();
    expect(first.text.length).toBeGreaterThan(1_000_000);
    slow.socket.pause();

    server.process.kill('SIGTERM');
    await server.logged('ending');
    await refusesConnections(server.port);
    expect(slow.socket.bytesRead).toBeLessThan(first.text.length * count);
    slow.socket.resume();
    for (let read = 1; read < count; read += 1) expect((await slow.answer()).text === first.text).toBe(true);
    expect(await slow.rest()).toBe('');
    expect(await server.ended()).toMatchObject({ code: 0 });
  });

  it('T12 takes several signals for one request to end', async () => {
    const server = await startServer({ DATABASE_PATH: databasePath });
    const client = dial(server.port);
    client.write(`GET /api/legit HTTP/1.1\r\nHost: a\r\n\r\n${HALF}`);
    await client.answer();
    server.process.kill('SIGTERM');
    await server.logged('ending');
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) server.process.kill(signal);
    await refusesConnections(server.port);
    client.write(OTHER_HALF);
    expect((await client.answer()).status).toBe(200);
    expect(await server.ended()).toEqual({ code: 0, signal: null, stderr: '' });
    expect(server.log.filter(({ msg }) => msg === 'ending')).toHaveLength(1);
    expect(server.log.at(-1)).toMatchObject({ msg: 'ended', level: 'info' });
  });

  it('T12 does not wait for clients that were refused and stay', async () => {
    const server = await startServer({ DATABASE_PATH: databasePath });
    const wires = ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'FOO / HTTP/1.1\r\n\r\n'].map((request) => {
      const wire = dial(server.port, undefined, true);
      wire.write(request);
      return wire;
    });
    for (const wire of wires) await wire.answer();
    server.process.kill('SIGTERM');
    expect(await server.ended()).toMatchObject({ code: 0 });
    for (const wire of wires) wire.hangUp();
  });
});

describe('the start of the process', () => {
  it('says in the log where it listens, and nothing on standard error', async () => {
    const server = await startServer({ DATABASE_PATH: databasePath });
    expect(server.log[0]).toMatchObject({
      component: 'web',
      level: 'info',
      host: '127.0.0.1',
      port: server.port,
    });
    server.process.kill('SIGTERM');
    expect(await server.ended()).toEqual({ code: 0, signal: null, stderr: '' });
  });

  it('refuses a port that is taken, and says which', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const end = await runServer({ DATABASE_PATH: databasePath, PORT: String(port) }).ended();
    expect(end).toMatchObject({ code: 2, signal: null });
    expect(end.stderr).toMatch(new RegExp(`^cannot listen on 127\\.0\\.0\\.1:${port}: .*EADDRINUSE.*\\n$`));
    other.close();
  });

  it('refuses an address that is not its own', async () => {
    const end = await runServer({ DATABASE_PATH: databasePath, HOST: '192.0.2.1' }).ended();
    expect(end).toMatchObject({ code: 2 });
    expect(end.stderr).toContain('cannot listen on 192.0.2.1:0: EADDRNOTAVAIL');
  });

  it('refuses wrong settings with every problem and an example for each', async () => {
    const server = runServer({
      PORT: '70000',
      HOST: 'a b',
      BASE_URL: 'https://czujka.example/path',
      TRUST_PROXY: '1',
      LOG_LEVEL: 'loud',
    });
    const { code, stderr } = await server.ended();
    expect(code).toBe(2);
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe('wrong settings:');
    for (const [name, value] of [
      ['HOST', 'a b'],
      ['PORT', '70000'],
      ['BASE_URL', 'https://czujka.example/path'],
      ['TRUST_PROXY', '1'],
      ['LOG_LEVEL', 'loud'],
    ]) {
      const line = lines.find((one) => one.startsWith(`  ${name}=`));
      expect(line).toMatch(/: must be .+, for example [A-Z_]+=\S+/);
      expect(line).toContain(`${name}=${value}:`);
    }
    expect(server.log).toEqual([]);
  });

  it('refuses a database that is missing, and does not make one', async () => {
    const path = join(makeFolder(), 'none.db');
    const { code, stderr } = await runServer({ DATABASE_PATH: path }).ended();
    expect(code).toBe(2);
    expect(stderr).toContain(path);
    expect(stderr).toContain('npm start');
    expect(existsSync(path)).toBe(false);
  });

  it('refuses a database that is empty', async () => {
    const path = join(makeFolder(), 'empty.db');
    writeFileSync(path, '');
    const { code, stderr } = await runServer({ DATABASE_PATH: path }).ended();
    expect(code).toBe(2);
    expect(stderr).toContain('npm start');
  });

  it('refuses a database that is behind, and says what brings it up', async () => {
    const db = await makeDatabase();
    db.connection.exec('DELETE FROM kysely_migration WHERE name = (SELECT max(name) FROM kysely_migration)');
    const { code, stderr } = await runServer({ DATABASE_PATH: db.path }).ended();
    expect(code).toBe(2);
    expect(stderr).toContain(`the database ${db.path} is behind this version`);
    expect(stderr).toContain('npm start');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('refuses a database that is newer, and says what helps', async () => {
    const db = await makeDatabase();
    db.connection.exec("INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-future', '2030-01-01')");
    const { code, stderr } = await runServer({ DATABASE_PATH: db.path }).ended();
    expect(code).toBe(2);
    expect(stderr).toContain(`the database ${db.path} is newer than this version`);
    expect(stderr).toMatch(/update Czujka|restore a backup/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it('serves errors, and stays up, over a file that is no database', async () => {
    const path = join(makeFolder(), 'damaged.db');
    writeFileSync(path, 'no database at all\n'.repeat(1_000));
    const server = await startServer({ DATABASE_PATH: path });
    const wire = dial(server.port);
    for (const target of ['/api/scammers', '/api/check?search=a']) {
      wire.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      expectError(await wire.answer(), 500, 'Błąd podczas pobierania danych.');
    }
    wire.write('GET /api/status HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(JSON.parse((await wire.answer()).text)).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ id: 'database', ok: false })]) as unknown,
    });
    wire.write('GET /api/nope HTTP/1.1\r\nHost: a\r\n\r\n');
    expectError(await wire.answer(), 404, NOT_FOUND);
    wire.hangUp();
  });
});

interface LogLine {
  readonly msg?: string;
  readonly level?: string;
  readonly [key: string]: unknown;
}

interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

interface ServerProcess {
  readonly process: ChildProcess;
  readonly log: readonly LogLine[];
  /** The first line with this message, also when it was written before. */
  logged(msg: string): Promise<LogLine>;
  ended(): Promise<ProcessEnd>;
  hasEnded(): boolean;
}

interface RunningServer extends ServerProcess {
  readonly port: number;
}

/** Starts the web process with these settings and no others. */
function runServer(settings: Readonly<Record<string, string>>): ServerProcess {
  const child = spawn(process.execPath, [SERVER], {
    // Neither a developer's .env nor vitest's own BASE_URL belong to the tests.
    cwd: makeFolder(),
    env: { PORT: '0', LOG_LEVEL: 'info', ...settings },
    // The channel ends it when the tests do, however they end.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stderr = '';
  const { stdout, stderr: errors } = child as ChildProcessWithoutNullStreams;
  errors.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  const log: LogLine[] = [];
  const lines = createInterface({ input: stdout });
  lines.on('line', (line) => log.push(JSON.parse(line) as LogLine));
  const end = new Promise<ProcessEnd>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, stderr }));
  });
  return {
    process: child,
    log,
    async logged(msg) {
      for (;;) {
        const found = log.find((line) => line.msg === msg);
        if (found) return found;
        if (this.hasEnded()) throw new Error(`the server ended without "${msg}": ${stderr}`);
        await Promise.race([once(lines, 'line'), end]);
      }
    },
    ended: () => end,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  };
}

async function startServer(settings: Readonly<Record<string, string>>): Promise<RunningServer> {
  const server = runServer(settings);
  const { port } = await server.logged('listening');
  return { ...server, port: port as number };
}

interface Answer {
  readonly status: number;
  /** Names and values as they came. */
  readonly fields: readonly (readonly string[])[];
  readonly text: string;
  /** The value of the one field of this name, which is given in lower case. */
  field(name: string): string | undefined;
}

/** A connection that is written to and read from byte by byte, without a client that repairs anything. */
interface Wire {
  readonly socket: Socket;
  write(text: string): void;
  /** The next answer. */
  answer(isHead?: boolean): Promise<Answer>;
  /** What comes until the server ends the connection. */
  rest(): Promise<string>;
  hangUp(): void;
}

function dial(port: number, localAddress?: string, allowHalfOpen = false): Wire {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen, ...(localAddress && { localAddress }) });
  let received = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => {};
  let failure: unknown;
  socket.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    wake();
  });
  for (const event of ['end', 'close'] as const) {
    socket.on(event, () => {
      isOver = true;
      wake();
    });
  }
  socket.on('error', (error) => (failure = error));
  afterAll(() => {
    socket.destroy();
  });

  const more = async (): Promise<void> => {
    if (isOver) {
      throw new Error(`the connection ended after ${JSON.stringify(received.toString())}`, {
        cause: failure,
      });
    }
    await new Promise<void>((resolve) => (wake = resolve));
  };
  const take = async (length: number): Promise<Buffer> => {
    while (received.length < length) await more();
    const taken = received.subarray(0, length);
    received = received.subarray(length);
    return taken;
  };
  return {
    socket,
    write: (text) => {
      socket.write(text, 'latin1');
    },
    async answer(isHead = false) {
      while (!received.includes('\r\n\r\n')) await more();
      const head = (await take(received.indexOf('\r\n\r\n') + 4)).toString('latin1');
      const [statusLine = '', ...lines] = head.trimEnd().split('\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3}) \S/.exec(statusLine)?.[1]);
      const fields = lines.map((line) => /^([\w-]+): (.*)$/.exec(line)?.slice(1) ?? ['', line]);
      const field = (name: string): string | undefined => {
        const values = fields.filter(([key = '']) => key.toLowerCase() === name).map(([, value]) => value);
        if (values.length > 1) throw new Error(`${name} comes ${values.length} times: ${values.join(' | ')}`);
        return values[0];
      };
      const hasBody = !isHead && status !== 204 && status !== 304;
      const body = await take(hasBody ? Number(field('content-length')) : 0);
      return { status, fields, text: body.toString('utf8'), field };
    },
    async rest() {
      while (!isOver) await more();
      return received.toString('latin1');
    },
    hangUp: () => {
      socket.destroy();
    },
  };
}

/** The error form, with the fields that every error carries, each of them once. */
function expectError(answer: Answer, status: number, text: string): void {
  expect(answer.text).toBe(JSON.stringify({ error: text }));
  expect(answer.status).toBe(status);
  expect(answer.field('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.field('cache-control')).toBe('no-store');
  expect(answer.field('access-control-allow-origin')).toBe('*');
  expect(answer.field('x-content-type-options')).toBe('nosniff');
  expect(answer.field('date')).toMatch(/GMT$/);
}

/** SPEC section 7: one number in three fields and the sentence. */
function expectRefusal(answer: Answer, limit: number): void {
  const seconds = answer.field('ratelimit-reset') ?? '';
  expect(seconds).toMatch(/^(?:[1-9]|[1-5]\d|60)$/);
  expectError(answer, 429, `Za dużo zapytań. Spróbuj ponownie za ${seconds} s.`);
  expect(answer.field('retry-after')).toBe(seconds);
  expect(answer.field('ratelimit-limit')).toBe(String(limit));
  expect(answer.field('ratelimit-remaining')).toBe('0');
}

/** The log line comes a moment before the socket is closed. */
async function refusesConnections(port: number): Promise<void> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1' });
    const [outcome] = await Promise.race([
      once(socket, 'connect').then(() => ['accepted'] as const),
      new Promise<readonly [string | undefined]>((resolve) => {
        socket.once('error', (error: NodeJS.ErrnoException) => resolve([error.code]));
      }),
    ]);
    socket.destroy();
    if (outcome === 'ECONNREFUSED') return;
  }
}
