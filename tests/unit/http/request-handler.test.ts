import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sirv from 'sirv';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { createRouter, endpoint, type Operation } from '#src/http/endpoint.ts';
import {
  type FillErrorPage,
  createRenderQueue,
  PAGES_PER_CLIENT,
  createPages,
  type PageRules,
  type PagesOptions,
  type RenderedPage,
  PAGE_HEADERS,
} from '#src/http/render-page.ts';
import { createHttpServer } from '#src/http/http-server.ts';
import { createClientAddress, createRateLimiter, LIMITS } from '#src/http/rate-limit.ts';
import { createRequestHandler, type RequestHandlerOptions } from '#src/http/request-handler.ts';
import { createResponseCache } from '#src/http/response-cache.ts';
import { createLog } from '#src/log.ts';
import { collectLog } from '../../support/collect-log.ts';
import { listen } from '../../support/loopback-server.ts';
import { measureHeap } from '../../support/measure-heap.ts';
import { ask, type Answer, type RequestOptions } from '../../support/test-site.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const folder = makeFolder();
writeFileSync(join(folder, 'style.css'), 'body { color: black }');
writeFileSync(join(folder, '404.html'), 'raw');

const OPERATION: Operation = {
  id: 'test',
  tag: 'rest',
  summary: 'Test.',
  description: 'Test.',
  response: { description: 'Test.', content: { 'text/plain': z.string() } },
};

/** The page that stands for the one of this address. */
function pageOf(url: string): RenderedPage {
  const headers = { 'content-type': 'text/html', 'cache-control': 'public, s-maxage=30' };
  return { status: 200, headers, body: Buffer.from(`page ${url}`) };
}

const OTHER: PageRules = {
  rateLimit: 'pages',
  route: 'page',
  parameters: [],
  cachedHereUntil: () => 'notCached',
};

type Behind = Partial<RequestHandlerOptions & Pick<PagesOptions, 'renderPage'>>;

const fillErrorPage: FillErrorPage = (code, { seconds, url, requestId } = {}) =>
  ({
    not_found: 'page not found',
    rate_limited: `wait ${seconds}`,
    overloaded: `full, ${seconds} s, ${url}`,
    internal: `request ${requestId}`,
  })[code];

/** A request handler whose endpoints and pages a test replaces. */
async function open(behind: Behind = {}) {
  const log = behind.log ?? createLog('test', 'silent');
  const renderPage = behind.renderPage ?? ((url) => Promise.resolve(pageOf(url)));
  const server = createHttpServer(
    createRequestHandler({
      onPageView: () => {},
      matchRoute: createRouter({}),
      services: {} as never,
      responseObservers: [],
      limiter: createRateLimiter(() => 0),
      clientAddressOf: createClientAddress([]),
      cache: createResponseCache({ maxBytes: 1e6, now: () => 0, revision: () => 0 }),
      serveStatic: sirv(folder, { etag: true }),
      pageRules: () => OTHER,
      pages: createPages({
        renderPage,
        renderQueue: createRenderQueue(() => 0),
        fillErrorPage,
        pageHeaders: PAGE_HEADERS,
        descriptionLink: '</openapi.json>; rel="service-desc"',
      }),
      log,
      now: () => 0,
      ...behind,
    }),
  );
  const { port } = await listen(server);
  const send = (path: string, options?: RequestOptions): Promise<Answer> => ask(port, path, options);
  return Object.assign(send, { port });
}

function endpointOf(
  facts: Pick<Parameters<typeof endpoint>[0], 'cacheControl' | 'handle' | 'cachedHereUntil'>,
) {
  const { definition } = endpoint({ operation: OPERATION, rateLimit: 'lists', ...facts });
  return createRouter({ '/api/x': definition });
}

