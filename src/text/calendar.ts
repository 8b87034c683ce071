/** Days are those of the calendar in Poland, wherever the service runs. */
export const TIME_ZONE = 'Europe/Warsaw';
export const DAY_MS = 86_400_000;

const days = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: TIME_ZONE });

/** @param at epoch milliseconds @returns YYYY-MM-DD, which Date takes for midnight in UTC, so that every day has 24 hours */
export function dayInPoland(at: number): string {
  return days.format(at);
}

/** Midnights between two moments. */
export function daysBetween(from: number, to: number): number {
  return (Date.parse(dayInPoland(to)) - Date.parse(dayInPoland(from))) / DAY_MS;
}
