import { DAY_MS } from '../text/calendar.ts';

/** Reading all images and backups each day takes too long where there are many. */
const TURNS = 28;

/** Yields first the items of today's turn, one of 28. @param forMs how long the others are read, too */
export function* inTurn<T>(items: readonly T[], hashOf: (item: T) => string, now: number, forMs: number) {
  const end = performance.now() + forMs;
  const day = Math.floor(now / DAY_MS);
  const turnOf = (item: T): number => (Number.parseInt(hashOf(item).slice(0, 4), 16) + day) % TURNS;
  const turns = items.map((item) => ({ item, turn: turnOf(item) }));
  for (const { item, turn } of turns.sort((one, other) => one.turn - other.turn))
    yield { item, isRead: turn === 0 || performance.now() < end };
}
