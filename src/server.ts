/** The web process: settings, services, front door, drain. It reads the database and never writes it. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import sirv from 'sirv';
import { ConfigError, readConfig } from './config.ts';
import type { Config } from './config.ts';
import { SchemaError } from './db/reader.ts';
import { createClientAddress } from './http/client-address.ts';
import { readErrorPages } from './http/error-pages.ts';
import { createFrontDoor } from './http/front-door.ts';
import { createHttpServer, drainServer } from './http/http-server.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import type { AstroHandler } from './http/rendered-page.ts';
import { createRoutes } from './http/routes.ts';
import { createLog } from './log.ts';
import type { Log } from './log.ts';
import * as check from './pages/api/check.ts';
import * as donateStatus from './pages/api/donate/status.ts';
import * as legit from './pages/api/legit.ts';
import * as scammers from './pages/api/scammers.ts';
import * as servers from './pages/api/servers.ts';
import * as status from './pages/api/status.ts';
import { crashOnBug, endOnSignal, refuseToStart, reportReady } from './process-end.ts';
import { createServices } from './services.ts';

/** Every file of src/pages/api, by the path that Astro's router gives it. */
const ENDPOINTS = {
  '/api/scammers': scammers,
  '/api/servers': servers,
  '/api/legit': legit,
  '/api/check': check,
  '/api/status': status,
  '/api/donate/status': donateStatus,
};

const CLIENT_FOLDER = join(import.meta.dirname, '../dist/client');
const ASTRO_ENTRY = new URL('../dist/server/entry.mjs', import.meta.url);
const YEAR_SECONDS = 31_536_000;

async function serve(config: Config, log: Log): Promise<void> {
  const services = createServices(config, log);
  const { handler } = (await import(ASTRO_ENTRY.href)) as { handler: AstroHandler };
  // After the import: Astro's adapter installs a listener that swallows unhandled rejections.
  process.removeAllListeners('unhandledRejection');
  crashOnBug(log);
  const server = createHttpServer(
    createFrontDoor({
      matchRoute: createRoutes(ENDPOINTS),
      services,
      limiter: createRateLimiter(() => performance.now()),
      clientAddressOf: createClientAddress(config.trustedProxies),
      serveStatic: sirv(CLIENT_FOLDER, {
        etag: true,
        setHeaders: (response, path) => {
          // Astro names these files by their content.
          const lasting = path.startsWith('/_astro/');
          response.setHeader(
            'Cache-Control',
            lasting ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
          );
        },
      }),
      astro: handler,
      errorPages: readErrorPages(CLIENT_FOLDER),
      log,
    }),
  );
  endOnSignal(log, async () => {
    await drainServer(server);
    services.close();
  });
  server.on('error', (error: NodeJS.ErrnoException) => {
    refuseToStart(`cannot listen on ${config.host}:${config.port}: ${error.code ?? error.message}`);
  });
  server.listen(config.port, config.host, () => {
    const { port } = server.address() as AddressInfo;
    log.info({ host: config.host, port }, 'listening');
    reportReady({ host: config.host, port });
  });
}

try {
  const config = readConfig();
  await serve(config, createLog('web', config.logLevel));
} catch (error) {
  if (error instanceof ConfigError || error instanceof SchemaError) refuseToStart(error.message);
  throw error;
}
