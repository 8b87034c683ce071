import fc from 'fast-check';
import { expect, it } from 'vitest';
import { selectRetained } from '#src/backups/select-retained.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1, 4, 10);
const right = (edge: number) => ({ edge, latest: edge + 2 * DAY, isBelieved: true });
const wrong = (edge: number) => ({ ...right(edge), isBelieved: false });
const daily = (count: number, from: number): number[] =>
  Array.from({ length: count }, (_, day) => from + day * DAY);

it('the backups that stay are those of seven days and four weeks, after a year of one a day', () => {
  let present: number[] = [];
  for (let day = 0; day < 365; day += 1) {
    const now = START + day * DAY;
    const kept = selectRetained([...present, now], right(now));
    present = [...present, now].filter((at) => kept.has(at));
    expect(kept.has(now)).toBe(true);
  }
  const now = START + 364 * DAY;
  const ages = present.map((at) => (now - at) / DAY).toSorted((one, other) => one - other);
  expect(ages.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  // Thursday, 31 December 2026: the newest of each week is that of its Sunday.
  expect(ages).toEqual([0, 1, 2, 3, 4, 5, 6, 11, 18]);
});

it('the backups that stay are all nine after a start with a clock 1,500 days ahead, and the wrong one goes when the clock is right', () => {
  const nine = daily(9, START);
  const ahead = START + 1_508 * DAY;
  const all = [...nine, ahead];
  expect([...selectRetained(all, wrong(START + 10 * DAY))].toSorted()).toEqual(all);
  const now = START + 9 * DAY;
  const kept = selectRetained([...nine, now, ahead], right(now));
  expect([...kept].toSorted()).toEqual([...nine.slice(3), now]);
});

it('the backups that stay are the new ones after four weeks of a clock ahead, and those of the weeks until there are seven', () => {
  let present: number[] = [];
  for (const [day, now] of daily(28, START + 1_500 * DAY).entries()) {
    present = [...selectRetained([...present, now], wrong(START + 2 * day * DAY))];
    expect(present).toContain(now);
  }
  const ahead = [...present];
  expect(ahead.length).toBeLessThanOrEqual(7 + 4);
  for (const [day, now] of daily(7, START + 28 * DAY).entries()) {
    present = [...selectRetained([...present, now], right(now))];
    const expected = [...daily(day + 1, START + 28 * DAY), ...(day < 6 ? ahead : [])];
    expect(present.toSorted()).toEqual(expected.toSorted());
  }
});

it('the backups that stay are all after a start with a clock behind, by two days or by 1,500', () => {
  const [nine, week] = [daily(9, START), daily(7, START)];
  expect(selectRetained(week, right(START + 4 * DAY))).toEqual(new Set(week));
  const behind = START - 1_500 * DAY;
  const time = { edge: behind, latest: START + 10 * DAY, isBelieved: false };
  expect(selectRetained([behind, ...nine], time)).toEqual(new Set([behind, ...nine]));
});

it('the backups that stay are those of 30 days by the edge, when it is far behind after a long stop', () => {
  const [before, after] = [daily(9, START), daily(10, START + 40 * DAY)];
  const kept = selectRetained([...before, ...after], wrong(START + 32 * DAY));
  expect([...kept].toSorted()).toEqual([...before.slice(3), ...after.slice(3)]);
});

it('the backups that stay are never older than 30 days, but for the only one there is', () => {
  const at = fc.integer({ min: 0, max: 120 * 24 }).map((hours) => START + hours * 3_600_000);
  fc.assert(
    fc.property(fc.uniqueArray(at, { minLength: 1 }), fc.nat(40 * DAY), (times, later) => {
      const newest = Math.max(...times);
      const now = newest + later;
      const kept = [...selectRetained(times, right(now))];
      expect(kept).toContain(newest);
      expect(kept.filter((time) => time !== newest && now - time > 30 * DAY)).toEqual([]);
      expect(kept.length).toBeLessThanOrEqual(7 + 4);
    }),
  );
});
