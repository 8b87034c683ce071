/** Which backups stay. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { selectRetained } from '#src/backups/select-retained.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1, 4, 10);

describe('the backups that stay', () => {
  it('are those of seven days and four weeks, after a year of one a day', () => {
    let present: number[] = [];
    for (let day = 0; day < 365; day += 1) {
      const now = START + day * DAY;
      const kept = selectRetained([...present, now], now);
      present = [...present, now].filter((at) => kept.has(at));
      expect(kept.has(now)).toBe(true);
    }
    const now = START + 364 * DAY;
    const ages = present.map((at) => (now - at) / DAY).toSorted((one, other) => one - other);
    expect(ages.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    // Thursday, 31 December 2026: the newest of each week is that of its Sunday.
    expect(ages).toEqual([0, 1, 2, 3, 4, 5, 6, 11, 18]);
  });

  it('are never older than 30 days, but for the only one there is', () => {
    const at = fc.integer({ min: 0, max: 120 * 24 }).map((hours) => START + hours * 3_600_000);
    fc.assert(
      fc.property(fc.uniqueArray(at, { minLength: 1 }), fc.nat(40 * DAY), (times, later) => {
        const newest = Math.max(...times);
        const now = newest + later;
        const kept = [...selectRetained(times, now)];
        expect(kept).toContain(newest);
        expect(kept.filter((time) => time !== newest && now - time > 30 * DAY)).toEqual([]);
        expect(kept.length).toBeLessThanOrEqual(7 + 4);
      }),
    );
  });
});
