/** What goes over one connection: pieces, several requests, clients that are gone. */
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { dial, expectError } from '../../support/wire.ts';
import { BAD_REQUEST, NOT_FOUND, serveSmallLists } from '../../support/wire-server.ts';

describe('connections on the wire', () => {
  const server = serveSmallLists();
  const { get } = server;

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

  it('T13 answers a head that comes byte by byte', async () => {
    const wire = dial(server.port);
    wire.socket.setNoDelay(true);
    for (const byte of 'GET /api/legit HTTP/1.1\r\nHost: a\r\n\r\n') {
      await new Promise<void>((resolve) => wire.socket.write(byte, () => resolve()));
    }
    expect((await wire.answer()).status).toBe(200);
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

  it('ignores the wish to speak another protocol', async () => {
    const upgrade = [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c, websocket',
      'HTTP2-Settings: AAMAAABk',
    ];
    expect((await get('/api/scammers', upgrade)).status).toBe(200);
  });
});
