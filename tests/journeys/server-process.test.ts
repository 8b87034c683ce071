import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { assertError } from '../support/assert-error.ts';
import { openEvents } from '../support/listen.ts';
import { makeLists } from '../support/make-entries.ts';
import { makeFolder } from '../support/temporary-database.ts';
import { runServer, startServer } from '../support/server-process.ts';
import { makeSmallLists } from '../support/small-lists.ts';
import { startTestSite } from '../support/test-site.ts';
import { dial, exchange } from '../support/wire.ts';

it('T12 finishes requests in flight after a signal, ends streams, and waits for no other client', async () => {
  const server = await startServer({ DATABASE_PATH: await makeSmallLists() });
  const { port } = server;
  expect(server.lines[0]).toMatchObject({ component: 'web', level: 'info', host: '127.0.0.1', port });
  const clients = Array.from({ length: 20 }, () => dial(port));
  for (const client of clients) {
    // Once the first request is answered, the server has read what came with it.
    client.write('GET /api/legit HTTP/1.1\r\nHost: a\r\n\r\nGET /api/scammers HTTP/1.1\r\nHos');
    expect((await client.answer()).status).toBe(200);
  }
  const idle = dial(port);
  idle.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await idle.answer();
  const staying = dial(port, { allowHalfOpen: true });
  staying.write('FOO / HTTP/1.1\r\n\r\n');
  await staying.answer();
  const stream = await openEvents(port, '/api/changes/events');

  server.child.kill('SIGTERM');
  await server.logged({ msg: 'ending' });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) server.child.kill(signal);
  expect(await idle.rest()).toBe('');
  await refusesConnections(port);
  await stream.ended;
  for (const client of clients) {
    client.write('t: a\r\n\r\n');
    const { status, headers, text } = await client.answer();
    expect([status, headers.connection]).toEqual([200, 'close']);
    expect(JSON.parse(text)).toMatchObject({ total: 3 });
    expect(await client.rest()).toBe('');
  }
  expect(await server.ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect(server.lines.filter(({ msg }) => msg === 'ending')).toHaveLength(1);
  expect(server.lines.at(-1)).toMatchObject({ msg: 'ended', level: 'info' });
});

it('T12 lets a slow reader have its whole answer', async () => {
  const reason = 'Długi powód. '.repeat(1_500);
  const db = await makeLists({ scammers: Array.from({ length: 60 }, () => ({ reason })) });
  const server = await startServer({ DATABASE_PATH: db.path });
  const slow = dial(server.port);
  // Together more than the system holds between two sockets, so that most of it is sent after the signal; in one
  // piece, so that the server has read all of them before it.
  const count = 12;
  slow.write('GET /api/scammers?limit=60 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count));
  const first = await slow.answer();
  expect(first.text.length).toBeGreaterThan(1_000_000);
  slow.socket.pause();

  server.child.kill('SIGINT');
  await server.logged({ msg: 'ending' });
  await refusesConnections(server.port);
  expect(slow.socket.bytesRead).toBeLessThan(first.text.length * count);
  slow.socket.resume();
  for (let read = 1; read < count; read += 1) expect((await slow.answer()).text === first.text).toBe(true);
  expect(await slow.rest()).toBe('');
  expect(await server.ended).toMatchObject({ code: 0 });
});

it('T5 the process outlives clients that reset their connection', async () => {
  const { port } = await startServer({ DATABASE_PATH: await makeSmallLists() });
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
      const wire = dial(port);
      wire.write(head);
      await once(wire.socket, 'connect');
      if (round % 2 === 0 && !head.endsWith('HT') && !head.startsWith('CONNECT')) await wire.answer();
      wire.socket.resetAndDestroy();
    }
  }
  expect((await exchange(port, 'GET /api/scammers HTTP/1.1')).status).toBe(200);
});

// A database that is behind or newer is in unit/db/migrate.
it('refuses a port that is taken, and says which', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const server = runServer({ DATABASE_PATH: await makeSmallLists(), PORT: String(port) });
  const stderr = `cannot listen on 127.0.0.1:${port}: EADDRINUSE\n`;
  expect(await server.ended).toEqual({ code: 2, signal: null, stderr });
  other.close();
});

it('refuses wrong settings, all of them at once', async () => {
  const { code, stderr } = await runServer({ PORT: '70000', TRUST_PROXY: '1' }).ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/^wrong settings:\n {2}PORT=70000: must be .*\n {2}TRUST_PROXY=1: must be .*\n$/);
});

it('refuses a database that is missing in one sentence, and makes none', async () => {
  const path = join(makeFolder(), 'none.db');
  const { code, stderr } = await runServer({ DATABASE_PATH: path }).ended;
  expect(code).toBe(2);
  expect(stderr).toMatch(/^.*none\.db.*npm start.*\n$/);
  expect(existsSync(path)).toBe(false);
});

it('serves errors, and stays up, over a file that is no database', async () => {
  const path = join(makeFolder(), 'damaged.db');
  writeFileSync(path, 'no database at all\n'.repeat(1_000));
  const site = await startTestSite(path);
  assertError(await site.get('/api/scammers'), 500, 'Błąd podczas pobierania danych.');
  const { checks } = await site.json<{ checks: object[] }>('/api/status');
  expect(checks).toContainEqual(expect.objectContaining({ id: 'database', ok: false }));
  assertError(await site.get('/api/nope'), 404, 'Nie znaleziono');
});

/** The log line comes a moment before the socket is closed. */
async function refusesConnections(port: number): Promise<void> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1' });
    const outcome = await new Promise<string | undefined>((resolve) => {
      socket.once('connect', () => resolve('accepted'));
      socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
    });
    socket.destroy();
    if (outcome === 'ECONNREFUSED') return;
  }
}
