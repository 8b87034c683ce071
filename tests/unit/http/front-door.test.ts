import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import sirv from 'sirv';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { LentBuffers } from '#src/serving/lent-buffers.ts';
import { createCacheKeys } from '#src/http/cache-keys.ts';
import { createClientAddress } from '#src/http/client-address.ts';
import { endpoint, json } from '#src/http/endpoint.ts';
import { createEventStreams } from '#src/http/event-streams.ts';
import { createFrontDoor } from '#src/http/front-door.ts';
import type { FrontDoor } from '#src/http/door/visit.ts';
import { createHttpServer } from '#src/http/http-server.ts';
import { createEncodingChoice } from '#src/http/content-encoding.ts';
import { createPageTurns, PAGES_PER_CLIENT } from '#src/http/page-turns.ts';
import type { RenderedPage } from '#src/http/rendered-page.ts';
import { createRateLimiter, PAGES_LIMIT } from '#src/http/rate-limit.ts';
import { createRoutes } from '#src/http/routes.ts';
import { createSharedCache } from '#src/http/shared-cache.ts';
import { createLog } from '#src/log.ts';
import { QueryReader } from '#src/text/read-query.ts';
import { TEST_OPERATION } from '../../support/test-operation.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Send = (path: string, sent?: Sent) => Promise<Answer>;

const folder = mkdtempSync(join(tmpdir(), 'czujka-door-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'style.css'), 'body { color: black }');
writeFileSync(join(folder, '404.html'), 'raw');

const ping = endpoint({
  operation: TEST_OPERATION,
  limit: { bucket: 'ping', limit: 3 },
  cache: 'public, s-maxage=30',
  parse: () => ({ query: undefined, problems: [] }),
  handle: () => json({ pong: true }),
});
const failing = endpoint({
  operation: TEST_OPERATION,
  limit: undefined,
  cache: 'no-store',
  parse: () => ({ query: undefined, problems: [] }),
  handle: (): Promise<never> => Promise.reject(new Error('secret detail')),
});

/** The page that stands for the one of this address. */
function pageOf(url: string): RenderedPage {
  const body = Buffer.from(`page ${url.replace('http://localhost', '')}`);
  return { status: 200, headers: { 'content-type': 'text/html' }, body };
}

/** A front door in which a test replaces what lies behind it. */
async function open(behind: Partial<FrontDoor> = {}): Promise<Send> {
  return (await openAt(behind)).send;
}

async function openAt(behind: Partial<FrontDoor>): Promise<{ send: Send; port: number }> {
  const server = createHttpServer(
    createFrontDoor({
      onPageView: () => {},
      matchRoute: createRoutes({ '/api/ping': ping, '/api/failing': failing }),
      services: {},
      limiter: createRateLimiter(() => 0),
      descriptionLink: '</openapi.json>; rel="service-desc"',
      topicOf: () => undefined,
      events: createEventStreams({ versionOf: () => undefined }),
      clientAddressOf: createClientAddress([]),
      cache: createSharedCache({ bytesMax: 1_000_000, now: () => 0, generation: () => 0 }),
      keys: createCacheKeys(() => 0),
      chooseEncoding: createEncodingChoice(),
      pageParameters: {},
      pageLimitOf: () => PAGES_LIMIT,
      serveStatic: sirv(folder, { etag: true }),
      renderPage: ({ url }) => Promise.resolve(pageOf(url)),
      pageTurns: createPageTurns(() => 0),
      errorPages: {
        notFound: () => 'page not found',
        rateLimited: (seconds) => `wait ${seconds}`,
        overloaded: (seconds, address) => `full, ${seconds} s, ${address}`,
        internal: (incident) => `incident ${incident}`,
      },
      log: createLog('test', 'silent'),
      ...behind,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const send: Send = (path, { method = 'GET', headers = {} } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      sent.on('error', reject).end();
    });
  return { send, port };
}

/** Answers when it is told to; tells when its waiters has gone. */
function makeSlowEndpoint() {
  const asked: { signal: AbortSignal; answer: () => void }[] = [];
  const slow = endpoint({
    operation: TEST_OPERATION,
    limit: undefined,
    cache: 'public, s-maxage=30',
    parse: () => ({ query: undefined, problems: [] }),
    handle: (_query, _services, { signal }) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('nobody waits')));
        asked.push({ signal, answer: () => resolve(json({ slow: true })) });
      }),
  });
  return { slow, asked };
}

