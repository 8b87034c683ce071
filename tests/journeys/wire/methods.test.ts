/** Methods: which of them are answered, and the others refused before anything looks at them. */
import { METHODS } from 'node:http';
import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#src/site.ts';
import { dial, expectError } from '../../support/wire.ts';
import type { Answer } from '../../support/wire.ts';
import { BAD_REQUEST, NOT_FOUND, WRONG_METHOD, serveSmallLists } from '../../support/wire-server.ts';

describe('methods on the wire', () => {
  const server = serveSmallLists();
  const { ask } = server;

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

  it('T10 answers OPTIONS about the server as a whole', async () => {
    const answer = await ask('OPTIONS * HTTP/1.1');
    expect(answer.status).toBe(204);
    expect(answer.field('allow')).toBe('GET, HEAD, OPTIONS');
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
});
