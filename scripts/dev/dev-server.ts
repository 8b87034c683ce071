/** The web process of `npm run dev`: Astro's development server behind the request handler that visitors get. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { dev, type ViteUserConfig } from 'astro';
import sirv from 'sirv';
import { readConfig } from '#src/config.ts';
import { PAGE_HEADERS, type RenderPage } from '#src/http/render-page.ts';
import { createLog } from '#src/log.ts';
import { refuseToStart, reportReady } from '#src/process-end.ts';
import { createSite } from '#src/server.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Modules, styles and pictures that Vite serves by their path in the repository. */
const VITES_OWN = /^\/(?:@|__|src\/|node_modules\/|\.astro\/)/;
/** Astro reads Astro.locals from this property of the request. */
const LOCALS = Symbol.for('astro.locals');
const RENDERING_HEADER = 'x-czujka-rendering';
const HOP_BY_HOP = ['connection', 'date', 'keep-alive', 'transfer-encoding'];
/** Vite writes styles into the pages and refreshes them over a WebSocket. */
const HEADERS = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': PAGE_HEADERS['Content-Security-Policy']
    .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
    .replace("connect-src 'self'", "connect-src 'self' ws:"),
};

for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(event, () => process.exit());
/** Locals of the pages that Astro renders now. */
const rendering = new Map<string, object>();
const config = readConfig();
const server = createServer((request, response) => {
  if (VITES_OWN.test(request.url ?? '')) astro.handle(request, response);
  else site.server.emit('request', request, response);
});
const astro = await dev({
  root: ROOT,
  logLevel: 'warn',
  // The request handler answers cross-origin requests. Vite's own port is not used.
  server: { host: '127.0.0.1', port: 0 },
  vite: { server: { cors: false, ws: { server } }, plugins: [passLocals()] },
});
const render: RenderPage = async (url, locals) => {
  const id = randomUUID();
  rendering.set(id, locals);
  try {
    const response = await fetch(`http://127.0.0.1:${astro.address.port}${url}`, {
      headers: { [RENDERING_HEADER]: id },
      redirect: 'manual',
    });
    const headers = Object.fromEntries(response.headers);
    for (const name of HOP_BY_HOP) delete headers[name];
    return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) };
  } finally {
    rendering.delete(id);
  }
};
const site = await createSite(config, createLog('web', config.logLevel), {
  pageSource: {
    renderPage: render,
    serveStatic: sirv(join(ROOT, 'src/public'), { dev: true }),
    pageHeaders: HEADERS,
    // A cache without room: each request sees the current sources.
    cacheMaxBytes: 1,
  },
});
server.once('error', (error: NodeJS.ErrnoException) =>
  refuseToStart(`cannot listen on ${config.host}:${config.port}: ${error.code ?? error.message}`),
);
server.listen(config.port, config.host);
await once(server, 'listening');
site.services.searches.start();
reportReady({ host: config.host, port: (server.address() as AddressInfo).port });

/** Hands a page its locals, which its request over HTTP cannot carry. */
function passLocals(): NonNullable<ViteUserConfig['plugins']>[number] {
  return {
    name: 'czujka:locals',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const locals = rendering.get(String(request.headers[RENDERING_HEADER]));
        if (locals) Reflect.set(request, LOCALS, locals);
        next();
      });
    },
  };
}
