/** Services that hang, flood, lie or send elsewhere: a call ends in time, with its reason and without a secret. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { OutboundError } from '#src/outbound/outbound-error.ts';
import { createOutbound, type OutboundRequest } from '#src/outbound/outbound.ts';
import { BAD_SERVICES, startLoopbackServer, startRawLoopbackServer } from '../../support/loopback-server.ts';
import { requestOf, SECRET } from '../../support/secret-request.ts';

const DEADLINE_MS = 400;
const outbound = createOutbound();
afterAll(() => outbound.close());

async function failureOf(request: OutboundRequest): Promise<OutboundError> {
  const error = await outbound.send(request).then(
    () => {
      throw new Error('it was answered');
    },
    (reason: unknown) => reason as OutboundError,
  );
  expect(error.name).toBe('OutboundError');
  const { message, stack, cause } = error;
  expect(JSON.stringify({ ...error, message, stack, cause })).not.toContain(SECRET);
  return error;
}

type Behave = (socket: Socket) => unknown;
const OK = 'HTTP/1.1 200 OK\r\n';

const answer =
  (...parts: readonly (string | Buffer)[]): Behave =>
  (socket) =>
    socket.once('data', () => parts.forEach((part) => socket.write(part)));

/** Sends a part for ever, as often as a client with a deadline for each read would bear it. */
const drip =
  (head: string, part: string): Behave =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(part), 50);
    socket.on('close', () => clearInterval(timer));
  };

describe('a call ends at its deadline', () => {
  it.each<[string, Behave]>([
    ['silence', BAD_SERVICES.hang],
    ['a body byte by byte', drip(`${OK}Content-Length: 1000\r\n\r\n`, 'x')],
    ['a header byte by byte', drip(`${OK}X-Header: `, 'x')],
    ['interim answers for ever', drip('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')],
  ])('at %s', async (_name, behave) => {
    const { origin } = await startRawLoopbackServer(behave);
    const startedAt = performance.now();
    expect(await failureOf(requestOf(origin, { deadlineMs: DEADLINE_MS }))).toMatchObject({
      reason: 'timeout',
      message: `${origin}: no whole answer in time`,
    });
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeGreaterThan(DEADLINE_MS - 20);
    expect(tookMs).toBeLessThan(3_000);
  });

  it('or when its caller ends it, before and while it runs', async () => {
    const { origin } = await startRawLoopbackServer(BAD_SERVICES.hang);
    const { signal } = new AbortController();
    const soon = AbortSignal.any([signal, AbortSignal.timeout(50)]);
    for (const ended of [soon, AbortSignal.abort()])
      expect(await failureOf(requestOf(origin, { signal: ended }))).toMatchObject({ reason: 'aborted' });
  });
});

