import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHttpServer, DRAIN_MS, drainServer } from '#src/http/http-server.ts';

const HEAD = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

let open: Server[] = [];
afterEach(() => {
  for (const server of open) {
    server.closeAllConnections();
    server.close();
  }
  open = [];
});

async function listen(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createHttpServer(listener);
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** A connection that has written this. */
function dial(port: number, written: string): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.setEncoding('latin1').write(written, 'latin1');
  return socket;
}

/** A socket whose output is what a client would read. */
function makeSocket(): Duplex & { output: string } {
  const socket = Object.assign(
    new Duplex({
      read: () => {},
      write: (chunk: Buffer, _encoding, done) => {
        socket.output += chunk.toString('utf8');
        done();
      },
    }),
    { output: '' },
  );
  return socket;
}

describe('a client that has ended its half of the connection', () => {
  /** What it gets in all. */
  const ask = (port: number, written: string): Promise<string> => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.setEncoding('latin1').end(written, 'latin1');
    return text(socket);
  };

  it('gets answers that take a turn, and then the connection ends', async () => {
    const { port } = await listen((_request, response) => void setTimeout(() => response.end('late'), 50));
    expect(await ask(port, HEAD)).toMatch(/\r\n\r\nlate$/);
    expect((await ask(port, HEAD + HEAD)).match(/late/g)).toHaveLength(2);
    expect(await ask(port, '')).toBe('');
  });

  it('is gone when no answer begins soon, and so nobody works for it any more', async () => {
    const gone = Promise.withResolvers<void>();
    const { port } = await listen((_request, response) => void response.once('close', gone.resolve));
    const askedAt = performance.now();
    expect(await ask(port, HEAD)).toBe('');
    await gone.promise;
    expect(performance.now() - askedAt).toBeGreaterThan(4_500);
    expect(performance.now() - askedAt).toBeLessThan(9_000);
  });
});

