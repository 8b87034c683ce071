import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { OutboundError } from '#src/outbound/outbound-error.ts';
import { createOutbound, fetchJson } from '#src/outbound/outbound.ts';
import type { OutboundRequest } from '#src/outbound/outbound.ts';
import { BAD_SERVICES, startLoopbackServer, startRawLoopbackServer } from '../../support/loopback-server.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const SECRET = 'S3CRET';
const clock = { now: 0 };
const outbound = createOutbound(() => clock.now);
afterAll(() => outbound.close());

/** With a secret at every place where one can be. */
function requestOf(origin: string, facts: Partial<OutboundRequest> = {}): OutboundRequest {
  return {
    url: `${origin}/path-${SECRET}?token=${SECRET}`,
    headers: { Authorization: `Bearer ${SECRET}` },
    deadlineMs: 5_000,
    bodyMaxBytes: 1_000,
    ...facts,
  };
}

/** The failure of a call, after the pauses of earlier failures have passed. */
async function failureOf(request: OutboundRequest): Promise<OutboundError> {
  clock.now += 3_600_000;
  const error = await outbound.send(request).then(
    () => {
      throw new Error('it was answered');
    },
    (reason: unknown) => reason as OutboundError,
  );
  expect(error.name).toBe('OutboundError');
  const everything = JSON.stringify({
    ...error,
    message: error.message,
    stack: error.stack,
    cause: error.cause,
  });
  expect(everything).not.toContain(SECRET);
  return error;
}

describe('an outgoing call', () => {
  it('brings status, headers, type and body', async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.setHeader('Content-Type', 'Text/Plain; charset=utf-8');
      response.setHeader('X-RateLimit-Remaining', '4');
      response.end('dzień dobry');
    });
    const answer = await outbound.send(requestOf(server.origin));
    expect(answer).toMatchObject({ status: 200, contentType: 'text/plain' });
    expect(answer.body.toString()).toBe('dzień dobry');
    expect(answer.headers['x-ratelimit-remaining']).toBe('4');
    expect(answer.latencyMs).toBeGreaterThan(0);
    expect(server.requests).toEqual([`GET /path-${SECRET}?token=${SECRET}`]);
  });

  it('keeps connections, and gives what is not safe to repeat one of its own', async () => {
    const server = await startLoopbackServer((request, response) => {
      request.resume().on('end', () => response.end(request.method));
    });
    for (let i = 0; i < 3; i += 1) await outbound.send(requestOf(server.origin));
    expect(server.connections()).toBe(1);
    const posted = await outbound.send(requestOf(server.origin, { method: 'POST', body: 'ż' }));
    expect(posted.body.toString()).toBe('POST');
    expect(server.connections()).toBe(2);
  });

  it('tries again where the kept connection was closed meanwhile', async () => {
    let answered = 0;
    const server = await startRawLoopbackServer((socket) => {
      socket.once('data', () => {
        answered += 1;
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok');
        socket.once('data', () => socket.resetAndDestroy());
      });
    });
    for (let i = 0; i < 2; i += 1) {
      expect((await outbound.send(requestOf(server.origin))).body.toString()).toBe('ok');
    }
    expect(answered).toBe(2);
  });

  it('goes through a Unix socket', async () => {
    const socketPath = join(makeFolder(), 's');
    const server = await startLoopbackServer((request, response) => {
      response.end(request.headers.host);
    }, socketPath);
    const answer = await outbound.send(requestOf('http://docker', { socketPath }));
    expect(answer.body.toString()).toBe('docker');
    expect(server.requests).toHaveLength(1);
    expect(await failureOf(requestOf('http://docker', { socketPath: `${socketPath}-none` }))).toMatchObject({
      reason: 'connection',
      message: `${socketPath}-none: connection failed (ENOENT)`,
    });
  });
});

type Answer = (response: ServerResponse) => void;
const serve = (answer: Answer) => startLoopbackServer((_request, response) => answer(response));
const redirect =
  (location: string): Answer =>
  (response) =>
    response.writeHead(302, { Location: location }).end();

