/** Backups contain removed entries, so none stays longer than a month. */

const DAILY_KEPT = 7;
const WEEKLY_KEPT = 4;
const AGE_MAX_DAYS = 30;
const DAY_MS = 86_400_000;
/** Day 0 of the epoch was a Thursday. */
const MONDAY_OFFSET_DAYS = 3;

/** The newest backup of each of the last days and weeks (UTC), and the newest of all, however old. */
export function selectRetained(madeAt: readonly number[], now: number): Set<number> {
  const newestFirst = madeAt.toSorted((one, other) => other - one);
  const young = newestFirst.filter((at) => now - at <= AGE_MAX_DAYS * DAY_MS);
  const dayOf = (at: number): number => Math.floor(at / DAY_MS);
  const weekOf = (at: number): number => Math.floor((dayOf(at) + MONDAY_OFFSET_DAYS) / 7);
  return new Set([
    ...newestFirst.slice(0, 1),
    ...newestOfEach(young, dayOf, DAILY_KEPT),
    ...newestOfEach(young, weekOf, WEEKLY_KEPT),
  ]);
}

function newestOfEach(
  newestFirst: readonly number[],
  periodOf: (at: number) => number,
  kept: number,
): number[] {
  const chosen = new Map<number, number>();
  for (const at of newestFirst) if (!chosen.has(periodOf(at))) chosen.set(periodOf(at), at);
  return [...chosen.values()].slice(0, kept);
}
