/**
 * Requests as the front door tells of them. Routes are those that were declared: no address, name or ID is a label. An
 * answer of the cache takes some 20 µs, and prom-client a microsecond for each count, in which it puts labels together:
 * so what is counted lies in plain arrays, and prom-client gets it when somebody asks.
 */
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { RequestMeter } from '../http/request-meter.ts';

/** Upper bounds, from an answer of the cache to a search that had to wait. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

interface RouteCounts {
  /** By status. */
  readonly statuses: Map<number, number>;
  /** Answers that took at most so long and longer than the bound before; behind the last those that took longer. */
  readonly buckets: Float64Array;
  sumMs: number;
}

export function createRequestMetrics(registry: Registry): RequestMeter {
  const routes = new Map<string, RouteCounts>();
  let hits = 0;
  let misses = 0;
  const registers = [registry];
  new Counter({
    name: 'czujka_requests_total',
    help: 'Requests that were answered, by route and status.',
    labelNames: ['route', 'status'],
    registers,
    collect() {
      this.reset();
      for (const [route, { statuses }] of routes)
        for (const [status, count] of statuses) this.inc({ route, status }, count);
    },
  });
  new Counter({
    name: 'czujka_cache_looks_total',
    help: 'Looks into the shared cache, by what they found.',
    labelNames: ['found'],
    registers,
    collect() {
      this.reset();
      this.inc({ found: 'hit' }, hits);
      this.inc({ found: 'miss' }, misses);
    },
  });
  const times = new Histogram({
    name: 'czujka_request_seconds',
    help: 'From the head of a request to the head of its answer, by route.',
    labelNames: ['route'],
    buckets: SECONDS,
    registers,
  });
  const get = times.get.bind(times);
  // A histogram of the library takes in one observation at a time only.
  times.get = async () => ({
    ...(await get()),
    values: [...routes].flatMap(([route, counts]) => toSamples(route, counts)),
  });
  return {
    begin: () => performance.now(),
    looked(wasFound) {
      if (wasFound) hits += 1;
      else misses += 1;
    },
    end(route, status, begunAt) {
      let counts = routes.get(route);
      if (!counts) {
        counts = { statuses: new Map(), buckets: new Float64Array(SECONDS.length + 1), sumMs: 0 };
        routes.set(route, counts);
      }
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
      const ms = performance.now() - begunAt;
      counts.sumMs += ms;
      let at = 0;
      while (at < SECONDS.length && ms > (SECONDS[at] as number) * 1_000) at += 1;
      counts.buckets[at] = (counts.buckets[at] ?? 0) + 1;
    },
  };
}

type Samples = Awaited<ReturnType<Histogram<'route'>['get']>>['values'];

/** In the form of a histogram: each bucket with all before it. */
function toSamples(route: string, { buckets, sumMs }: RouteCounts): Samples {
  let count = 0;
  const cumulated = Array.from(buckets, (more, at) => {
    count += more;
    const labels = { route, le: SECONDS[at] ?? '+Inf' };
    return { metricName: 'czujka_request_seconds_bucket', labels, value: count };
  });
  return [
    ...cumulated,
    { metricName: 'czujka_request_seconds_sum', labels: { route }, value: sumMs / 1_000 },
    { metricName: 'czujka_request_seconds_count', labels: { route }, value: count },
  ];
}
