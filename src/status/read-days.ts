/** How the parts were on the last ninety days of the calendar in Poland, whose hours the page shows, too. */
import { sql } from 'kysely';
import { param, sqlBuilder, type Database } from '../db/database.ts';
import { DAY_MS, dayInPoland, midnightInPoland } from '../text/calendar.ts';
import { HOUR_SECONDS } from './periods.ts';
import type { PartId } from './status.ts';

const DAYS = 90;

/** Sums of hours. An hour with few samples counts like any other, so that shares of hours are shares of time. */
export type Day = Readonly<ReturnType<typeof noDays>[number]>;

const BY_DAY = sqlBuilder
  .selectFrom(sql<{ value: string }>`json_each(${param('days')})`.as('day'))
  .crossJoin('status_periods as hour')
  .where('hour.seconds', '=', HOUR_SECONDS)
  .whereRef('hour.at', '>=', sql`day.value ->> 0`)
  .whereRef('hour.at', '<', sql`day.value ->> 1`)
  .groupBy(['part', 'day.value'])
  .select((is) => [
    'part',
    sql<number>`day.value ->> 0`.as('at'),
    is.fn.countAll<number>().as('hours'),
    sql<number>`sum(1.0 * ok / samples)`.as('goodHours'),
    sql<number>`sum(1.0 * slow / samples)`.as('slowHours'),
  ])
  .compile();

/** @param now epoch milliseconds @returns the days of a part, the oldest first, without gaps */
export function readDays(db: Database, now: number): (part: PartId) => Day[] {
  const days = noDays(now);
  const tomorrow = midnightInPoland(Date.parse(dayInPoland(now)) + DAY_MS);
  const limits = days.map(({ at }, place) => [at, days[place + 1]?.at ?? tomorrow]);
  const measured = Map.groupBy(db.all(BY_DAY, { days: JSON.stringify(limits) }), ({ part }) => part);
  return (part) => {
    const byTime = new Map(measured.get(part)?.map((day) => [day.at, day]));
    return days.map((day) => byTime.get(day.at) ?? day);
  };
}

/** For a database that cannot be read. */
export function noDays(now: number) {
  const today = Date.parse(dayInPoland(now));
  return Array.from({ length: DAYS }, (_, place) => ({
    /** Beginning, epoch milliseconds. */
    at: midnightInPoland(today - (DAYS - 1 - place) * DAY_MS),
    /** 0: not measured. */
    hours: 0,
    goodHours: 0,
    slowHours: 0,
  }));
}
