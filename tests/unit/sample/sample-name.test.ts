import { describe, expect, it } from 'vitest';
import { Random } from '../../../scripts/sample/random.ts';
import { toLookAlike } from '../../../scripts/sample/sample-name.ts';

describe('toLookAlike', () => {
  it('swaps letters for their twins, one or all', () => {
    const random = new Random(1);
    const made = new Set(Array.from({ length: 50 }, () => toLookAlike('lilo', random)));
    expect(made).toEqual(new Set(['IlI0', 'Iilo']));
  });

  it('keeps a name without such letters', () => {
    expect(toLookAlike('żbęka', new Random(1))).toBe('żbęka');
  });

  it('never makes a name longer than a hundred characters', () => {
    const name = 'm'.repeat(100);
    expect(toLookAlike(name, new Random(1))).toBe(name);
  });
});
