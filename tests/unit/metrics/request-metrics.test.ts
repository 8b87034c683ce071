import { Registry } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { createRequestMetrics } from '#src/metrics/observe-responses.ts';

it('counts responses by route and status, how long each took, and looks into the cache', async () => {
  const registry = new Registry();
  const metrics = createRequestMetrics(registry);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_003);
  const answer = (route: string, status: number) =>
    metrics.onResponse({ route, askedAt: 1_000 } as never, status);
  for (let times = 0; times < 2; times += 1) answer('/api/check', 200);
  answer('page', 503);
  clock.mockRestore();
  for (const isHit of [true, true, false]) metrics.onLookup(isHit);
  const lines = (await registry.metrics()).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'czujka_requests_total{route="/api/check",status="200"} 2',
      'czujka_requests_total{route="page",status="503"} 1',
      'czujka_request_seconds_bucket{le="0.0025",route="/api/check"} 0',
      'czujka_request_seconds_bucket{le="0.005",route="/api/check"} 2',
      'czujka_request_seconds_count{route="page"} 1',
      'czujka_cache_looks_total{found="hit"} 2',
      'czujka_cache_looks_total{found="miss"} 1',
    ]),
  );
});
