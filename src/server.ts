/** The web process: it reads the database and never writes it. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Counter, type Registry } from 'prom-client';
import sirv from 'sirv';
import { ENDPOINTS } from './endpoints.ts';
import { ConfigError, readConfig, type Config } from './config.ts';
import { SchemaError } from './db/reader.ts';
import { readPassedSocket } from './environment.ts';
import { createRouter } from './http/endpoint.ts';
import { createHttpServer, drainServer } from './http/http-server.ts';
import { createClientAddress, createRateLimiter } from './http/rate-limit.ts';
import {
  createPages,
  createRenderQueue,
  makeErrorPages,
  type RenderPage,
  PAGE_HEADERS,
} from './http/render-page.ts';
import { createRequestHandler, type RequestHandlerOptions } from './http/request-handler.ts';
import { createResponseCache } from './http/response-cache.ts';
import { createLog, type Log } from './log.ts';
import { answerScrapes } from './metrics/answer-scrapes.ts';
import { addGauge, addGauges, createRegistry } from './metrics/registry.ts';
import { createRequestLog, createRequestMetrics } from './metrics/observe-responses.ts';
import { pageRules } from './pages/_page-rules.ts';
import { OPENAPI_PATH } from './paths.ts';
import { crashOnBug, endOnSignal, refuseToStart, reportReady } from './process-end.ts';
import { createServices, type Services } from './services.ts';

/** Connections that wait in the kernel, for example during a restart. Linux allows 4,096; Node's default is 511. */
const BACKLOG = 4_096;

/** A response takes about 12 kB, with its compressed variants about 20 kB. */
const CACHE_MAX_BYTES = 16 * 1024 * 1024;

const CLIENT_FOLDER = join(import.meta.dirname, '../dist/client');
const ASTRO_ENTRY = new URL('../dist/server/entry.mjs', import.meta.url);
const PICTURE_CACHING = 'public, max-age=86400';
const HASHED_CACHING = 'public, max-age=31536000, immutable';

async function serve(): Promise<void> {
  const config = readConfig();
  const log = createLog('web', config.logLevel);
  const registry = config.metricsPort === undefined ? undefined : createRegistry('web');
  const { server, services, endStreams } = await createSite(config, log, { registry });
  if (registry) answerScrapes(registry);
  crashOnBug(log);
  endOnSignal(log, async () => {
    endStreams();
    await drainServer(server);
    await services.close();
  });
  server.once('error', (error: NodeJS.ErrnoException) => {
    refuseToStart(`cannot listen on ${config.host}:${config.port}: ${error.code ?? error.message}`);
  });
  const passed = readPassedSocket();
  const source = passed === undefined ? { host: config.host, port: config.port } : { fd: passed };
  server.listen({ ...source, backlog: BACKLOG }, () => {
    const { address, port } = server.address() as AddressInfo;
    const host = passed === undefined ? config.host : address;
    services.searches.start();
    log.info({ host, port }, 'listening');
    if (config.port !== 0 && port !== config.port)
      log.warn(`PORT is ${config.port}, and the socket of systemd has the port ${port}: run install.sh`);
    reportReady({ host, port });
  });
}

interface PageSource {
  readonly renderPage: RenderPage;
  readonly serveStatic: RequestHandlerOptions['serveStatic'];
  readonly pageHeaders: Readonly<Record<string, string>>;
  readonly cacheMaxBytes: number;
}

export interface SiteOptions {
  /** Milliseconds of a monotonic clock, for the rate limit and the views. */
  readonly monotonicNow?: () => number;
  readonly services?: Services;
  /** Without it, nothing is measured. */
  readonly registry?: Registry | undefined;
  /** Default: the built pages. */
  readonly pageSource?: PageSource;
}

/** Composes the server from settings; it does not listen yet. */
export async function createSite(config: Config, log: Log, options: SiteOptions = {}) {
  const { registry, monotonicNow = () => performance.now(), pageSource = await loadBuiltPages() } = options;
  const { services = createServices(config, log, monotonicNow) } = options;
  const { renderPage, serveStatic, pageHeaders, cacheMaxBytes } = pageSource;
  const limiter = createRateLimiter(monotonicNow);
  const renderQueue = createRenderQueue(() => performance.now());
  const metrics = registry && createRequestMetrics(registry);
  const requestLog = createRequestLog(log, config.logRequests);
  const cache = createResponseCache({
    maxBytes: cacheMaxBytes,
    now: monotonicNow,
    revision: () => services.indexes.revision,
    onLookup: metrics?.onLookup,
  });
  const fillErrorPage = await makeErrorPages(async (path) =>
    (await renderPage(path, { services }))?.body.toString(),
  );
  const server = createHttpServer(
    createRequestHandler({
      matchRoute: createRouter(ENDPOINTS),
      services,
      limiter,
      cache,
      clientAddressOf: createClientAddress(config.trustedProxies),
      pageRules,
      pages: createPages({
        renderPage: (url, requester) => renderPage(url, { services, requester }),
        renderQueue,
        fillErrorPage,
        pageHeaders,
        descriptionLink: `<${config.baseUrl}${OPENAPI_PATH}>; rel="service-desc"; type="application/json"`,
      }),
      onPageView: (view) => services.views.count(view),
      serveStatic,
      responseObservers: [metrics?.onResponse, requestLog].filter((observe) => observe !== undefined),
      log,
      now: monotonicNow,
    }),
  );
  if (registry) {
    const { searches } = services;
    addGauge(registry, 'czujka_limiter_windows', 'Addresses whose requests are counted.', limiter.size);
    addGauge(registry, 'czujka_cache_bytes', 'Of answers in the shared cache.', () => cache.bytes);
    addGauges(
      registry,
      'czujka_queue_length',
      'Pages and searches that are under way or wait for their turn.',
      'queue',
      () => ({ pages: renderQueue.load, searches: searches.load }),
    );
    const refused = new Counter({
      name: 'czujka_connections_refused_total',
      help: 'Connections that were closed at once, because all places were taken.',
      registers: [registry],
    });
    server.on('drop', () => refused.inc());
  }
  return {
    server,
    services,
    /** The first step of a drain: event streams never end by themselves. */
    endStreams: (): void => services.changeStreams.end(),
    limiter,
  };
}

async function loadBuiltPages(): Promise<PageSource> {
  const serveStatic = sirv(CLIENT_FOLDER, {
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders: (response, path) => {
      // Chats and forums show the pictures of previews.
      const isPicture = path.endsWith('.png');
      if (isPicture) response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      // sirv does not know it.
      if (path.endsWith('.ico')) response.setHeader('Content-Type', 'image/x-icon');
      // These names contain a hash of the content.
      const isHashed = path.startsWith('/_astro/');
      const caching = isPicture ? PICTURE_CACHING : isHashed ? HASHED_CACHING : 'no-cache';
      response.setHeader('Cache-Control', caching);
    },
  });
  return {
    renderPage: await loadPages(),
    serveStatic,
    pageHeaders: PAGE_HEADERS,
    cacheMaxBytes: CACHE_MAX_BYTES,
  };
}

export async function loadPages(): Promise<RenderPage> {
  const { render } = (await import(ASTRO_ENTRY.href)) as { render: RenderPage };
  return render;
}

if (import.meta.main) {
  try {
    await serve();
  } catch (error) {
    if (error instanceof ConfigError || error instanceof SchemaError) refuseToStart(error.message);
    throw error;
  }
}
