/** Backups contain removed entries, so none stays longer than a month. */
import type { RetentionTime } from '../db/retention-time.ts';
import { DAY_MS, HOUR_MS } from '../text/calendar.ts';

const DAILY_MAX = 7;
const WEEKLY_MAX = 4;
/** The worker looks every hour. */
const AGE_MAX_MS = 30 * DAY_MS - HOUR_MS;
/** Day 0 of the epoch was a Thursday. */
const MONDAY_OFFSET_DAYS = 3;

/**
 * The newest backup of each of the last days and weeks (UTC), and the newest of all, however old. While the clock is not
 * believed, every one that is young enough stays.
 */
export function selectRetained(
  madeAt: readonly number[],
  { edge, latest, isBelieved }: RetentionTime,
): ReadonlySet<number> {
  const oldestFirst = madeAt.toSorted((one, other) => one - other);
  const known = oldestFirst.filter((at) => at <= latest);
  const young = known.filter((at) => edge - at <= AGE_MAX_MS);
  const retained = isBelieved ? newestOfPeriods(young) : young;
  // They push out no others.
  const ahead = isBelieved && retained.length >= DAILY_MAX ? [] : oldestFirst.slice(known.length);
  return new Set([...known.slice(-1), ...retained, ...newestOfPeriods(ahead)]);
}

/** @param times oldest first: a later one replaces an earlier one of its period */
function newestOfPeriods(times: readonly number[]): number[] {
  const newestOfEach = (periodOf: (at: number) => number): number[] => [
    ...new Map(times.map((at) => [periodOf(at), at])).values(),
  ];
  const dayOf = (at: number): number => Math.floor(at / DAY_MS);
  const weekOf = (at: number): number => Math.floor((dayOf(at) + MONDAY_OFFSET_DAYS) / 7);
  const retained = [...newestOfEach(dayOf).slice(-DAILY_MAX), ...newestOfEach(weekOf).slice(-WEEKLY_MAX)];
  return [...new Set(retained)];
}
