import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { createRequestMetrics } from '#src/metrics/observe-responses.ts';

it('counts responses by route and status, and how long each took', async () => {
  const registry = new Registry();
  const metrics = createRequestMetrics(registry);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_003);
  for (const [route, status] of [
    ['/api/check', 200],
    ['/api/check', 200],
    ['page', 503],
  ] as const)
    metrics.onResponse({ route, askedAt: 1_000 } as never, status);
  clock.mockRestore();
  const text = await registry.metrics();
  expect(text).toContain('czujka_requests_total{route="/api/check",status="200"} 2');
  expect(text).toContain('czujka_requests_total{route="page",status="503"} 1');
  expect(text).toContain('czujka_request_seconds_bucket{le="0.0025",route="/api/check"} 0');
  expect(text).toContain('czujka_request_seconds_bucket{le="0.005",route="/api/check"} 2');
  expect(text).toContain('czujka_request_seconds_count{route="page"} 1');
});

it('counts looks into the cache', async () => {
  const registry = new Registry();
  const metrics = createRequestMetrics(registry);
  for (const isHit of [true, true, false]) metrics.onLookup(isHit);
  expect(await registry.metrics()).toContain('czujka_cache_looks_total{found="hit"} 2');
  expect(await registry.metrics()).toContain('czujka_cache_looks_total{found="miss"} 1');
});
