import { describe, expect, it } from 'vitest';
import { Random } from '../../../scripts/sample/random.ts';

describe('Random', () => {
  it('repeats its numbers for the same seed words and after reseeding', () => {
    const random = new Random(1, 2, 3);
    const first = Array.from({ length: 20 }, () => random.unit());
    random.reseed(1, 2, 3);
    expect(Array.from({ length: 20 }, () => random.unit())).toEqual(first);
    random.reseed(1, 2, 4);
    expect(random.unit()).not.toBe(first[0]);
  });

  it('stays in its ranges and reaches their ends', () => {
    const random = new Random(5);
    const units = Array.from({ length: 10_000 }, () => random.unit());
    expect(Math.min(...units)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...units)).toBeLessThan(1);
    const integers = new Set(Array.from({ length: 1000 }, () => random.between(3, 7)));
    expect([...integers].sort()).toEqual([3, 4, 5, 6, 7]);
  });

  it('spreads evenly over neighbouring seeds', () => {
    const random = new Random();
    let sum = 0;
    for (let seed = 0; seed < 10_000; seed++) {
      random.reseed(1, 2, seed);
      sum += random.unit();
    }
    expect(sum / 10_000).toBeCloseTo(0.5, 1);
  });

  it('refuses to pick from nothing', () => {
    expect(() => new Random().pick([])).toThrow(RangeError);
    expect(() => new Random().pickEarly([])).toThrow(RangeError);
  });
});
