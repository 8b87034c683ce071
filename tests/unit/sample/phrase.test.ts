import { describe, expect, it } from 'vitest';
import { drawInOrder } from '../../../scripts/sample/draw.ts';
import { drawFacts, phrases } from '../../../scripts/sample/phrase.ts';
import { Random } from '../../../scripts/sample/random.ts';

const reportedMs = Date.UTC(2026, 10, 20);
const account = { createdMs: Date.UTC(2026, 10, 18), reportedMs };

describe('phrases', () => {
  it('refuses an unknown slot, naming it', () => {
    expect(() => phrases(['Kwota {amuont}.'])).toThrow('{amuont}');
  });

  it('keeps the facts of a case the same and fills every slot', () => {
    const random = new Random(1);
    const facts = drawFacts(random, account, {});
    const [phrase] = phrases(['{item.gen}, {amount}, {amount}']);
    expect(phrase?.(facts, random)).toBe(`${facts.item.gen}, ${facts.amount}, ${facts.amount}`);
  });

  it('lets days run forward, from the making of the account to its report', () => {
    const random = new Random(2);
    const facts = drawFacts(random, account, {});
    const [phrase] = phrases(['{day}']);
    const days = Array.from({ length: 10 }, () => phrase?.(facts, random));
    expect(days[0]).toBe('18 listopada 2026');
    expect(days.at(-1)).toBe('20 listopada 2026');
  });
});

describe('drawInOrder', () => {
  it('takes as many as asked, in the order of the pool', () => {
    const pool = phrases(['1', '2', '3', '4', '5']);
    const random = new Random(3);
    const facts = drawFacts(random, account, {});
    for (let count = 1; count <= 7; count++) {
      const drawn = drawInOrder(random, pool, facts, count);
      expect(drawn).toHaveLength(Math.min(count, 5));
      expect(drawn).toEqual([...drawn].sort());
    }
  });
});
