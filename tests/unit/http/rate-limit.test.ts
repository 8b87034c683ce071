import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  WINDOWS_MAX,
  createRateLimiter,
  LIMITS,
  rateLimitHeaders,
  type RateLimitResult,
  type LimitName,
  type RateLimiter,
} from '#src/http/rate-limit.ts';
import { measureHeap } from '../../support/measure-heap.ts';
import { trials } from '../../support/trials.ts';

const CLIENT = '192.0.2.1';
/** A limiter takes the room of all its windows at once, which a property would wait for again and again. */
const FEW = 10;

/** A limiter over a clock that only the test moves. */
function makeLimiter(addressesMax?: number): { limiter: RateLimiter; clock: { now: number } } {
  const clock = { now: 1_000_000 };
  return { limiter: createRateLimiter(() => clock.now, addressesMax), clock };
}

function take(limiter: RateLimiter, limit: LimitName, times: number): RateLimitResult[] {
  return Array.from({ length: times }, () => limiter.consume(limit, LIMITS[limit], CLIENT));
}

describe('createRateLimiter', () => {
  it.each([
    ['lists', 1000],
    ['status', 30],
    ['pages', 1000],
  ] as const)('8 admits exactly the limit of %s and refuses the next', (limit, count) => {
    const grants = take(makeLimiter().limiter, limit, count + 1);
    expect(grants.slice(0, count).every(({ allowed }) => allowed)).toBe(true);
    expect(grants[count]).toEqual({ allowed: false, limit: count, remaining: 0, resetSeconds: 60 });
  });

  it('8 admits a client that comes back after exactly the seconds that the refusal named', () => {
    for (const elapsedMs of [0, 999, 1000, 1001, 59_000, 59_999]) {
      const { limiter, clock } = makeLimiter();
      take(limiter, 'status', 30);
      clock.now += elapsedMs;
      const { allowed, resetSeconds } = limiter.consume('status', LIMITS.status, CLIENT);
      expect([allowed, resetSeconds]).toEqual([false, Math.ceil((60_000 - elapsedMs) / 1000)]);
      clock.now += resetSeconds * 1000;
      expect(limiter.consume('status', LIMITS.status, CLIENT)).toMatchObject({
        allowed: true,
        remaining: 29,
      });
    }
  });

  it('never names more than 60 or fewer than 1 second, with a clock of fractions too', () => {
    const start = fc.double({ min: 0, max: 1e10, noNaN: true });
    const elapsed = fc.double({ min: 0, max: 200_000, noNaN: true });
    fc.assert(
      fc.property(start, elapsed, (from, ms) => {
        let now = from;
        const limiter = createRateLimiter(() => now, FEW);
        const first = limiter.consume('status', LIMITS.status, CLIENT).resetSeconds;
        now += ms;
        const { resetSeconds } = limiter.consume('status', LIMITS.status, CLIENT);
        return first === 60 && resetSeconds >= 1 && resetSeconds <= 60;
      }),
      { numRuns: trials(1_000, 10_000) },
    );
  });

  it('holds at most 200,000 of 300,000 addresses, in at most 50 MB', () => {
    const { limiter, clock } = makeLimiter();
    const heapBefore = measureHeap();
    let sizeMax = 0;
    for (let client = 0; client < 300_000; client += 1) {
      // A fraction, as performance.now() gives.
      clock.now += 0.01;
      limiter.consume(
        'lists',
        LIMITS.lists,
        `2001:db8:${(client >> 16).toString(16)}:${(client & 0xffff).toString(16)}`,
      );
      sizeMax = Math.max(sizeMax, limiter.size());
    }
    expect(sizeMax).toBe(WINDOWS_MAX);
    expect(WINDOWS_MAX).toBe(200_000);
    expect(measureHeap() - heapBefore).toBeLessThanOrEqual(50 * 1024 * 1024);
    // The last is still counted, so the limiter itself was alive until here.
    expect(limiter.consume('lists', LIMITS.lists, '2001:db8:4:93df').remaining).toBe(998);
  });

  it('grants what a walk over all requests gives, and holds only the newest windows (property)', () => {
    const request = fc.record({
      address: fc.integer({ min: 0, max: 8 }).map(String),
      limit: fc.constantFrom<[string, number]>(['narrow', 2], ['wide', 5]),
      // Whole windows, their edges, and everything in between.
      waitMs: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 0, max: 9_000 }) },
        fc.constantFrom(0, 1, 59_999, 60_000, 60_001),
      ),
    });
    const max = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 200, size: 'max' }), max, (requests, addressesMax) => {
        const { limiter, clock } = makeLimiter(addressesMax);
        let windows: { key: string; startedAt: number; count: number }[] = [];
        for (const {
          address,
          limit: [bucket, most],
          waitMs,
        } of requests) {
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
            resetSeconds: Math.ceil((window.startedAt + 60_000 - clock.now) / 1000),
          });
          expect(limiter.size()).toBe(windows.length);
        }
      }),
      { numRuns: trials(200, 2_000) },
    );
  });
});

describe('rateLimitHeaders', () => {
  it('7 carries limit, remaining and reset, and on refusals a Retry-After equal to the reset', () => {
    const { limiter, clock } = makeLimiter();
    const limits = ['RateLimit-Limit', '30', 'RateLimit-Remaining'];
    const grant = limiter.consume('status', LIMITS.status, CLIENT);
    expect(rateLimitHeaders(grant)).toEqual([...limits, '29', 'RateLimit-Reset', '60']);
    take(limiter, 'status', 29);
    clock.now += 22_500;
    const headers = [...limits, '0', 'RateLimit-Reset', '38', 'Retry-After', '38'];
    expect(rateLimitHeaders(limiter.consume('status', LIMITS.status, CLIENT))).toEqual(headers);
  });
});
