/** Requests counted in plain arrays say what prom-client's own histogram and counter would say. */
import fc from 'fast-check';
import { Counter, Histogram, Registry } from 'prom-client';
import { afterEach, expect, it, vi } from 'vitest';
import { createRequestMetrics } from '#src/metrics/request-metrics.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('counts and times as the library does', async () => {
  const clock = vi.spyOn(performance, 'now');
  const requests = fc.array(
    fc.record({
      route: fc.constantFrom('/api/check', 'page'),
      status: fc.constantFrom(200, 404, 429),
      ms: fc.oneof(fc.constantFrom(0.5, 1, 5_000, 5_000.1), fc.double({ min: 0, max: 9_000, noNaN: true })),
    }),
    { minLength: 1, maxLength: 30, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(requests, async (asked) => {
      const [registry, naive] = [new Registry(), new Registry()];
      const meter = createRequestMetrics(registry);
      const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
      const times = new Histogram({
        name: 'czujka_request_seconds',
        help: 'x',
        labelNames: ['route'],
        buckets,
        registers: [naive],
      });
      const counts = new Counter({
        name: 'czujka_requests_total',
        help: 'x',
        labelNames: ['route', 'status'],
        registers: [naive],
      });
      for (const { route, status, ms } of asked) {
        clock.mockReturnValue(1_000);
        const begunAt = meter.begin();
        clock.mockReturnValue(1_000 + ms);
        meter.end(route, status, begunAt, undefined as never);
        // What the clock makes of it: the sum of two numbers has fewer digits than each.
        times.observe({ route }, (1_000 + ms - 1_000) / 1_000);
        counts.inc({ route, status });
      }
      for (const name of ['czujka_request_seconds', 'czujka_requests_total']) {
        const read = async (from: Registry) =>
          (await from.getMetricsAsJSON())
            .find((metric) => metric.name === name)
            ?.values.map((sample) => {
              const { labels, value } = sample;
              const kind = 'metricName' in sample ? sample.metricName : '';
              return JSON.stringify([kind, Object.entries(labels).toSorted(), Number(value.toFixed(6))]);
            })
            .toSorted();
        expect(await read(registry)).toEqual(await read(naive));
      }
    }),
  );
});

it('counts looks into the cache', async () => {
  const registry = new Registry();
  const meter = createRequestMetrics(registry);
  for (const found of [true, true, false]) meter.looked(found);
  expect(await registry.metrics()).toContain('czujka_cache_looks_total{found="hit"} 2');
  expect(await registry.metrics()).toContain('czujka_cache_looks_total{found="miss"} 1');
});
