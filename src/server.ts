/** The web process: it reads the database and never writes it. */
import type { AddressInfo } from 'node:net';
import { ConfigError, readConfig } from './config.ts';
import { SchemaError } from './db/reader.ts';
import { drainServer } from './http/http-server.ts';
import { createLog } from './log.ts';
import { answerScrapes } from './metrics/answer-scrapes.ts';
import { createRegistry } from './metrics/registry.ts';
import { crashOnBug, endOnSignal, refuseToStart, reportReady } from './process-end.ts';
import { createSite } from './site.ts';

async function serve(): Promise<void> {
  const config = readConfig();
  const log = createLog('web', config.logLevel);
  const registry = config.metricsPort === undefined ? undefined : createRegistry('web');
  const { server, services, endStreams } = await createSite(config, log, undefined, undefined, registry);
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
  server.listen(config.port, config.host, () => {
    const { port } = server.address() as AddressInfo;
    services.searches.start();
    log.info({ host: config.host, port }, 'listening');
    reportReady({ host: config.host, port });
  });
}

try {
  await serve();
} catch (error) {
  if (error instanceof ConfigError || error instanceof SchemaError) refuseToStart(error.message);
  throw error;
}