describe('an outgoing call fails', () => {
  it.each(['hang', 'drip'] as const)('at its deadline when the service does %s', async (kind) => {
    const server = await startRawLoopbackServer(BAD_SERVICES[kind]);
    const startedAt = performance.now();
    const error = await failureOf(requestOf(server.origin, { deadlineMs: 300 }));
    expect(error).toMatchObject({ reason: 'timeout', message: `${server.origin}: no whole answer in time` });
    expect(performance.now() - startedAt).toBeGreaterThan(290);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it('when its caller ends it, before and while it runs', async () => {
    const server = await startRawLoopbackServer(BAD_SERVICES.hang);
    const caller = new AbortController();
    setTimeout(() => caller.abort(), 50);
    for (let times = 0; times < 2; times += 1)
      expect(await failureOf(requestOf(server.origin, { signal: caller.signal }))).toMatchObject({
        reason: 'aborted',
      });
  });

  it.each<[keyof typeof BAD_SERVICES | 'refuse' | 'switch', string, string]>([
    ['reset', 'connection', ': connection failed (ECONNRESET)'],
    ['refuse', 'connection', ': connection failed (ECONNREFUSED)'],
    ['cut', 'connection', ''],
    ['garbage', 'not_http', ''],
    ['switch', 'not_http', ''],
  ])('when the service does %s: %s', async (kind, reason, message) => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n';
    const onSocket =
      kind === 'switch'
        ? (socket: Socket) => socket.once('data', () => socket.write(switching))
        : BAD_SERVICES[kind === 'refuse' ? 'hang' : kind];
    const origin = kind === 'refuse' ? 'http://127.0.0.1:1' : (await startRawLoopbackServer(onSocket)).origin;
    const error = await failureOf(requestOf(origin));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(origin + message);
  });

  it.each<[string, Answer, Partial<OutboundRequest>, Partial<OutboundError>]>([
    [
      // It may unpack to anything.
      'a compressed body',
      (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('x'),
      {},
      { reason: 'content_type' },
    ],
    [
      'a type that was not asked for',
      (response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Panel</h1>'),
      { contentTypes: ['application/json'] },
      { reason: 'content_type', message: ': answered with a type other than application/json' },
    ],
    ['a status that is no answer', (response) => response.writeHead(404).end(), {}, { status: 404 }],
    [
      'a header that cannot be sent, without naming it',
      (response) => response.end(),
      { headers: { Authorization: `${SECRET}\n` } },
      { reason: 'connection' },
    ],
    ['redirects in a loop', redirect('/loop'), {}, { reason: 'redirect' }],
    ...[
      'http://169.254.169.254/latest/meta-data',
      'https://127.0.0.1/',
      'http://127.0.0.1:1/',
      'file:///etc/passwd',
      '//elsewhere.example/',
      'http://127.0.0.1:99999/',
    ].map((location): [string, Answer, Partial<OutboundRequest>, Partial<OutboundError>] => [
      `a redirect to ${location}`,
      redirect(location),
      {},
      { reason: 'redirect', message: ': redirects to another host' },
    ]),
  ])('for %s', async (_name, answer, facts, { message = '', ...expected }) => {
    const server = await serve(answer);
    const error = await failureOf(requestOf(server.origin, facts));
    expect(error).toMatchObject(expected);
    expect(error.message).toContain(server.origin + message);
    expect(server.requests.length).toBeLessThanOrEqual(4);
  });

  it('for a body over the limit, announced or not, without reading it', async () => {
    const bytes = 100 * 1024 * 1024;
    let sent = 0;
    const server = await startLoopbackServer((request, response) => {
      if (request.url?.includes('announced')) response.setHeader('Content-Length', String(bytes));
      const more = (): void => {
        while (sent < bytes && !response.destroyed) {
          sent += 65_536;
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    for (const url of [`${server.origin}/announced`, `${server.origin}/un`])
      expect(await failureOf(requestOf(server.origin, { url }))).toMatchObject({
        reason: 'too_large',
        message: `${server.origin}: answered with more than 1000 bytes`,
      });
    expect(sent).toBeLessThan(bytes / 4);
  });
});

describe('an outgoing call follows and takes', () => {
  it('redirects inside the host, with what was sent', async () => {
    const server = await startLoopbackServer((request, response) => {
      if (request.url === '/there') return void response.end(request.headers.authorization);
      response.writeHead(307, { Location: '/there' }).end();
    });
    expect((await outbound.send(requestOf(server.origin))).body.toString()).toBe(`Bearer ${SECRET}`);
  });

  it.each([302, 404])('the status %d where the caller asks for it', async (wanted) => {
    const server = await serve((response) =>
      response.writeHead(wanted, { Location: 'http://10.0.0.1/' }).end(),
    );
    const acceptStatus = (status: number): boolean => status === wanted;
    expect(await outbound.send(requestOf(server.origin, { acceptStatus }))).toMatchObject({ status: wanted });
  });
});

describe('backing off', () => {
  it('leaves alone who asks for it, for as long as it says', async () => {
    const state = { status: 429 };
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(state.status, { 'Retry-After': '7' }).end();
    });
    expect(await failureOf(requestOf(server.origin))).toMatchObject({ status: 429, retryAfterMs: 7_000 });
    state.status = 200;
    clock.now += 6_999;
    for (const backOff of ['told', 'failures'] as const) {
      await expect(outbound.send(requestOf(server.origin), { backOff })).rejects.toMatchObject({
        reason: 'backing_off',
        retryAfterMs: 1,
      });
    }
    expect(server.requests).toHaveLength(1);
    clock.now += 1;
    expect((await outbound.send(requestOf(server.origin))).status).toBe(200);
  });

  it('waits longer after each failure, but not where only the host may ask for it', async () => {
    const server = await serve((response) => response.writeHead(500).end());
    const pausesMs: number[] = [];
    for (let i = 0; i < 12; i += 1) {
      await expect(outbound.send(requestOf(server.origin))).rejects.toMatchObject({ status: 500 });
      const held = await outbound.send(requestOf(server.origin)).catch((error: OutboundError) => error);
      expect(held).toMatchObject({ reason: 'backing_off' });
      await expect(outbound.send(requestOf(server.origin), { backOff: 'told' })).rejects.toMatchObject({
        status: 500,
      });
      const pauseMs = (held as OutboundError).retryAfterMs ?? 0;
      pausesMs.push(pauseMs);
      clock.now += pauseMs;
    }
    pausesMs.forEach((pauseMs, i) => {
      const longest = Math.min(300_000, 1_000 * 2 ** i);
      expect(pauseMs).toBeGreaterThanOrEqual(longest / 2);
      expect(pauseMs).toBeLessThanOrEqual(longest);
    });
  });

  it('forgets a host’s failures once it answers', async () => {
    const state = { status: 500 };
    const server = await serve((response) => response.writeHead(state.status).end());
    await expect(outbound.send(requestOf(server.origin))).rejects.toMatchObject({ status: 500 });
    state.status = 200;
    clock.now += 1_000;
    await outbound.send(requestOf(server.origin));
    await outbound.send(requestOf(server.origin));
  });

  it('does not count a refused login or an unknown thing as a failure of the host', async () => {
    const server = await serve((response) => response.writeHead(404).end());
    for (let i = 0; i < 2; i += 1)
      await expect(outbound.send(requestOf(server.origin))).rejects.toMatchObject({ status: 404 });
  });
});

describe('fetchJson', () => {
  const schema = z.object({ attributes: z.object({ current_state: z.string() }) });
  const serveText = (body: string) =>
    serve((response) => response.setHeader('Content-Type', 'application/json; charset=utf-8').end(body));

  it('gives the value', async () => {
    const server = await serveText('{"attributes":{"current_state":"running"}}');
    const { value } = await fetchJson(outbound, requestOf(server.origin), schema);
    expect(value).toEqual({ attributes: { current_state: 'running' } });
  });

  it('names the place that is wrong and never its value', async () => {
    const wrong = await serveText(`{"attributes":{"current_state":{"${SECRET}":"${SECRET}"}}}`);
    await expect(fetchJson(outbound, requestOf(wrong.origin), schema)).rejects.toThrow(
      `${wrong.origin}: answered with JSON of another shape, at attributes.current_state`,
    );
    const broken = await serveText(`<html>${SECRET}`);
    await expect(fetchJson(outbound, requestOf(broken.origin), schema)).rejects.toThrow(
      `${broken.origin}: answered with something that is not JSON`,
    );
  });
});
