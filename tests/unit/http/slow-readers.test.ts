import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createHttpServer } from '#src/http/http-server.ts';
import { endSlowReaders } from '#src/http/slow-readers.ts';
import type { SlowReaderOptions } from '#src/http/slow-readers.ts';

const ANSWER = Buffer.alloc(64 * 1024 * 1024);
const OPTIONS = { windowMs: 600, windowBytesMin: 10 * 1024 * 1024 };

/** A connection on which the whole answer is under way. */
async function open(options: SlowReaderOptions): Promise<{ sending: Socket; client: Socket }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    sockets.add(socket);
    socket.write(ANSWER);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = endSlowReaders(sockets, options);
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  const [sending] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    stop();
    client.destroy();
    server.close();
  });
  return { sending, client };
}

it('a client that takes a little again and again is ended', async () => {
  const { sending, client } = await open(OPTIONS);
  const closed = once(sending, 'close');
  let isOver = false;
  void closed.then(() => (isOver = true));
  for (const startedAt = performance.now(); !isOver; await setTimeout(50)) {
    client.read(1_000);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  }
});

it('a client that takes its answer is not', async () => {
  const { sending, client } = await open({ ...OPTIONS, windowBytesMin: 10_000 });
  for (const startedAt = performance.now(); performance.now() - startedAt < 4 * OPTIONS.windowMs;) {
    client.read(400_000);
    await setTimeout(20);
  }
  expect(sending.destroyed).toBe(false);
});

it('the server watches its connections', async () => {
  const server = createHttpServer((_request, response) => void response.end(ANSWER), {
    slowReaders: OPTIONS,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [socket] = (await once(server, 'connection')) as [Socket];
  await once(socket, 'close');
  server.close();
});
