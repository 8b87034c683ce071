/** The site as it is served, on a free port, over a database of the test, with a clock that the test moves. */
import { once } from 'node:events';
import { request, type IncomingHttpHeaders } from 'node:http';
import { request as requestOverTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { parseConfig } from '#src/config.ts';
import { LIMITS, type LimitName } from '#src/http/rate-limit.ts';
import { createLog } from '#src/log.ts';
import { createServices, type Services } from '#src/services.ts';
import { createSite } from '#src/server.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export type TestSite = Awaited<ReturnType<typeof startTestSite>>;

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of the client on the loopback net, for tests of the rate limit. */
  readonly from?: string;
  readonly tls?: boolean;
}

export async function startTestSite(
  databasePath: string,
  settings: Readonly<Record<string, string>> = {},
  services: Partial<Services> = {},
) {
  /** Milliseconds of the rate limit's clock. */
  const clock = { now: 0 };
  const config = parseConfig({ DATABASE_PATH: databasePath, PORT: '0', ...settings });
  const log = createLog('test', 'silent');
  const all = { ...createServices(config, log, () => clock.now, services.searches), ...services };
  const { server, limiter } = await createSite(config, log, {
    monotonicNow: () => clock.now,
    services: all,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // It ends with the worker that runs the test file.
  server.unref();
  /** Sends a path as it is, without the normalizing that fetch does. */
  const get = (path: string, options?: RequestOptions): Promise<Answer> => ask(port, path, options);
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    server,
    services: all,
    limiter,
    clock,
    get,
    /** The parsed body of a 200. */
    async json<Body>(path: string): Promise<Body> {
      const { status, text } = await get(path);
      if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
      return JSON.parse(text) as Body;
    },
  };
}

/** As if the client had made every request that it may make in this minute. */
export function exhaustLimit({ limiter }: TestSite, limit: LimitName, address: string): void {
  while (limiter.consume(limit, LIMITS[limit], address).remaining > 0);
}

/** Sends a path as it is to a port of the loopback net. */
export function ask(
  port: number,
  path: string,
  { method = 'GET', headers, from, tls = false }: RequestOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = (tls ? requestOverTls : request)(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        agent: false,
        ...(headers && { headers }),
        ...(from && { localAddress: from }),
        ...(tls && { servername: 'localhost', rejectUnauthorized: false }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
        response.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
