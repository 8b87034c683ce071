/** Several requests of one connection, in pieces or at once, and clients that go: against the process of production. */
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertError } from '../../support/assert-error.ts';
import { startServer, type RunningServer } from '../../support/server-process.ts';
import { makeSmallLists } from '../../support/small-lists.ts';
import { dial, exchange } from '../../support/wire.ts';

const NOT_FOUND = 'Nie znaleziono';
const getLine = (target: string, fields = ''): string => `GET ${target} HTTP/1.1\r\nHost: a\r\n${fields}\r\n`;

describe('connections on the wire', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ DATABASE_PATH: await makeSmallLists() });
  });

  it('T5 outlives clients that reset their connection', async () => {
    const heads = [
      'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\nhello',
      getLine('/'),
      getLine('/api/scammers'),
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab',
      'FOO / HTTP/1.1\r\n\r\n',
      'GET / HT',
    ];
    for (let round = 0; round < 20; round += 1) {
      for (const head of heads) {
        const wire = dial(server.port);
        wire.write(head);
        await once(wire.socket, 'connect');
        if (round % 2 === 0 && !head.endsWith('HT') && !head.startsWith('CONNECT')) await wire.answer();
        wire.socket.resetAndDestroy();
      }
    }
    expect((await exchange(server.port, 'GET /api/scammers HTTP/1.1')).status).toBe(200);
    expect(server.hasEnded()).toBe(false);
  });

  it('T13 answers a head that comes byte by byte', async () => {
    const wire = dial(server.port);
    wire.socket.setNoDelay(true);
    for (const byte of getLine('/api/legit'))
      await new Promise<void>((resolve) => wire.socket.write(byte, () => resolve()));
    expect((await wire.answer()).status).toBe(200);
  });

  it('T14 keeps a connection whose request says that it has no body', async () => {
    const wire = dial(server.port);
    for (let round = 0; round < 3; round += 1) {
      wire.write(getLine('/api/legit', 'Content-Length: 0\r\n'));
      expect((await wire.answer()).status).toBe(200);
    }
  });

  it('sends nothing after a 304, so that the connection can go on', async () => {
    const wire = dial(server.port);
    const known = 'If-None-Match: *\r\n';
    wire.write(getLine('/api/legit', known));
    wire.write(getLine('/api/legit', known).replace('GET', 'HEAD'));
    wire.write(getLine('/api/nope', known));
    expect((await wire.answer()).status).toBe(304);
    expect((await wire.answer(true)).status).toBe(304);
    assertError(await wire.answer(), 404, NOT_FOUND);
  });
});