describe('pipelined requests', () => {
  it('are answered one at a time, in their order', async () => {
    const begun: (() => void)[] = [];
    const { port } = await listen((_request, response) => {
      const place = begun.push(() => response.end(`answer ${place}`));
    });
    const answers = text(dial(port, HEAD + HEAD + HEAD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')));
    for (const count of [1, 2, 3]) {
      await vi.waitFor(() => expect(begun).toHaveLength(count));
      begun[count - 1]?.();
    }
    expect((await answers).match(/answer \d/g)).toEqual(['answer 1', 'answer 2', 'answer 3']);
  });

  it('let requests of other connections pass between them', async () => {
    const order: string[] = [];
    const { port } = await listen(({ headers }, response) => {
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

  it('end the connection when more than 32 wait, and not before', async () => {
    const begun: ServerResponse[] = [];
    const { port } = await listen((_request, response) => void begun.push(response));
    const flood = dial(port, HEAD.repeat(34));
    expect(await text(flood)).toBe('');
    expect(begun).toHaveLength(1);

    const allowed = dial(port, HEAD.repeat(33));
    let answers = '';
    allowed.on('data', (part: string) => (answers += part));
    for (let sent = 0; sent < 33; sent += 1) {
      await vi.waitFor(() => expect(begun).toHaveLength(sent + 2));
      begun.at(-1)?.end('answered');
    }
    await vi.waitFor(() => expect(answers.match(/answered/g)).toHaveLength(33));
  });

  it('of a client that has gone are not begun', async () => {
    const begun: ServerResponse[] = [];
    const { port } = await listen((_request, response) => void begun.push(response));
    const socket = dial(port, HEAD + HEAD);
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    socket.resetAndDestroy();
    await once(begun[0] as ServerResponse, 'close');
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    expect(begun).toHaveLength(1);
  });
});

describe('createHttpServer', () => {
  it('has at most 5,000 connections', async () => {
    const { server, port } = await listen((_request, response) => response.end('answered'));
    expect(server.maxConnections).toBe(5_000);
    server.maxConnections = 1;
    const first = dial(port, HEAD);
    await once(first, 'data');
    const refused = dial(port, HEAD);
    refused.on('error', () => {}); // The system may tell of it by a reset.
    await once(refused, 'close');
    first.destroy();
    await vi.waitFor(async () => {
      const next = dial(port, HEAD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
      expect(await text(next)).toContain('answered');
    });
  });

  it('gives a head 10 s, a request 15 s, a silent client 30 s and an idle connection 65 s', () => {
    const server = createHttpServer(() => {});
    expect(server).toMatchObject({
      headersTimeout: 10_000,
      requestTimeout: 15_000,
      timeout: 30_000,
      keepAliveTimeout: 65_000,
    });
  });

  it('finds what is overdue within 2 s, and bounds a head at 16 kB', () => {
    const options = createHttpServer(() => {}) as unknown as Record<string, unknown>;
    expect(options).toMatchObject({ connectionsCheckingInterval: 2_000, maxHeaderSize: 16 * 1024 });
  });

  it.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'Przekroczono czas oczekiwania na zapytanie.'],
    [
      'HPE_HEADER_OVERFLOW',
      '431 Request Header Fields Too Large',
      'Nagłówki lub adres zapytania są za długie: najwyżej 16 kB.',
    ],
    ['HPE_INVALID_METHOD', '400 Bad Request', 'Nieprawidłowe zapytanie.'],
    ['', '400 Bad Request', 'Nieprawidłowe zapytanie.'],
  ])('answers %s in the error form and ends the connection', async (code, status, sentence) => {
    const server = createHttpServer(() => {});
    const socket = makeSocket();
    server.emit('clientError', Object.assign(new Error('from the parser'), { code }), socket);
    await once(socket, 'finish');
    const [head = '', body = ''] = socket.output.split('\r\n\r\n');
    const [statusLine, ...fields] = head.split('\r\n');
    expect(statusLine).toBe(`HTTP/1.1 ${status}`);
    expect(JSON.parse(body)).toEqual({ error: sentence });
    expect(fields).toEqual(
      expect.arrayContaining([
        'Access-Control-Allow-Origin: *',
        'X-Content-Type-Options: nosniff',
        'Content-Type: application/json; charset=utf-8',
        'Cache-Control: no-store',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        expect.stringMatching(/^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/),
      ]),
    );
    socket.destroy();
  });

  it('says nothing to a client that is gone', () => {
    const server = createHttpServer(() => {});
    const socket = makeSocket();
    socket.destroy();
    server.emit('clientError', new Error('reset'), socket);
    expect(socket.output).toBe('');
  });

  it('answers CONNECT with 405 and ends the connection', async () => {
    const { port } = await listen(() => expect.unreachable());
    const answer = await text(dial(port, 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    expect(answer).toContain('\r\nAllow: GET, HEAD, OPTIONS\r\n');
  });

  it.each([
    ['garbage', 'garbage\r\n\r\n', 400],
    ['CONNECT', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ])('answers requests before it refuses the %s that follows them', async (_name, next, status) => {
    const { port } = await listen(
      (_request, response) => void setTimeout(() => response.end('answered'), 50),
    );
    const socket = dial(port, HEAD + HEAD + next + next);
    const statusLines = (await text(socket)).match(/HTTP\/1\.1 \d+/g);
    expect(statusLines).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', `HTTP/1.1 ${status}`]);
  });

  it('survives clients that reset a CONNECT', async () => {
    const { port } = await listen((_request, response) => response.end('alive'));
    for (let round = 0; round < 50; round += 1) {
      const socket = dial(port, 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\nhello');
      await once(socket, round % 2 === 0 ? 'connect' : 'data');
      socket.resetAndDestroy();
      await once(socket, 'close');
    }
    expect(await text(dial(port, HEAD.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')))).toContain(
      'alive',
    );
  });

  it('answers at once instead of inviting a body', async () => {
    const { port } = await listen((_request, response) => response.end('answered'));
    const answer = await text(
      dial(
        port,
        'POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\n',
      ),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*answered$/);
    expect(answer).not.toContain('100 Continue');
  });

  it('takes a request with an expectation it does not know for a plain one', async () => {
    const { port } = await listen((_request, response) => response.end('answered'));
    const answer = await text(
      dial(port, 'GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*answered$/);
  });

  it('ignores the wish to speak another protocol', async () => {
    const { port } = await listen((_request, response) =>
      response.setHeader('Connection', 'close').end('answered'),
    );
    const answer = await text(
      dial(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*answered$/);
  });
});

describe('drainServer', () => {
  it('leaves time for the end of the process', () => {
    expect(DRAIN_MS).toBeLessThan(9_500);
  });

  it('lets requests in flight finish, refuses new ones and ends idle connections', async () => {
    const finish: (() => void)[] = [];
    const { server, port } = await listen((_request, response) => {
      finish.push(() => response.end('finished'));
    });
    const busy = dial(port, HEAD);
    await once(server, 'request');
    const idle = dial(port, HEAD);
    await once(server, 'request');
    finish.pop()?.();
    await once(idle, 'data');

    const drained = drainServer(server);
    await once(idle, 'close');
    const refused = connect({ port, host: '127.0.0.1' });
    expect(await once(refused, 'error')).toMatchObject([{ code: 'ECONNREFUSED' }]);
    finish.pop()?.();
    expect(await text(busy)).toContain('finished');
    await drained;
  });

  it('lets a client that reads slowly have its whole answer', async () => {
    const body = Buffer.alloc(30_000_000, 'x');
    const { server, port } = await listen((_request, response) => {
      response.writeHead(200, { 'Content-Length': body.length }).end(body);
    });
    const slow = dial(port, HEAD).pause();
    await once(server, 'request');
    const idle = dial(port, HEAD.replace('GET', 'HEAD'));
    await once(idle, 'data');

    const drained = drainServer(server);
    // The answer is far larger than what the system holds between two sockets: most of it is sent after this.
    const answer = await text(slow);
    expect(answer.length - answer.indexOf('\r\n\r\n') - 4).toBe(body.length);
    await drained;
  });

  it('tells clients that go on asking to do so elsewhere', async () => {
    const { server, port } = await listen((_request, response) => response.end('answered'));
    const socket = dial(port, HEAD);
    await once(socket, 'data');
    const drained = drainServer(server);
    socket.write(HEAD);
    expect(await text(socket)).toMatch(/\r\nConnection: close\r\n/);
    await drained;
  });

  it('does not wait for a client that was refused and stays', async () => {
    const { server, port } = await listen(() => {});
    const refused = [
      dial(port, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'),
      dial(port, 'FOO / HTTP/1.1\r\n\r\n'),
    ];
    for (const socket of refused) {
      socket.allowHalfOpen = true;
      await once(socket, 'data');
    }
    await drainServer(server);
    for (const socket of refused) socket.destroy();
  });

  it('is done at once when the server does not listen', async () => {
    await drainServer(createHttpServer(() => {}));
  });
});
