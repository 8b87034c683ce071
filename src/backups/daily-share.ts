import { DAY_MS } from '../text/calendar.ts';

/** Reading all images and backups each day takes too long where there are many. */
const SHARES = 28;

/** Yields first today's share, one of 28. @param forMs how long the others are read, too */
export function* dailyShare<T>(items: readonly T[], hashOf: (item: T) => string, now: number, forMs: number) {
  const end = performance.now() + forMs;
  const day = Math.floor(now / DAY_MS);
  const daysSinceRead = (item: T): number => (Number.parseInt(hashOf(item).slice(0, 4), 16) + day) % SHARES;
  const shares = items.map((item) => ({ item, days: daysSinceRead(item) }));
  for (const { item, days } of shares.sort((one, other) => one.days - other.days))
    yield { item, isRead: days === 0 || performance.now() < end };
}
