import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createHttpServer } from '#src/http/http-server.ts';

const MB = 1024 * 1024;
const ANSWER = Buffer.alloc(64 * MB);
const OPTIONS = { windowMs: 12_000, windowBytesMin: MB };

/** A connection of a server that sends the whole answer, and its client, which has read nothing. */
async function open(): Promise<{ sending: Socket; client: Socket }> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  const server = createHttpServer((_request, response) => void response.end(ANSWER), {
    slowReaders: OPTIONS,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [sending] = (await once(server, 'connection')) as [Socket];
  await once(client, 'readable');
  onTestFinished(() => {
    vi.useRealTimers();
    client.destroy();
    server.close();
  });
  return { sending, client };
}

it('a client that takes a little again and again is ended', async () => {
  const { sending, client } = await open();
  // The operating system takes some megabytes in the first window, whatever the client reads.
  for (let window = 0; window < 3; window += 1) {
    await setTimeout(50);
    client.read(1_000);
    vi.advanceTimersByTime(OPTIONS.windowMs);
  }
  expect(sending.destroyed).toBe(true);
});

it('a client that takes its answer is not', async () => {
  const { sending, client } = await open();
  for (let window = 0; window < 4; window += 1) {
    // More than the operating system holds between two sockets, so that the server has sent some of it now.
    for (let read = 0; read < 15 * MB;) {
      const part = client.read() as Buffer | null;
      if (part) read += part.length;
      else await once(client, 'readable');
    }
    vi.advanceTimersByTime(OPTIONS.windowMs);
    expect(sending.destroyed).toBe(false);
  }
});
