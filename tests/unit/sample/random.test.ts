import { describe, expect, it } from 'vitest';
import { Random } from '../../../scripts/sample/random.ts';

const draw = (random: Random): number[] => Array.from({ length: 20 }, () => random.unit());

describe('Random', () => {
  it('repeats its numbers for the same seed words, and for no others', () => {
    expect(draw(new Random(1, 2, 3))).toEqual(draw(new Random(1, 2, 3)));
    expect(draw(new Random(1, 2, 3))).not.toEqual(draw(new Random(1, 2, 4)));
  });

  it('spreads evenly over neighbouring seeds', () => {
    const units = Array.from({ length: 10_000 }, (_, seed) => new Random(1, seed).unit());
    expect(units.reduce((sum, unit) => sum + unit) / units.length).toBeCloseTo(0.5, 1);
  });
});
