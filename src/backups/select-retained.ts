/** Backups contain removed entries, so none stays longer than a month. */

const DAILY_KEPT = 7;
const WEEKLY_KEPT = 4;
const AGE_MAX_DAYS = 30;
const DAY_MS = 86_400_000;
/** Day 0 of the epoch was a Thursday. */
const MONDAY_OFFSET_DAYS = 3;

/** The newest backup of each of the last days and weeks (UTC), and the newest of all, however old. */
export function selectRetained(madeAt: readonly number[], now: number): Set<number> {
  const oldestFirst = madeAt.toSorted((one, other) => one - other);
  const young = oldestFirst.filter((at) => now - at <= AGE_MAX_DAYS * DAY_MS);
  const dayOf = (at: number): number => Math.floor(at / DAY_MS);
  const weekOf = (at: number): number => Math.floor((dayOf(at) + MONDAY_OFFSET_DAYS) / 7);
  // A later backup replaces an earlier one of its period.
  const newestOfEach = (periodOf: (at: number) => number): number[] => [
    ...new Map(young.map((at) => [periodOf(at), at])).values(),
  ];
  return new Set([
    ...oldestFirst.slice(-1),
    ...newestOfEach(dayOf).slice(-DAILY_KEPT),
    ...newestOfEach(weekOf).slice(-WEEKLY_KEPT),
  ]);
}
