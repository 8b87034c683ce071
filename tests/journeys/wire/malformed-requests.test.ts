/** Heads that are no HTTP, or say two things at once. */
import { describe, expect, it } from 'vitest';
import { dial, expectError } from '../../support/wire.ts';
import { BAD_REQUEST, serveSmallLists } from '../../support/wire-server.ts';

describe('malformed requests on the wire', () => {
  const server = serveSmallLists();
  const { ask } = server;

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
});