describe('an answer that takes its time', () => {
  const serve = async () => {
    const { slow, asked } = makeSlowEndpoint();
    const errors: unknown[] = [];
    const log = createLog('test', 'silent');
    log.error = (facts: unknown) => void errors.push(facts);
    const joined: (() => void)[] = [];
    const cache = createSharedCache({ bytesMax: 1_000_000, now: () => 0, generation: () => 0 });
    const server = createHttpServer(
      createFrontDoor({
        ...({} as FrontDoor),
        matchRoute: createRoutes({ '/api/slow': slow }),
        pageParameters: {},
        services: {},
        limiter: createRateLimiter(() => 0),
        clientAddressOf: createClientAddress([]),
        cache: {
          ...cache,
          get bytes() {
            return cache.bytes;
          },
          compute: (key, produce, listener) => {
            const answer = cache.compute(key, produce, listener);
            joined.shift()?.();
            return answer;
          },
        },
        keys: createCacheKeys(() => 0),
        chooseEncoding: createEncodingChoice(),
        log,
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    /** Resolves when the question has reached the cache. */
    const ask = async () => {
      const reached = new Promise<void>((resolve) => joined.push(resolve));
      const sent = request({ host: '127.0.0.1', port, path: '/api/slow', agent: false });
      sent.on('error', () => {});
      sent.end();
      await reached;
      return sent;
    };
    return { ask, asked, errors };
  };

  it('is given up when the last who waits for it has gone, and no failure', async () => {
    const { ask, asked, errors } = await serve();
    const [first, second] = [await ask(), await ask()];
    expect(asked).toHaveLength(1);
    const gone = once(asked[0]?.signal as AbortSignal, 'abort');
    first.destroy();
    const third = await ask();
    expect(asked[0]?.signal.aborted).toBe(false);
    second.destroy();
    third.destroy();
    await gone;
    expect(errors).toEqual([]);
    // Who comes now does not get what was given up.
    const fourth = await ask();
    expect(asked).toHaveLength(2);
    asked[1]?.answer();
    const [response] = (await once(fourth, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(200);
  });
});

describe('a body that is lent', () => {
  const BODY_BYTES = 60_000;
  /** More than the sockets of the operating system hold. */
  const REQUESTS_MAX = 400;
  const PIPELINED = 32;

  it('is not written into before the last byte of it has been sent', async () => {
    const buffers = new LentBuffers();
    let returned = 0;
    const lent = endpoint({
      operation: TEST_OPERATION,
      limit: undefined,
      cache: 'public, s-maxage=30',
      worthWithinMs: () => 100,
      parse: ({ query }) => ({ query: new QueryReader(query).text('fill', 1), problems: [] }),
      handle: (fill) => {
        const { body, release } = buffers.take(BODY_BYTES);
        body.fill(fill ?? '-');
        const give = (): void => {
          returned += 1;
          release();
        };
        return { body, contentType: 'text/plain', etag: `"${fill}"`, release: give };
      },
    });
    let now = 0;
    // Nothing is asked for twice within the time in which it would be kept.
    const keys = createCacheKeys(() => (now += 10_000));
    const { send, port } = await openAt({ matchRoute: createRoutes({ '/api/lent': lent }), keys });

    const slow = connect(port, '127.0.0.1');
    await once(slow, 'connect');
    slow.pause();
    let ofSlow = 0;
    let others = 0;
    while (returned === ofSlow + others && ofSlow < REQUESTS_MAX) {
      slow.write('GET /api/lent?fill=s HTTP/1.1\r\nHost: slow\r\n\r\n'.repeat(PIPELINED));
      ofSlow += PIPELINED;
      for (let asked = 0; asked < 200; asked += 1) {
        const fill = 'abcdefgh'.charAt(asked % 8);
        expect((await send(`/api/lent?fill=${fill}`)).text).toBe(fill.repeat(BODY_BYTES));
      }
      others += 200;
    }
    expect(returned).toBeLessThan(ofSlow + others);

    let bytes = 0;
    let wrong = 0;
    let text = '';
    for await (const part of slow as AsyncIterable<Buffer>) {
      text += part.toString('latin1');
      // Heads, and whole answers one after another.
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        if (text.length < end + 4 + BODY_BYTES) break;
        const body = text.slice(end + 4, end + 4 + BODY_BYTES);
        text = text.slice(end + 4 + BODY_BYTES);
        bytes += body.length;
        if (body !== 's'.repeat(BODY_BYTES)) wrong += 1;
      }
      if (bytes === ofSlow * BODY_BYTES) break;
    }
    expect({ bytes, wrong }).toEqual({ bytes: ofSlow * BODY_BYTES, wrong: 0 });
    expect(returned).toBe(ofSlow + others);
  });
});

describe('pages that wait for their turn', () => {
  /** Pages that are begun and are made when the test says so. */
  const serve = async (behind: Partial<FrontDoor> = {}) => {
    const begun: { readonly url: string; readonly finish: () => void }[] = [];
    const send = await open({
      clientAddressOf: ({ headers }) => String(headers['x-client'] ?? 'a'),
      renderPage: ({ url }) =>
        new Promise((resolve) => {
          begun.push({ url: url.replace('http://localhost', ''), finish: () => resolve(pageOf(url)) });
        }),
      ...behind,
    });
    const wait = (count: number) => vi.waitFor(() => expect(begun.length).toBe(count));
    return { send, begun, wait };
  };

  it('refuses what is too much for one address, keeps what it asked for, and serves another', async () => {
    const { send, begun, wait } = await serve();
    const places = Array.from({ length: PAGES_PER_CLIENT }, (_, place) => send(`/page?n=${place}`));
    await wait(PAGES_PER_CLIENT);
    const refused = await send('/page?n="x"&m=1');
    expect(refused.status).toBe(503);
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
    expect(refused.text).toBe('full, 1 s, /page?n=%22x%22&m=1');
    const other = send('/page?n=other', { headers: { 'x-client': 'b' } });
    await wait(PAGES_PER_CLIENT + 1);
    for (const { finish } of begun) finish();
    expect((await Promise.all([...places, other])).map(({ status }) => status)).toEqual(begun.map(() => 200));
  });

  it('finds pages of the cache without a turn', async () => {
    const { send, begun, wait } = await serve({ pageParameters: { '/known': ['n'] } });
    begun.length = 0;
    const first = send('/known?n=1');
    await wait(1);
    begun[0]?.finish();
    await first;
    void Promise.all(Array.from({ length: PAGES_PER_CLIENT }, (_, place) => send(`/page?n=${place}`)));
    await wait(PAGES_PER_CLIENT + 1);
    expect((await send('/page?n=more')).status).toBe(503);
    for (const { finish } of begun) finish();
  });
});

describe('createFrontDoor', () => {
  it('hands pages on by their decoded path and a query that decodes', async () => {
    const send = await open();
    expect((await send('/scammers/?search=%E0%A4%A&x=1')).text).toBe(
      `page /scammers?${new URLSearchParams('search=%E0%A4%A&x=1')}`,
    );
    expect((await send('/%73cammers')).text).toBe('page /scammers');
    expect((await send('/a%3Fb%23c')).text).toBe('page /a%3Fb%23c');
    expect((await send('http://evil.example/%C5%BC')).text).toBe('page /%C5%BC');
  });

  it.each([
    '/_image?href=http://evil.example',
    '/_server-islands/x',
    '/_actions/x',
    '//evil.example/x',
    '/a//b',
    '/a/../api/ping',
    '/./api/ping',
    '/%2e%2e/api/ping',
    '/a/..',
    '/%25%32%65/x',
    '/a%5Cb',
    '/404',
    '/404.html',
    '/429/index.html',
    '/503/index.html',
    '/500.html/',
  ])('answers %s with the page that says that there is none', async (path) => {
    const send = await open({ renderPage: () => expect.unreachable() });
    expect(await send(path)).toMatchObject({ status: 404, text: 'page not found' });
  });

  it('answers what Astro has no page for with the same page', async () => {
    const send = await open({ renderPage: () => Promise.resolve(undefined) });
    const answer = await send('/nowhere');
    expect(answer).toMatchObject({ status: 404, text: 'page not found' });
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'ratelimit-limit': '1000',
    });
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none';/);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('secret detail')), 'secret detail'],
    [
      'answers 500',
      (message: Request) => Promise.resolve({ ...pageOf(message.url), status: 500 }),
      'the page answers 500',
    ],
  ] as const)(
    'answers a page that %s with a number to quote and nothing else, and logs the error with it',
    async (_name, renderPage, message) => {
      const lines: string[] = [];
      const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
      const answer = await (await open({ renderPage, log }))('/');
      expect(answer.status).toBe(500);
      expect(answer.text).toMatch(/^incident [\da-f]{8}$/);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-store',
        'content-type': 'text/html; charset=utf-8',
      });
      expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
        {
          level: 50,
          err: { type: 'Error', message, stack: expect.stringContaining(message) as string },
          route: 'page',
          incident: answer.text.replace('incident ', ''),
          msg: 'page failed',
        },
      ]);
    },
  );

  it('answers an endpoint that fails with the fixed sentence', async () => {
    const answer = await (await open())('/api/failing');
    expect(answer.status).toBe(500);
    expect(answer.text).toBe('{"error":"Błąd podczas pobierania danych."}');
  });

  it.each(['/', '/style.css', '/nowhere/', '/api/ping', '/api/nope', '/api/failing', '/404'])(
    'gives HEAD %s the headers of GET and no body',
    async (path) => {
      const get = await (await open())(path);
      const head = await (await open())(path, { method: 'HEAD' });
      const { date: _date, ...getHeaders } = get.headers;
      const { date: _headDate, ...headHeaders } = head.headers;
      expect(head.status).toBe(get.status);
      expect(headHeaders).toEqual(getHeaders);
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
      expect(head.text).toBe('');
    },
  );

  it('8 counts every request of a limited endpoint but OPTIONS', async () => {
    const send = await open();
    for (let sent = 0; sent < 10; sent += 1) {
      expect((await send('/api/ping', { method: 'OPTIONS' })).status).toBe(204);
    }
    const remaining = [];
    for (const method of ['GET', 'HEAD', 'POST']) {
      remaining.push((await send('/api/ping', { method })).headers['ratelimit-remaining']);
    }
    expect(remaining).toEqual(['2', '1', '0']);
    expect((await send('/api/ping', { method: 'DELETE' })).status).toBe(429);
    expect((await send('/api/ping', { method: 'OPTIONS' })).status).toBe(204);
  });

  it('8 counts pages apart, and their refusal is a page', async () => {
    let now = 0;
    const send = await open({ limiter: createRateLimiter(() => now) });
    await send('/api/ping');
    for (let left = 999; left >= 0; left -= 1) {
      const { status, headers } = await send(left % 2 === 0 ? '/' : '/404');
      if (status >= 429 || headers['ratelimit-remaining'] !== String(left)) expect.unreachable(`${left}`);
    }
    now = 12_345;
    const refused = await send('/');
    expect(refused).toMatchObject({ status: 429, text: 'wait 48' });
    expect(refused.headers).toMatchObject({
      'retry-after': '48',
      'ratelimit-reset': '48',
      'cache-control': 'no-store',
    });
    expect((await send('/api/ping')).status).toBe(200);
    expect((await send('/style.css')).status).toBe(200);
  });

  it('answers 304 with the headers of the 200 that a cache needs, and without a body', async () => {
    const send = await open();
    const { headers } = await send('/api/ping');
    const etag = headers.etag ?? '';
    const answer = await send('/api/ping', { headers: { 'If-None-Match': `"x", W/${etag}` } });
    expect(answer).toMatchObject({ status: 304, text: '' });
    expect(answer.headers).toMatchObject({
      etag,
      'cache-control': 'public, s-maxage=30',
      'ratelimit-remaining': '1',
    });
    expect(answer.headers['content-type']).toBeUndefined();
  });

  it('takes a list header of more than 300 characters for absent', async () => {
    const typed = endpoint({
      operation: TEST_OPERATION,
      limit: undefined,
      cache: 'public, s-maxage=30',
      offers: ['image/svg+xml', 'text/plain'],
      parse: ({ type }) => ({ query: type, problems: [] }),
      handle: (type) => ({ body: 'x'.repeat(1_000), contentType: type, etag: '"tag"' }),
    });
    const send = await open({ matchRoute: createRoutes({ '/api/typed': typed }) });
    const ask = async (length: number, name: string, value: string) => {
      const list = `${','.repeat(length - value.length)}${value}`;
      const { status, headers } = await send('/api/typed', { headers: { [name]: list } });
      return [status, headers['content-type'] ?? '', headers['content-encoding'] ?? 'identity'];
    };
    expect(await ask(300, 'Accept', 'text/plain')).toEqual([200, 'text/plain', 'identity']);
    expect(await ask(301, 'Accept', 'text/plain')).toEqual([200, 'image/svg+xml', 'identity']);
    expect(await ask(300, 'Accept-Encoding', 'gzip')).toEqual([200, 'image/svg+xml', 'gzip']);
    expect(await ask(301, 'Accept-Encoding', 'gzip')).toEqual([200, 'image/svg+xml', 'identity']);
    expect(await ask(300, 'If-None-Match', '"tag"')).toEqual([304, '', 'identity']);
    expect(await ask(301, 'If-None-Match', '"tag"')).toEqual([200, 'image/svg+xml', 'identity']);
  });

  it.each(['bytes=5-2', 'bytes=0-0', 'bytes=-1', 'bytes=99-', 'lines=1-2', 'x'])(
    'answers static files whole to Range: %s',
    async (range) => {
      const answer = await (await open())('/style.css', { headers: { Range: range } });
      expect(answer).toMatchObject({ status: 200, text: 'body { color: black }' });
    },
  );

  // Sooner than the server gives up a silent connection.
  it(
    'breaks the connection off when an answer fails after its head is out',
    { timeout: 15_000 },
    async () => {
      const send = await open({
        serveStatic: (_message, response) => {
          response.writeHead(200, { 'Content-Length': '100' }).write('half');
          throw new Error('disk');
        },
      });
      await expect(send('/style.css')).rejects.toMatchObject({ code: 'ECONNRESET' });
    },
  );
});