const BOMB = gzipSync(Buffer.alloc(100 * 1024 * 1024));
const redirect = (location: string): Behave =>
  answer(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`);

it.each<[string, Behave, string, Partial<OutboundRequest>?]>([
  ['a reset before the answer', BAD_SERVICES.reset, 'connection failed (ECONNRESET)'],
  [
    'a reset within the body',
    (socket) =>
      socket.once('data', () => {
        socket.write(`${OK}Content-Length: 9\r\n\r\n{}`);
        setTimeout(() => socket.resetAndDestroy(), 50);
      }),
    'connection failed (ECONNRESET)',
  ],
  ['a body that is too short', BAD_SERVICES.cut, 'connection failed (UND_ERR_SOCKET)'],
  [
    'a protocol switch',
    answer('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n'),
    'connection failed (UND_ERR_SOCKET)',
  ],
  ['what is not HTTP', BAD_SERVICES.garbage, 'answered with something that is not HTTP'],
  [
    'two lengths',
    answer(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nok`),
    'connection failed (UND_ERR_RES_CONTENT_LENGTH_MISMATCH)',
  ],
  [
    '1 MB of headers',
    answer(OK, 'X-Header: x\r\n'.repeat(80_000)),
    'answered with something that is not HTTP',
  ],
  [
    'a header of 20 kB',
    answer(OK, `X-Header: ${'x'.repeat(20_000)}\r\n\r\n`),
    'answered with something that is not HTTP',
  ],
  [
    'a gzip bomb',
    answer(`${OK}Content-Encoding: gzip\r\nContent-Length: ${BOMB.length}\r\n\r\n`, BOMB),
    'answered with a compressed body, which was not asked for',
  ],
  [
    'another type',
    answer(`${OK}Content-Type: text/html\r\nContent-Length: 0\r\n\r\n`),
    'answered with a type other than application/json',
    { contentTypes: ['application/json'] },
  ],
  [
    'a refusal whose body does not end',
    drip('HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\n', 'x'),
    'answered 404',
  ],
  [
    'a status that is no answer',
    answer('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'),
    'answered 404',
  ],
  [
    'a header that cannot be sent',
    BAD_SERVICES.hang,
    'request cannot be sent: a header or path is not valid',
    { headers: { Authorization: `${SECRET}\n` } },
  ],
  ...['/loop', 'http://169.254.169.254/latest/meta-data', 'file:///etc/passwd', '//elsewhere.example/'].map(
    (location): [string, Behave, string] => [
      `a redirect to ${location}`,
      redirect(location),
      'answered 302, and redirects are not followed',
    ],
  ),
])('%s fails the call', async (_name, behave, message, facts) => {
  const { origin, connections } = await startRawLoopbackServer(behave);
  expect((await failureOf(requestOf(origin, facts))).message).toBe(`${origin}: ${message}`);
  // One, and a second where the first might have been a kept connection that was closed meanwhile.
  expect(connections()).toBeLessThanOrEqual(2);
});

it.each(['Content-Length: 104857600', 'Transfer-Encoding: chunked'])(
  '100 MB with %s are not read',
  async (header) => {
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536), Buffer.from('\r\n')]);
    let sent = 0;
    const { origin } = await startRawLoopbackServer((socket) => {
      const more = (): void => {
        while (sent < 1_600 && !socket.destroyed) {
          sent += 1;
          if (!socket.write(chunk)) return void socket.once('drain', more);
        }
      };
      socket.once('data', () => {
        socket.write(`${OK}${header}\r\n\r\n`);
        more();
      });
    });
    expect(await failureOf(requestOf(origin))).toMatchObject({
      reason: 'too_large',
      message: `${origin}: answered with more than 1000 bytes`,
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toBeLessThan(400);
  },
);

it('a redirect is an answer where the caller asks for it', async () => {
  const { origin } = await startRawLoopbackServer(redirect('http://10.0.0.1/'));
  const acceptStatus = (status: number): boolean => status === 302;
  expect(await outbound.send(requestOf(origin, { acceptStatus }))).toMatchObject({ status: 302 });
});

it('a kept connection that was closed meanwhile fails no call', async () => {
  let answered = 0;
  const { origin } = await startRawLoopbackServer((socket) => {
    socket.once('data', () => {
      answered += 1;
      socket.write(`${OK}Content-Length: 2\r\n\r\nok`);
      socket.once('data', () => socket.resetAndDestroy());
    });
  });
  for (let i = 0; i < 2; i += 1) expect((await outbound.send(requestOf(origin))).body.toString()).toBe('ok');
  expect(answered).toBe(2);
});

it('what may not be repeated is sent once, on a connection of its own', async () => {
  const server = await startLoopbackServer((request, response) => {
    if (request.method === 'POST') request.socket.resetAndDestroy();
    else response.end('ok');
  });
  await outbound.send(requestOf(server.origin));
  const post = requestOf(server.origin, { method: 'POST', body: '{}' });
  expect(await failureOf(post)).toMatchObject({ reason: 'connection' });
  expect(server.requests).toHaveLength(2);
  expect(server.connections()).toBe(2);
});
