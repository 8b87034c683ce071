/** `/metrics` for Prometheus, on the loopback interface: the supervisor asks its processes and puts together what they say. */
import type { ChildProcess } from 'node:child_process';
import { on } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AggregatorRegistry, Gauge, Registry } from 'prom-client';
import type { Log } from '../log.ts';
import type { ScrapeAnswer, ScrapeQuestion, ProcessMetrics } from '../metrics/answer-scrapes.ts';

/** A process that does not answer within this time is left out: it may be starting. */
const ANSWER_MS = 2_000;
const HOST = '127.0.0.1';

export function startMetricsServer(port: number, log: Log) {
  const children = new Map<string, ChildProcess>();
  let questions = 0;

  const ask = async (child: ChildProcess): Promise<ProcessMetrics | undefined> => {
    questions += 1;
    const number = questions;
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(ANSWER_MS)]);
    child.send({ scrape: number } satisfies ScrapeQuestion, (error) => error && ending.abort());
    try {
      for await (const [message] of on(child, 'message', { signal })) {
        const { scraped, metrics } = message as Partial<ScrapeAnswer>;
        if (scraped === number) return metrics;
      }
    } catch {
      // The time is over, or the question cannot be sent.
    }
    return undefined;
  };

  const collect = async (): Promise<string> => {
    const own = new Registry();
    const up = new Gauge({
      name: 'czujka_process_up',
      help: 'Whether a process of the service runs and answers.',
      labelNames: ['process'],
      registers: [own],
    });
    const told = await Promise.all(
      [...children].map(async ([name, child]) => {
        const metrics = child.connected ? await ask(child) : undefined;
        up.set({ process: name }, metrics ? 1 : 0);
        return metrics ?? [];
      }),
    );
    return AggregatorRegistry.aggregate([...told, await own.getMetricsAsJSON()]).metrics();
  };

  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    collect().then(
      (text) =>
        response.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'metrics cannot be told');
        response.writeHead(500).end();
      },
    );
  });
  server.on('error', (error) => log.error({ err: error }, 'metrics are not served'));
  server.listen(port, HOST, () =>
    log.info({ host: HOST, port: (server.address() as AddressInfo).port }, 'metrics are served'),
  );
  return {
    /** Called for each started child process, also after a restart. */
    watch: (name: string, child: ChildProcess) => void children.set(name, child),
    collect,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