describe('an endpoint that takes long', () => {
  /** A slow endpoint whose work a test ends, and the connections of its clients. */
  const serve = async (isCached: boolean) => {
    const asked: { readonly signal: AbortSignal; readonly answer: () => void }[] = [];
    const matchRoute = endpointOf({
      cacheControl: 'changes',
      cachedHereUntil: () => (isCached ? 'listChange' : 'notCached'),
      handle: (_query, _services, { signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('the client has gone')));
          asked.push({ signal, answer: () => resolve({ body: 'slow' }) });
        }),
    });
    const { log, lines } = collectLog();
    const { port } = await open({ matchRoute, log });
    const ask = () => {
      const sent = request({ host: '127.0.0.1', port, path: '/api/x', agent: false });
      sent.on('error', () => {}).end();
      return sent;
    };
    const wait = (count: number) => vi.waitFor(() => expect(asked).toHaveLength(count), { interval: 1 });
    return { asked, lines, ask, wait };
  };
  // Without a reset the server would wait for a client that may still read.
  const leave = ({ socket }: ClientRequest): void => void socket?.resetAndDestroy();
  const statusOf = async (sent: ClientRequest): Promise<number | undefined> =>
    ((await once(sent, 'response')) as [IncomingMessage])[0].statusCode;

  it('is aborted when its client disconnects, and logs no failure', async () => {
    const { asked, lines, ask, wait } = await serve(false);
    const sent = ask();
    await wait(1);
    const gone = once(asked[0]?.signal as AbortSignal, 'abort');
    leave(sent);
    await gone;
    await new Promise(setImmediate);
    expect(lines).toEqual([]);
  });

  it('finishes for the cache, though its clients have disconnected', async () => {
    const { asked, ask, wait } = await serve(true);
    const sent = ask();
    await wait(1);
    leave(sent);
    const later = ask();
    await setTimeout(20);
    expect(asked[0]?.signal.aborted).toBe(false);
    asked[0]?.answer();
    expect(await statusOf(later)).toBe(200);
    expect(asked).toHaveLength(1);
  });
});

