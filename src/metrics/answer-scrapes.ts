/** Sends the metrics of this process to the supervisor on request, over their IPC channel. */
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { sendToParent } from '../process-end.ts';

export type ProcessMetrics = MetricObjectWithValues<MetricValue<string>>[];

export interface ScrapeQuestion {
  readonly scrape: number;
}
export interface ScrapeAnswer {
  readonly scraped: number;
  readonly metrics: ProcessMetrics;
}

export function answerScrapes(registry: Registry): void {
  process.on('message', ({ scrape }: Partial<ScrapeQuestion>) => {
    if (scrape === undefined) return;
    void registry
      .getMetricsAsJSON()
      .then((metrics) => sendToParent({ scraped: scrape, metrics } satisfies ScrapeAnswer));
  });
}
