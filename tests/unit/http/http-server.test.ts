import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createHttpServer, DRAIN_MS, drainServer } from '#src/http/http-server.ts';
import { listen } from '../../support/loopback-server.ts';

const HEAD = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

async function open(listener: RequestListener, connectionsMax?: number) {
  const server = createHttpServer(listener, connectionsMax);
  return { server, ...(await listen(server)) };
}

function dial(port: number, written: string, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.setEncoding('latin1').write(written, 'latin1');
  return socket;
}

it('answers a client that has ended its half of the connection, and then closes', async () => {
  const { port } = await open((_request, response) => void setTimeout(() => response.end('late'), 50));
  const ask = (written: string): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.setEncoding('latin1').end(written, 'latin1');
    return text(socket);
  };
  expect((await ask(HEAD + HEAD)).match(/\r\n\r\nlate/g)).toHaveLength(2);
  expect(await ask('')).toBe('');
});

describe('pipelined requests', () => {
  it('are answered one at a time, in their order', async () => {
    const begun: (() => void)[] = [];
    const { port } = await open((_request, response) => {
      const place = begun.push(() => response.end(`answer ${place}`));
    });
    const answers = text(dial(port, HEAD + HEAD + HEAD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')));
    for (const count of [1, 2, 3]) {
      await vi.waitFor(() => expect(begun).toHaveLength(count));
      begun[count - 1]?.();
    }
    expect((await answers).match(/answer \d/g)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });

  it('let other connections in between', async () => {
    const order: string[] = [];
    const { port } = await open(({ headers }, response) => {
      order.push(headers.host ?? '');
      for (const until = performance.now() + 1; performance.now() < until;);
      response.end();
    });
    const [many, other] = [dial(port, ''), dial(port, '')];
    await Promise.all([once(many, 'connect'), once(other, 'connect')]);
    many.write(HEAD.repeat(32));
    other.write(HEAD.replace('Host: a', 'Host: other'));
    await vi.waitFor(() => expect(order).toHaveLength(33));
    expect(order.indexOf('other')).toBeLessThan(16);
  });

  it('end the connection when more than 32 wait', async () => {
    const begun: ServerResponse[] = [];
    const { port } = await open((_request, response) => void begun.push(response));
    const flood = dial(port, HEAD.repeat(34));
    expect(await text(flood)).toBe('');
    expect(begun).toHaveLength(1);

    const allowed = dial(port, HEAD.repeat(33));
    let answers = '';
    allowed.on('data', (part: string) => (answers += part));
    for (let sent = 0; sent < 33; sent += 1) {
      await vi.waitFor(() => expect(begun).toHaveLength(sent + 2), { interval: 1 });
      begun.at(-1)?.end('answered');
    }
    await vi.waitFor(() => expect(answers.match(/answered/g)).toHaveLength(33));
  });

  it('are not begun after their client has disconnected', async () => {
    const begun: ServerResponse[] = [];
    const { port } = await open((_request, response) => void begun.push(response));
    const socket = dial(port, HEAD + HEAD);
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    socket.resetAndDestroy();
    await once(begun[0] as ServerResponse, 'close');
    for (let turn = 0; turn < 2; turn += 1) await setImmediate();
    expect(begun).toHaveLength(1);
  });
});

describe('createHttpServer', () => {
  it('has at most 5,000 connections', async () => {
    const { server, port } = await open((_request, response) => response.end('answered'));
    expect(server.maxConnections).toBe(5_000);
    server.maxConnections = 1;
    const first = dial(port, HEAD);
    await once(first, 'data');
    const refused = dial(port, HEAD);
    // The system may refuse it by a reset.
    refused.on('error', () => {});
    await once(refused, 'close');
    first.destroy();
    await vi.waitFor(async () => {
      const next = dial(port, HEAD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
      expect(await text(next)).toContain('answered');
    });
  });

  it('closes the oldest connection of the address with the most for one of another address', async () => {
    const { server, port } = await open((_request, response) => response.end('answered'), 4);
    let dropped = 0;
    server.on('drop', () => (dropped += 1));
    const connectFrom = async (from: string): Promise<Socket> => {
      const socket = dial(port, HEAD, from);
      socket.on('error', () => {});
      await Promise.race([once(socket, 'data'), once(socket, 'close')]);
      return socket;
    };
    const sockets: Socket[] = [];
    for (const end of [1, 1, 1, 1, 2]) sockets.push(await connectFrom(`127.0.0.${end}`));
    const answered = sockets.map(({ bytesRead }) => bytesRead > 0);
    expect([answered, dropped]).toEqual([[true, true, true, false, true], 1]);
    await vi.waitFor(() =>
      expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false, false, true, false]),
    );
  });

  it('T13 bounds a head at 16 kB and 10 s, a request at 15 s, a silent client at 30 s, an idle one at 65 s', () => {
    expect(createHttpServer(() => {})).toMatchObject({
      maxHeaderSize: 16 * 1024,
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      timeout: 30_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000,
    });
  });

  it('writes nothing to a closed connection', () => {
    const socket = new PassThrough();
    socket.destroy();
    createHttpServer(() => {}).emit('clientError', new Error('reset'), socket);
    expect(socket.writableEnded).toBe(false);
  });
});

it('drains at once a server that does not listen, and any other within 9.5 s', async () => {
  await drainServer(createHttpServer(() => {}));
  expect(DRAIN_MS).toBeLessThan(9_500);
});
