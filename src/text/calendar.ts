/**
 * Visitors read days of the calendar in Poland, wherever the service runs, and operators days in UTC, but for appeals,
 * whose days they type.
 */
export const TIME_ZONE = 'Europe/Warsaw';
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const hours = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: TIME_ZONE });
const days = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: TIME_ZONE });

/** @param at epoch milliseconds @returns YYYY-MM-DD, which Date takes for midnight in UTC, so that every day has 24 hours */
export function dayInPoland(at: number): string {
  return days.format(at);
}

/** When a day begins. @param day as midnight in UTC @returns epoch milliseconds */
export function midnightInPoland(day: number): number {
  // It is one or two o'clock there by then, and the clocks are changed later.
  return day - Number(hours.format(day)) * HOUR_MS;
}

/** @returns YYYY-MM-DD, for sentences of operators */
export function dayInUtc(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Midnights between two moments. */
export function daysBetween(from: number, to: number): number {
  return (Date.parse(dayInPoland(to)) - Date.parse(dayInPoland(from))) / DAY_MS;
}
