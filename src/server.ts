/** The web process: it reads the database and never writes it. */
import type { AddressInfo } from 'node:net';
import { ConfigError, readConfig } from './config.ts';
import { readPassedSocket } from './environment.ts';
import { SchemaError } from './db/reader.ts';
import { drainServer } from './http/http-server.ts';
import { createLog } from './log.ts';
import { answerScrapes } from './metrics/answer-scrapes.ts';
import { createRegistry } from './metrics/registry.ts';
import { crashOnBug, endOnSignal, refuseToStart, reportReady } from './process-end.ts';
import { createSite } from './site.ts';

/** Connections that wait in the kernel, for example during a restart. Linux allows 4,096; Node's default is 511. */
const BACKLOG = 4_096;

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

try {
  await serve();
} catch (error) {
  if (error instanceof ConfigError || error instanceof SchemaError) refuseToStart(error.message);
  throw error;
}
