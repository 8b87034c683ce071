/** An outgoing call, also to services that hang, flood or lie: it ends in time, with its reason and without a secret. */
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { OutboundError } from '#src/outbound/outbound-error.ts';
import { createOutbound, fetchJson, type OutboundRequest } from '#src/outbound/outbound.ts';
import { BAD_SERVICES, startLoopbackServer, startRawLoopbackServer } from '../../support/loopback-server.ts';
import { sendJson } from '../../support/outside-answers.ts';
import { requestOf, SECRET } from '../../support/secret-request.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const clock = { now: 0 };
const outbound = createOutbound(() => clock.now);

async function failureOf(request: OutboundRequest): Promise<OutboundError> {
  const error = await outbound.send(request).then(
    () => Promise.reject(new Error('it was answered')),
    (reason: unknown) => reason as OutboundError,
  );
  expect(error.name).toBe('OutboundError');
  const { message, stack, cause } = error;
  expect(JSON.stringify({ ...error, message, stack, cause })).not.toContain(SECRET);
  return error;
}

describe('an outgoing call', () => {
  it.each(['GET', 'POST'] as const)('sends a %s once and brings the body', async (method) => {
    const server = await startLoopbackServer((request, response) => {
      response.setHeader('Content-Type', 'Text/Plain; charset=utf-8');
      request.pipe(response);
    });
    const body = method === 'POST' ? { body: 'dzień dobry' } : {};
    const sent = requestOf(server.origin, { method, ...body, contentType: 'text/plain' });
    const answer = await outbound.send(sent);
    expect(answer.toString()).toBe(body.body ?? '');
    expect(server.requests).toEqual([`${method} /path-${SECRET}?token=${SECRET}`]);
  });

  it('goes through a Unix socket', async () => {
    const socketPath = join(makeFolder(), 's');
    const server = await startLoopbackServer((request, response) => {
      response.end(request.headers.host);
    }, socketPath);
    expect((await outbound.send(requestOf('http://docker', { socketPath }))).toString()).toBe('docker');
    expect(server.requests).toHaveLength(1);
    const nowhere = requestOf('http://docker', { socketPath: `${socketPath}-none` });
    expect((await failureOf(nowhere)).message).toBe(`${socketPath}-none: connection failed (ENOENT)`);
  });

  it('may expect another status than 200', async () => {
    const server = await startLoopbackServer((_request, response) => response.writeHead(302).end());
    await outbound.send(requestOf(server.origin, { expectedStatuses: [302] }));
  });

  it('ends when its caller ends it, before and while it runs', async () => {
    const { origin } = await startRawLoopbackServer(BAD_SERVICES.hang);
    const caller = new AbortController();
    const running = failureOf(requestOf(origin, { signal: caller.signal }));
    setTimeout(() => caller.abort(), 50);
    for (const failure of [running, failureOf(requestOf(origin, { signal: AbortSignal.abort() }))])
      expect((await failure).message).toBe(`${origin}: the call was ended`);
  });
});

it.each([
  [429, '7', 7_000],
  [503, '1.5', 1_500],
  [429, 'soon', 30_000],
  [429, '0', 1_000],
  [429, '999999999', 3_600_000],
  [503, '', 0],
  [500, '7', 0],
])('a pause after %i with Retry-After: %s takes %i ms', async (status, retryAfter, pauseMs) => {
  const server = await startLoopbackServer(sendJson({}, status, { 'Retry-After': retryAfter }));
  expect(await failureOf(requestOf(server.origin))).toMatchObject({ status });
  clock.now += pauseMs - 1;
  const alone = `${server.origin}: left alone for 1 s more`;
  if (pauseMs > 0) expect((await failureOf(requestOf(server.origin))).message).toBe(alone);
  expect(server.requests).toHaveLength(1);
  clock.now += 1;
  expect(await failureOf(requestOf(server.origin))).toMatchObject({ status });
});

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

it.each<[string, Behave]>([
  ['silence', BAD_SERVICES.hang],
  ['a body byte by byte', drip(`${OK}Content-Length: 1000\r\n\r\n`, 'x')],
  ['interim answers for ever', drip('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')],
])('%s ends at the deadline', async (_name, behave) => {
  const { origin } = await startRawLoopbackServer(behave);
  const startedAt = performance.now();
  const { message } = await failureOf(requestOf(origin, { deadlineMs: 400 }));
  expect(message).toBe(`${origin}: no whole answer in time`);
  const tookMs = performance.now() - startedAt;
  expect(tookMs).toBeGreaterThan(380);
  expect(tookMs).toBeLessThan(3_000);
});

const BOMB = gzipSync(Buffer.alloc(100 * 1024 * 1024));

it.each<[string, Behave, RegExp, Partial<OutboundRequest>?]>([
  ['a reset before the answer', BAD_SERVICES.reset, /connection failed \(ECONNRESET\)/],
  ['a body that is too short', BAD_SERVICES.cut, /connection failed \(UND_ERR_SOCKET\)/],
  ['1 MB of headers', answer(OK, 'X-Header: x\r\n'.repeat(80_000)), /\(UND_ERR_HEADERS_OVERFLOW\)/],
  ['a gzip bomb', answer(`${OK}Content-Encoding: gzip\r\n\r\n`, BOMB), /answered with more than 1000 bytes/],
  [
    'another type',
    answer(`${OK}Content-Type: text/html\r\nContent-Length: 0\r\n\r\n`),
    /answered with a type other than application\/json/,
    { contentType: 'application/json' },
  ],
  [
    'a refusal whose body does not end',
    drip('HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\n', 'x'),
    /answered 404/,
  ],
  [
    'a redirect',
    answer('HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n'),
    /answered 302/,
  ],
  [
    'a header that cannot be sent',
    BAD_SERVICES.hang,
    /connection failed \(UND_ERR_INVALID_ARG\)/,
    { headers: { Authorization: `${SECRET}\n` } },
  ],
])('%s fails the call, without a second one', async (_name, behave, message, facts) => {
  const { origin, connections } = await startRawLoopbackServer(behave);
  expect((await failureOf(requestOf(origin, facts))).message).toMatch(message);
  expect(connections()).toBeLessThanOrEqual(1);
});

it.each(['Content-Length: 104857600', 'Transfer-Encoding: chunked'])('reads no flood: %s', async (header) => {
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
  const { message } = await failureOf(requestOf(origin));
  expect(message).toBe(`${origin}: answered with more than 1000 bytes`);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(sent).toBeLessThan(400);
});

describe('fetchJson', () => {
  const schema = z.object({ attributes: z.object({ current_state: z.string() }) });

  it.each([
    ['gives the value', '{"attributes":{"current_state":"running"}}', undefined],
    [
      'names the place that is wrong and never its value',
      `{"attributes":{"current_state":{"${SECRET}":"${SECRET}"}}}`,
      'answered with JSON of another shape, at attributes.current_state',
    ],
    ['refuses what is no JSON', `<html>${SECRET}`, 'answered with something that is not JSON'],
  ])('%s', async (_how, body, problem) => {
    const { origin } = await startLoopbackServer((_request, response) =>
      response.setHeader('Content-Type', 'application/json; charset=utf-8').end(body),
    );
    const fetched = fetchJson(outbound, requestOf(origin), schema);
    if (problem === undefined) expect(await fetched).toEqual({ attributes: { current_state: 'running' } });
    else await expect(fetched).rejects.toThrow(`${origin}: ${problem}`);
  });
});
