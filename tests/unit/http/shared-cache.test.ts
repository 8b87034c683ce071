import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '#src/http/endpoint.ts';
import { createSharedCache } from '#src/http/shared-cache.ts';
import type { SharedCache } from '#src/http/shared-cache.ts';

const CACHE_CONTROL = 'public, s-maxage=30, stale-while-revalidate=300';

function answerOf(body: string, facts: Partial<Answer> = {}): Answer {
  return { status: 200, headers: { 'Cache-Control': CACHE_CONTROL, ETag: '"x"' }, body, ...facts };
}

function setUp(bytesMax = 1_000_000) {
  const clock = { now: 0 };
  const data = { generation: 1 };
  const cache = createSharedCache({ bytesMax, now: () => clock.now, generation: () => data.generation });
  return { clock, data, cache };
}

function bodyOf(cache: SharedCache, key: string): string | undefined {
  return cache.find(key, () => answerOf('renewed'))?.stored.plain.body.toString();
}

/** One turn of the event loop: background renewals begin in the next one. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}

describe('the shared cache', () => {
  it('keeps an answer that a shared cache may keep, with its age', () => {
    const { clock, cache } = setUp();
    expect(cache.find('a', () => answerOf('-'))).toBeUndefined();
    void cache.compute('a', () => answerOf('A'));
    clock.now = 29_999;
    const hit = cache.find('a', () => answerOf('-'));
    expect(hit?.stored.plain.body.toString()).toBe('A');
    expect(hit?.ageSeconds).toBe(29);
  });

  it.each([
    ['an error', answerOf('E', { status: 500 })],
    ['a missing page', answerOf('E', { status: 404 })],
    ['no-store', answerOf('E', { headers: { 'Cache-Control': 'no-store' } })],
    ['no Cache-Control', answerOf('E', { headers: {} })],
  ])('never keeps %s', (_, answer) => {
    const { cache } = setUp();
    void cache.compute('a', () => answer);
    expect(bodyOf(cache, 'a')).toBeUndefined();
  });

  it('sends a stale answer once more and renews it behind, and none after that time', async () => {
    const { clock, cache } = setUp();
    void cache.compute('a', () => answerOf('old'));
    clock.now = 30_000;
    expect(bodyOf(cache, 'a')).toBe('old');
    await turn();
    expect(bodyOf(cache, 'a')).toBe('renewed');
    clock.now = 30_000 + 330_000;
    expect(bodyOf(cache, 'a')).toBeUndefined();
  });

  it('keeps the stale answer when its renewal fails', async () => {
    const { clock, cache } = setUp();
    void cache.compute('a', () => answerOf('old'));
    clock.now = 60_000;
    const failures = [
      (): Answer => answerOf('broken', { status: 500, headers: {} }),
      (): Promise<Answer> => Promise.reject(new Error('gone')),
    ];
    for (const fail of [...failures, ...failures]) {
      expect(cache.find('a', fail)?.stored.plain.body.toString()).toBe('old');
      await turn();
    }
  });

  it('renews once for all who ask meanwhile', async () => {
    const { clock, cache } = setUp();
    void cache.compute('a', () => answerOf('old'));
    clock.now = 60_000;
    let computed = 0;
    for (let client = 0; client < 500; client += 1) {
      cache.find('a', () => {
        computed += 1;
        return answerOf('new');
      });
    }
    await turn();
    expect(computed).toBe(1);
  });

  it('computes once for all who ask meanwhile', async () => {
    const { cache } = setUp();
    let computed = 0;
    const answers = Array.from({ length: 500 }, async () =>
      cache.compute('a', async () => {
        computed += 1;
        await turn();
        return answerOf('A');
      }),
    );
    for (const answer of await Promise.all(answers)) expect(answer.body).toBe('A');
    expect(computed).toBe(1);
  });

  it('drops everything with a new generation, also what was begun before it', async () => {
    const { data, cache } = setUp();
    void cache.compute('a', () => answerOf('old'));
    const slow = cache.compute('b', async () => {
      await turn();
      return answerOf('old');
    });
    data.generation = 2;
    expect(bodyOf(cache, 'a')).toBeUndefined();
    await slow;
    expect(bodyOf(cache, 'b')).toBeUndefined();
    expect(cache.bytes).toBe(0);
  });

  it('holds no memory that lies beside what it counts, in any form', async () => {
    const { cache } = setUp();
    for (const body of ['a'.repeat(1_000), Buffer.from('a'.repeat(1_000))]) {
      void cache.compute('a', () => ({ ...answerOf(''), body }));
      const hit = cache.find('a', () => answerOf('-'));
      expect(hit?.stored.plain.body.toString()).toBe('a'.repeat(1_000));
      expect(hit?.stored.plain.body.buffer.byteLength).toBe(1_000);
      for (const encoding of ['br', 'gzip'] as const) {
        const form = hit && (await cache.form(hit, encoding));
        expect(form?.body.buffer.byteLength).toBe(form?.body.length);
      }
    }
  });

  it('holds no more bytes than it may, whatever is asked', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 9_000 }), fc.boolean())),
        async (questions) => {
          const { cache } = setUp(50_000);
          for (const [key, length, compressed] of questions) {
            const produce = (): Answer => answerOf('x'.repeat(length));
            const hit = cache.find(String(key), produce);
            if (hit && compressed) await cache.form(hit, 'br');
            else if (!hit) void cache.compute(String(key), produce);
            expect(cache.bytes).toBeLessThanOrEqual(50_000);
            expect(cache.bytes).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });

  it('does not let a flood of answers that are asked for once push out the others', () => {
    const { cache } = setUp(200_000);
    for (const key of ['home', 'list']) {
      void cache.compute(key, () => answerOf('hot'.repeat(1_000)));
      bodyOf(cache, key);
    }
    for (let search = 0; search < 10_000; search += 1) {
      void cache.compute(`search ${search}`, () => answerOf('y'.repeat(3_000)));
    }
    expect(bodyOf(cache, 'home')).toBe('hot'.repeat(1_000));
    expect(bodyOf(cache, 'list')).toBe('hot'.repeat(1_000));
  });

  it('makes each compressed form once', async () => {
    const { cache } = setUp();
    void cache.compute('a', () => answerOf('ąę'.repeat(5_000)));
    const hit = cache.find('a', () => answerOf('-'));
    if (!hit) return expect.unreachable();
    const [first, second] = await Promise.all([cache.form(hit, 'br'), cache.form(hit, 'br')]);
    expect(second).toBe(first);
    expect(cache.form(hit, 'br')).toBe(first);
    expect(brotliDecompressSync(first.body).toString()).toBe('ąę'.repeat(5_000));
    expect(gunzipSync((await cache.form(hit, 'gzip')).body).toString()).toBe('ąę'.repeat(5_000));
  });

  it('makes it once for those who asked first and those who find it, and counts it', async () => {
    const { cache } = setUp();
    const body = 'ąę'.repeat(5_000);
    const form = (): Promise<Buffer> => expect.unreachable('it is made again');
    const answer = await cache.compute('a', () => Promise.resolve(answerOf(body, { form })));
    const before = cache.bytes;
    const packed = await answer.form?.('br');
    expect(brotliDecompressSync(packed ?? '').toString()).toBe(body);
    expect(cache.bytes - before).toBe(packed?.length);
    const hit = cache.find('a', () => answerOf('-'));
    if (!hit) return expect.unreachable();
    expect((await cache.form(hit, 'br')).body).toBe(packed);
  });

  it('leaves the form of what it does not keep to whoever made it', async () => {
    const { cache } = setUp();
    const headers = { 'Cache-Control': 'no-store' };
    const form = (): Promise<Buffer> => Promise.resolve(Buffer.from('packed'));
    const answer = await cache.compute('a', () => Promise.resolve(answerOf('plain', { headers, form })));
    expect((await answer.form?.('br'))?.toString()).toBe('packed');
  });
});
