/** The site as it is served, on a free port, over a database of the test, with a clock that the test moves. */
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as requestOverTls } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { parseConfig } from '#src/config.ts';
import { LIMITS, type LimitName } from '#src/http/rate-limit.ts';
import { createLog } from '#src/log.ts';
import { createServices, type Services } from '#src/services.ts';
import { createSite } from '#src/server.ts';
import { listen } from './loopback-server.ts';

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
  log = createLog('test', 'silent'),
) {
  /** Milliseconds of the rate limit's clock. */
  const clock = { now: 0 };
  const config = parseConfig({ DATABASE_PATH: databasePath, PORT: '0', ...settings });
  const all = { ...createServices(config, log, () => clock.now, services.searches), ...services };
  const { server, limiter } = await createSite(config, log, { monotonicNow: () => clock.now, services: all });
  const { origin, port } = await listen(server);
  /** Sends a path as it is, without the normalizing that fetch does. */
  const get = (path: string, options?: RequestOptions): Promise<Answer> => ask(port, path, options);
  return {
    origin,
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
  const sent = (tls ? requestOverTls : request)({
    host: '127.0.0.1',
    port,
    path,
    method,
    agent: false,
    ...(headers && { headers }),
    ...(from && { localAddress: from }),
    ...(tls && { servername: 'localhost', rejectUnauthorized: false }),
  });
  const failure = Promise.withResolvers<never>();
  // Of the connection, also after the head has come.
  sent.on('error', failure.reject).end();
  const read = async (): Promise<Answer> => {
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await buffer(response);
    return { status: response.statusCode ?? 0, headers: response.headers, text: body.toString() };
  };
  return Promise.race([read(), failure.promise]);
}
