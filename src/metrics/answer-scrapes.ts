/** A process of ours tells the supervisor its metrics when it asks, over the channel between them. */
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

export type TellMetrics = MetricObjectWithValues<MetricValue<string>>[];

/** Messages of the channel, in both directions. */
export interface ScrapeQuestion {
  readonly scrape: number;
}
export interface ScrapeAnswer {
  readonly scraped: number;
  readonly metrics: TellMetrics;
}

export function answerScrapes(registry: Registry): void {
  process.on('message', ({ scrape }: Partial<ScrapeQuestion>) => {
    if (scrape === undefined) return;
    void registry
      .getMetricsAsJSON()
      .then((metrics) => process.send?.({ scraped: scrape, metrics } satisfies ScrapeAnswer));
  });
}
