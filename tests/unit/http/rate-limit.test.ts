import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ADDRESSES_MAX,
  createRateLimiter,
  LISTS_LIMIT,
  PAGES_LIMIT,
  rateLimitHeaders,
  STATUS_LIMIT,
  WINDOW_MS,
} from '#src/http/rate-limit.ts';
import type { Grant, RateLimit, RateLimiter } from '#src/http/rate-limit.ts';
import { measureHeap } from '../../support/measure-heap.ts';

const CLIENT = '192.0.2.1';

/** A limiter over a clock that only the test moves. */
function makeLimiter(addressesMax?: number): { limiter: RateLimiter; clock: { now: number } } {
  const clock = { now: 1_000_000 };
  return { limiter: createRateLimiter(() => clock.now, addressesMax), clock };
}

function take(limiter: RateLimiter, limit: RateLimit, address: string, times: number): Grant[] {
  return Array.from({ length: times }, () => limiter.take(limit, address));
}

describe('createRateLimiter', () => {
  it.each([
    ['lists and check', LISTS_LIMIT, 1000],
    ['status and donation', STATUS_LIMIT, 30],
    ['pages', PAGES_LIMIT, 1000],
  ])('8 admits exactly the limit of %s and refuses the next', (_row, limit, count) => {
    const { limiter } = makeLimiter();
    const grants = take(limiter, limit, CLIENT, count + 1);
    expect(grants.slice(0, count).every(({ allowed }) => allowed)).toBe(true);
    expect(grants.map(({ remaining }) => remaining)).toEqual([
      ...Array.from({ length: count }, (_, sent) => count - sent - 1),
      0,
    ]);
    expect(grants[count]).toEqual({ allowed: false, limit: count, remaining: 0, resetSeconds: 60 });
  });

  it('8 opens a new window one minute after the first request and not a millisecond earlier', () => {
    const { limiter, clock } = makeLimiter();
    take(limiter, STATUS_LIMIT, CLIENT, 30);
    clock.now += WINDOW_MS - 1;
    expect(limiter.take(STATUS_LIMIT, CLIENT)).toMatchObject({ allowed: false, resetSeconds: 1 });
    clock.now += 1;
    expect(limiter.take(STATUS_LIMIT, CLIENT)).toEqual({
      allowed: true,
      limit: 30,
      remaining: 29,
      resetSeconds: 60,
    });
  });

  it('counts the window from the first request, whenever the others come', () => {
    const { limiter, clock } = makeLimiter();
    limiter.take(STATUS_LIMIT, CLIENT);
    clock.now += 59_999;
    expect(take(limiter, STATUS_LIMIT, CLIENT, 30).filter(({ allowed }) => allowed)).toHaveLength(29);
    clock.now += 1;
    expect(take(limiter, STATUS_LIMIT, CLIENT, 31).filter(({ allowed }) => allowed)).toHaveLength(30);
  });

  it('does not lengthen a window by requests that are refused', () => {
    const { limiter, clock } = makeLimiter();
    take(limiter, STATUS_LIMIT, CLIENT, 30);
    for (let second = 1; second < 60; second += 1) {
      clock.now += 1000;
      expect(limiter.take(STATUS_LIMIT, CLIENT)).toMatchObject({
        allowed: false,
        resetSeconds: 60 - second,
      });
    }
    clock.now += 1000;
    expect(limiter.take(STATUS_LIMIT, CLIENT).allowed).toBe(true);
  });

  it('admits whoever comes back after exactly the seconds that the refusal named', () => {
    for (const elapsedMs of [0, 1, 999, 1000, 1001, 30_500, 59_000, 59_001, 59_999]) {
      const { limiter, clock } = makeLimiter();
      take(limiter, STATUS_LIMIT, CLIENT, 30);
      clock.now += elapsedMs;
      const { allowed, resetSeconds } = limiter.take(STATUS_LIMIT, CLIENT);
      expect(allowed).toBe(false);
      clock.now += resetSeconds * 1000;
      expect(limiter.take(STATUS_LIMIT, CLIENT).allowed).toBe(true);
    }
  });

  it('rounds the seconds until the reset up', () => {
    const { limiter, clock } = makeLimiter();
    limiter.take(STATUS_LIMIT, CLIENT);
    for (const [elapsedMs, seconds] of [
      [0, 60],
      [1, 60],
      [999, 60],
      [1000, 59],
      [58_999, 2],
      [59_000, 1],
      [59_999, 1],
    ] as const) {
      clock.now = 1_000_000 + elapsedMs;
      expect(limiter.take(STATUS_LIMIT, CLIENT).resetSeconds).toBe(seconds);
    }
  });

  it('never names more than 60 or fewer than 1 second, with a clock of fractions too', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e10, noNaN: true }),
        fc.double({ min: 0, max: 200_000, noNaN: true }),
        (start, elapsed) => {
          let now = start;
          const limiter = createRateLimiter(() => now);
          expect(limiter.take(STATUS_LIMIT, CLIENT).resetSeconds).toBe(60);
          now += elapsed;
          const { resetSeconds } = limiter.take(STATUS_LIMIT, CLIENT);
          expect(resetSeconds).toBeGreaterThanOrEqual(1);
          expect(resetSeconds).toBeLessThanOrEqual(60);
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it('keeps buckets and addresses apart', () => {
    const { limiter } = makeLimiter();
    take(limiter, STATUS_LIMIT, CLIENT, 31);
    expect(limiter.take(LISTS_LIMIT, CLIENT)).toMatchObject({ allowed: true, limit: 1000, remaining: 999 });
    expect(limiter.take(PAGES_LIMIT, CLIENT).remaining).toBe(999);
    expect(limiter.take(STATUS_LIMIT, '192.0.2.2')).toMatchObject({ allowed: true, remaining: 29 });
    expect(limiter.take(STATUS_LIMIT, CLIENT).allowed).toBe(false);
  });

  it('shares one count among endpoints of one bucket', () => {
    const { limiter } = makeLimiter();
    take(limiter, { bucket: 'shared', limit: 5 }, CLIENT, 4);
    expect(limiter.take({ bucket: 'shared', limit: 5 }, CLIENT).allowed).toBe(true);
    expect(limiter.take({ bucket: 'shared', limit: 5 }, CLIENT).allowed).toBe(false);
  });

  it('drops the oldest window when it is full, and no other', () => {
    const { limiter, clock } = makeLimiter(3);
    for (const address of ['a', 'b', 'c']) {
      limiter.take(STATUS_LIMIT, address);
      clock.now += 1;
    }
    // Asking again does not make a window younger.
    limiter.take(STATUS_LIMIT, 'a');
    limiter.take(STATUS_LIMIT, 'd');
    expect(limiter.size()).toBe(3);
    expect(limiter.take(STATUS_LIMIT, 'b').remaining).toBe(28);
    expect(limiter.take(STATUS_LIMIT, 'c').remaining).toBe(28);
    expect(limiter.take(STATUS_LIMIT, 'd').remaining).toBe(28);
    expect(limiter.take(STATUS_LIMIT, 'a').remaining).toBe(29);
    expect(limiter.take(STATUS_LIMIT, 'b').remaining).toBe(29);
  });

  it('bounds all buckets together, and drops the oldest window of any', () => {
    const { limiter } = makeLimiter(3);
    limiter.take(LISTS_LIMIT, 'a');
    limiter.take(STATUS_LIMIT, 'a');
    limiter.take(PAGES_LIMIT, 'a');
    limiter.take(PAGES_LIMIT, 'b');
    expect(limiter.size()).toBe(3);
    expect(limiter.take(STATUS_LIMIT, 'a').remaining).toBe(28);
    expect(limiter.take(PAGES_LIMIT, 'a').remaining).toBe(998);
    expect(limiter.take(LISTS_LIMIT, 'a').remaining).toBe(999);
    expect(limiter.size()).toBe(3);
  });

  it('works with room for a single address', () => {
    const { limiter, clock } = makeLimiter(1);
    expect(limiter.take(STATUS_LIMIT, 'a').remaining).toBe(29);
    expect(limiter.take(STATUS_LIMIT, 'b').remaining).toBe(29);
    expect(limiter.take(STATUS_LIMIT, 'b').remaining).toBe(28);
    expect(limiter.take(STATUS_LIMIT, 'a').remaining).toBe(29);
    clock.now += WINDOW_MS;
    expect(limiter.take(STATUS_LIMIT, 'a').remaining).toBe(29);
    expect(limiter.size()).toBe(1);
  });

  it('forgets ended windows of addresses that never come back', () => {
    const { limiter, clock } = makeLimiter();
    for (let client = 0; client < 500; client += 1) limiter.take(LISTS_LIMIT, `client ${client}`);
    clock.now += WINDOW_MS - 1;
    limiter.take(STATUS_LIMIT, CLIENT);
    expect(limiter.size()).toBe(501);
    clock.now += 1;
    limiter.take(STATUS_LIMIT, CLIENT);
    expect(limiter.size()).toBe(1);
  });

  it('holds at most 200,000 of 1,000,000 addresses, in at most 50 MB', () => {
    const { limiter, clock } = makeLimiter();
    const heapBefore = measureHeap();
    let sizeMax = 0;
    for (let client = 0; client < 1_000_000; client += 1) {
      // A fraction, as performance.now() gives.
      clock.now += 0.01;
      limiter.take(LISTS_LIMIT, `2001:db8:${(client >> 16).toString(16)}:${(client & 0xffff).toString(16)}`);
      sizeMax = Math.max(sizeMax, limiter.size());
    }
    expect(sizeMax).toBe(ADDRESSES_MAX);
    expect(ADDRESSES_MAX).toBe(200_000);
    expect(measureHeap() - heapBefore).toBeLessThanOrEqual(50 * 1024 * 1024);
    // The last is still counted, so the limiter itself was alive until here.
    expect(limiter.take(LISTS_LIMIT, '2001:db8:f:423f').remaining).toBe(998);
  });

  it('never admits more than the limit in a minute from the first request (property)', () => {
    const limits = [
      { bucket: 'narrow', limit: 2 },
      { bucket: 'wide', limit: 5 },
    ];
    const request = fc.record({
      address: fc.constantFrom('a', 'b', 'c'),
      limit: fc.constantFrom(...limits),
      // Whole windows, their edges, and everything in between.
      waitMs: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
        fc.constantFrom(0, 1, 59_999, 60_000, 60_001),
      ),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 120, size: 'max' }), (requests) => {
        const { limiter, clock } = makeLimiter();
        const times = new Map<string, number[]>();
        for (const { address, limit, waitMs } of requests) {
          clock.now += waitMs;
          const key = `${limit.bucket} ${address}`;
          const own = [...(times.get(key) ?? []), clock.now];
          times.set(key, own);
          expect(limiter.take(limit, address)).toEqual(naiveGrant(own, limit.limit));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('never holds more than it may, and never refuses whom it has forgotten (property)', () => {
    const request = fc.record({
      address: fc.integer({ min: 0, max: 30 }).map(String),
      limit: fc.constantFrom(LISTS_LIMIT, STATUS_LIMIT),
      waitMs: fc.integer({ min: 0, max: 15_000 }),
    });
    fc.assert(
      fc.property(
        fc.array(request, { maxLength: 200, size: 'max' }),
        fc.integer({ min: 1, max: 12 }),
        (requests, addressesMax) => {
          const { limiter, clock } = makeLimiter(addressesMax);
          let queue: { key: string; startedAt: number; count: number }[] = [];
          for (const { address, limit, waitMs } of requests) {
            clock.now += waitMs;
            const key = `${limit.bucket} ${address}`;
            queue = queue.filter(({ startedAt }) => clock.now - startedAt < WINDOW_MS);
            let window = queue.find((one) => one.key === key);
            if (!window) {
              window = { key, startedAt: clock.now, count: 0 };
              queue = [...queue, window].slice(-addressesMax);
            }
            window.count += 1;
            expect(limiter.take(limit, address).remaining).toBe(Math.max(0, limit.limit - window.count));
            expect(limiter.size()).toBe(queue.length);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** By name. */
function headersOf(grant: Grant): Record<string, string | undefined> {
  const list = rateLimitHeaders(grant);
  const names = list.filter((_, at) => at % 2 === 0);
  return Object.fromEntries(names.map((name, at) => [name, list[2 * at + 1]]));
}

describe('rateLimitHeaders', () => {
  it('7 carries limit, remaining and reset on answers that are admitted', () => {
    const { limiter } = makeLimiter();
    expect(headersOf(limiter.take(STATUS_LIMIT, CLIENT))).toEqual({
      'RateLimit-Limit': '30',
      'RateLimit-Remaining': '29',
      'RateLimit-Reset': '60',
    });
  });

  it('7 adds a Retry-After equal to RateLimit-Reset on refusals', () => {
    const { limiter, clock } = makeLimiter();
    take(limiter, STATUS_LIMIT, CLIENT, 30);
    for (let refused = 0; refused < 100; refused += 1) {
      clock.now += 599;
      const headers = headersOf(limiter.take(STATUS_LIMIT, CLIENT));
      expect(headers['Retry-After']).toBe(headers['RateLimit-Reset']);
      expect(headers['Retry-After']).toMatch(/^[1-9]\d?$/);
      expect(headers['RateLimit-Remaining']).toBe('0');
    }
  });
});

/** What the last of these requests of one address gets; found by walking them all. */
function naiveGrant(times: readonly number[], limit: number): Grant {
  let startedAt = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (const at of times) {
    if (at - startedAt >= 60_000) {
      startedAt = at;
      count = 0;
    }
    count += 1;
  }
  const now = times.at(-1) ?? 0;
  return {
    allowed: count <= limit,
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.ceil((startedAt + 60_000 - now) / 1000),
  };
}
