/** How the web process starts, refuses to start, and ends. */
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase, makeFolder } from '../support/temporary-database.ts';
import { runServer, startServer } from '../support/server-process.ts';
import { makeSmallLists } from '../support/small-lists.ts';
import { dial, expectError } from '../support/wire.ts';

const NOT_FOUND = 'Nie znaleziono';

let databasePath: string;
beforeAll(async () => {
  databasePath = await makeSmallLists();
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