it('a client that reads too slowly is disconnected after two minutes and two milliseconds a byte', async () => {
  const length = 8 * 1024 * 1024;
  const handle = () => ({ contentType: 'text/plain', body: Buffer.alloc(length) });
  const { port } = await open({ matchRoute: endpointOf({ cacheControl: 'none', handle }) });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const client = connect(port, '127.0.0.1');
  client.on('error', () => {});
  client.write('GET /api/x HTTP/1.1\r\nHost: a\r\n\r\n');
  await once(client, 'readable');
  const closed = once(client, 'close');
  vi.advanceTimersByTime(120_000 + 2 * length - 1);
  client.read(1);
  expect(client.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  client.resume();
  await closed;
  expect(client.bytesRead).toBeLessThan(length);
});

it('forgets the body of a response, though its connection stays open', async () => {
  const bodies: WeakRef<Buffer>[] = [];
  const handle = () => {
    const body = Buffer.alloc(100_000);
    bodies.push(new WeakRef(body));
    return { contentType: 'text/plain', body };
  };
  const { port } = await open({ matchRoute: endpointOf({ cacheControl: 'none', handle }) });
  const client = connect(port, '127.0.0.1');
  client.write('GET /api/x HTTP/1.1\r\nHost: a\r\n\r\n');
  client.resume();
  await vi.waitFor(() => expect(client.bytesRead).toBeGreaterThan(100_000));
  await vi.waitFor(() => {
    measureHeap();
    expect(bodies.map((body) => body.deref())).toEqual([undefined]);
  });
  expect(client.destroyed).toBe(false);
});

describe('many requests of one client', () => {
  const clientAddressOf: RequestHandlerOptions['clientAddressOf'] = ({ headers }) =>
    String(headers['x-client']);

  it('do not delay another client, however slow they are', async () => {
    let made = 0;
    const handle = () => {
      const until = performance.now() + 10;
      while (performance.now() < until);
      return { body: String((made += 1)) };
    };
    const send = await open({ clientAddressOf, matchRoute: endpointOf({ cacheControl: 'none', handle }) });
    const flood = Array.from({ length: 100 }, () => send('/api/x', { headers: { 'x-client': 'a' } }));
    await flood[0];
    const { text } = await send('/api/x', { headers: { 'x-client': 'b' } });
    expect(Number(text)).toBeLessThan(20);
    await Promise.all(flood);
    expect(made).toBe(101);
  });

  it('8 are refused while that client has not read others, which ends for another client', async () => {
    const length = 12 * 1024 * 1024;
    const handle = () => ({ contentType: 'text/plain', body: Buffer.alloc(length) });
    const send = await open({ clientAddressOf, matchRoute: endpointOf({ cacheControl: 'none', handle }) });
    const [slow] = await Promise.all(
      [1, 2].map(async () => {
        const client = connect(send.port, '127.0.0.1');
        client.on('error', () => {});
        client.write('GET /api/x HTTP/1.1\r\nHost: a\r\nX-Client: a\r\n\r\n');
        await once(client, 'readable');
        return client;
      }),
    );
    const refused = await send('/api/x', { headers: { 'x-client': 'a' } });
    const headers = { 'retry-after': '10', 'x-error-code': 'overloaded' };
    expect(refused).toMatchObject({ status: 503, headers });
    expect((await send('/api/x', { headers: { 'x-client': 'b' } })).status).toBe(200);
    slow?.resume();
    await once(slow as Socket, 'close');
    expect(slow?.bytesRead).toBeLessThan(length);
  });
});

describe('pages that wait for their turn', () => {
  /** Pages that are begun and are made when the test says so. */
  const serve = async (behind: Behind = {}) => {
    const begun: { readonly url: string; readonly finish: () => void }[] = [];
    const send = await open({
      clientAddressOf: ({ headers }) => String(headers['x-client'] ?? 'a'),
      renderPage: (url) =>
        new Promise((resolve) => {
          begun.push({ url, finish: () => resolve(pageOf(url)) });
        }),
      ...behind,
    });
    const wait = (count: number) => vi.waitFor(() => expect(begun.length).toBe(count));
    return { send, begun, wait };
  };

  it('are refused above eight of one address, with a link to the same page; another address is served', async () => {
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

  it('are found in the cache without a slot', async () => {
    const { send, begun, wait } = await serve({
      pageRules: (path) =>
        path === '/known' ? { ...OTHER, parameters: ['n'], cachedHereUntil: () => 'expiry' } : OTHER,
    });
    const first = send('/known?n=1');
    await wait(1);
    begun[0]?.finish();
    await first;
    const places = Array.from({ length: PAGES_PER_CLIENT }, (_, place) => send(`/page?n=${place}`));
    await wait(PAGES_PER_CLIENT + 1);
    expect((await send('/page?n=more')).status).toBe(503);
    expect((await send('/known?n=1')).status).toBe(200);
    for (const { finish } of begun) finish();
    await Promise.all(places);
  });
});

describe('createRequestHandler', () => {
  it('gives Astro the decoded path and a query that decodes', async () => {
    const send = await open();
    expect((await send('/scammers/?search=%E0%A4%A&x=1')).text).toBe(
      `page /scammers?${new URLSearchParams('search=%E0%A4%A&x=1')}`,
    );
    expect((await send('/%73cammers')).text).toBe('page /scammers');
    expect((await send('/a%3Fb%23c')).text).toBe('page /a%3Fb%23c');
    expect((await send('http://evil.example/%C5%BC')).text).toBe('page /%C5%BC');
  });

  it('hides the addresses of error pages, and no similar address', async () => {
    const send = await open();
    expect(await send('/503/index.html')).toMatchObject({ status: 404, text: 'page not found' });
    for (const path of '/403 /4040 /404/x /x/404 /404.css /index.html'.split(' '))
      expect((await send(path)).text, path).toBe(`page ${path}`);
  });

  it('answers 404 with the error page where Astro has no page', async () => {
    const send = await open({ renderPage: () => Promise.resolve(undefined) });
    const { status, text, headers } = await send('/nowhere');
    expect([status, text, headers['cache-control']]).toEqual([404, 'page not found', 'no-store']);
    // Nothing inline, evaluated or from elsewhere.
    for (const source of String(headers['content-security-policy']).match(/'[^']*'|\S+:/g) ?? [])
      expect(["'none'", "'self'"]).toContain(source);
  });

  // A page that throws, and its line in the log, are in journeys/failure-log.
  it('answers a page with status 500 by the error page and a number', async () => {
    const send = await open({ renderPage: (url) => Promise.resolve({ ...pageOf(url), status: 500 }) });
    const answer = await send('/');
    expect([answer.status, answer.headers['cache-control']]).toEqual([500, 'no-store']);
    expect(answer.text).toMatch(/^request [\da-f]{8}$/);
  });

  // What else has a limit of its own is in contract/7-errors.
  it('8 refuses a page by a page', async () => {
    let now = 0;
    const limiter = createRateLimiter(() => now);
    const send = await open({ limiter });
    while (limiter.consume('pages', LIMITS.pages, '127.0.0.1').allowed);
    now = 12_345;
    const refused = await send('/');
    expect(refused).toMatchObject({ status: 429, text: 'wait 48' });
    const wait = { 'retry-after': '48', 'ratelimit-reset': '48' };
    expect(refused.headers).toMatchObject({ ...wait, 'cache-control': 'no-store' });
  });

  it('compresses an answer that no cache keeps', async () => {
    const handle = () => ({ body: 'x'.repeat(1_400) });
    const send = await open({ matchRoute: endpointOf({ cacheControl: 'none', handle }) });
    const { headers } = await send('/api/x', { headers: { 'Accept-Encoding': 'br' } });
    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
  });

  it('answers static files whole, also to a range that ends before it begins', async () => {
    const send = await open();
    const whole = { status: 200, text: 'body { color: black }' };
    expect(await send('/style.css', { headers: { Range: 'bytes=5-2' } })).toMatchObject(whole);
  });

  // Sooner than the server gives up a silent connection.
  it('disconnects when an answer fails after its head', { timeout: 15_000 }, async () => {
    const send = await open({
      serveStatic: (_message, response) => {
        response.writeHead(200, { 'Content-Length': '100' }).write('half');
        throw new Error('disk');
      },
    });
    await expect(send('/style.css')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
