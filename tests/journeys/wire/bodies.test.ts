/** Bodies, which nobody reads. */
import { describe, expect, it } from 'vitest';
import { dial, expectError } from '../../support/wire.ts';
import { WRONG_METHOD, serveSmallLists } from '../../support/wire-server.ts';

describe('bodies on the wire', () => {
  const server = serveSmallLists();
  const { ask, get } = server;

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
});
