import { describe, expect, it } from 'vitest';
import { createAsyncCache } from '#src/outbound/async-cache.ts';

function setUp(keysMax = 100) {
  const clock = { now: 0 };
  const answers = createAsyncCache<number>({
    ttlMs: 1_000,
    failureTtlMs: 100,
    keysMax,
    now: () => clock.now,
  });
  let asked = 0;
  const ask = async (): Promise<number> => (asked += 1);
  return { clock, answers, ask, asked: () => asked };
}

describe('kept answers', () => {
  it('are asked for once, however many wait', async () => {
    const { answers, ask, asked } = setUp();
    const got = await Promise.all(Array.from({ length: 500 }, () => answers.get('a', ask)));
    expect(new Set(got)).toEqual(new Set([1]));
    expect(asked()).toBe(1);
  });

  it('are given again while they are fresh', async () => {
    const { clock, answers, ask } = setUp();
    expect(await answers.get('a', ask)).toBe(1);
    clock.now = 999;
    expect(await answers.get('a', ask)).toBe(1);
    expect(await answers.get('b', ask)).toBe(2);
    clock.now = 1_000;
    expect(await answers.get('a', ask)).toBe(3);
  });

  it('remember failures for a shorter while', async () => {
    const { clock, answers, ask } = setUp();
    const fail = async (): Promise<number> => {
      await ask();
      throw new Error('no');
    };
    const both = await Promise.allSettled([answers.get('a', fail), answers.get('a', fail)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    clock.now = 99;
    await expect(answers.get('a', ask)).rejects.toThrow('no');
    clock.now = 100;
    expect(await answers.get('a', ask)).toBe(2);
  });

  it('are bounded: what was asked for least recently goes', async () => {
    const { answers, ask } = setUp(2);
    await answers.get('a', ask);
    await answers.get('b', ask);
    await answers.get('a', ask);
    await answers.get('c', ask);
    expect(await answers.get('a', ask)).toBe(1);
    expect(await answers.get('b', ask)).toBe(4);
  });
});
