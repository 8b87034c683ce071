import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createRateLimiter,
  LIMITS,
  rateLimitHeaders,
  WINDOWS_MAX,
  type RateLimiter,
} from '#src/http/rate-limit.ts';
import { measureHeap } from '../../support/measure-heap.ts';
import { trials } from '../../support/trials.ts';

/** A limiter over a clock that only the test moves. */
function makeLimiter(windowsMax?: number): { limiter: RateLimiter; clock: { now: number } } {
  const clock = { now: 1_000_000 };
  return { limiter: createRateLimiter(() => clock.now, windowsMax), clock };
}

it('holds at most 200,000 of 300,000 addresses, in at most 50 MB', () => {
  const { limiter, clock } = makeLimiter();
  const heapBefore = measureHeap();
  let sizeMax = 0;
  for (let client = 0; client < 300_000; client += 1) {
    // A fraction, as performance.now() gives.
    clock.now += 0.01;
    const address = `2001:db8:${(client >> 16).toString(16)}:${(client & 0xffff).toString(16)}`;
    limiter.consume('lists', LIMITS.lists, address);
    sizeMax = Math.max(sizeMax, limiter.size());
  }
  expect(sizeMax).toBe(WINDOWS_MAX);
  expect(WINDOWS_MAX).toBe(200_000);
  expect(measureHeap() - heapBefore).toBeLessThanOrEqual(50 * 1024 * 1024);
  // The last is still counted, so the limiter itself was alive until here.
  expect(limiter.consume('lists', LIMITS.lists, '2001:db8:4:93df').remaining).toBe(998);
});

it('8 counts as a list of all windows does, and keeps only the newest windows (property)', () => {
  const request = fc.record({
    address: fc.integer({ min: 0, max: 8 }).map(String),
    limit: fc.constantFrom<[string, number]>(['narrow', 2], ['wide', 5]),
    // Whole windows, their edges, and everything in between.
    waitMs: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 9_000 }) },
      fc.double({ min: 0, max: 9_000, noNaN: true }),
      fc.constantFrom(0, 1, 59_999, 60_000, 60_001),
    ),
  });
  const max = fc.integer({ min: 1, max: 12 });
  fc.assert(
    fc.property(fc.array(request, { maxLength: 200, size: 'max' }), max, (requests, addressesMax) => {
      const { limiter, clock } = makeLimiter(addressesMax);
      let windows: { key: string; startedAt: number; count: number }[] = [];
      for (const { address, limit, waitMs } of requests) {
        const [bucket, most] = limit;
        clock.now += waitMs;
        const key = `${bucket} ${address}`;
        windows = windows.filter(({ startedAt }) => clock.now - startedAt < 60_000);
        let window = windows.find((one) => one.key === key);
        if (!window) {
          window = { key, startedAt: clock.now, count: 0 };
          windows = [...windows, window].slice(-addressesMax);
        }
        window.count += 1;
        expect(limiter.consume(bucket, most, address)).toEqual({
          allowed: window.count <= most,
          limit: most,
          remaining: Math.max(0, most - window.count),
          resetSeconds: Math.ceil((60_000 - (clock.now - window.startedAt)) / 1000),
        });
        expect(limiter.size()).toBe(windows.length);
      }
    }),
    { numRuns: trials(200, 2_000) },
  );
});

it('7 sends limit, remaining and reset, and with a refusal Retry-After', () => {
  const result = { limit: 30, remaining: 0, resetSeconds: 38 };
  const headers = ['RateLimit-Limit', '30', 'RateLimit-Remaining', '0', 'RateLimit-Reset', '38'];
  expect(rateLimitHeaders({ allowed: true, ...result })).toEqual(headers);
  expect(rateLimitHeaders({ allowed: false, ...result })).toEqual([...headers, 'Retry-After', '38']);
});
