import { issuedAt, EPOCH_MS } from '../platform-id.ts';

const DAY_MS = 86_400_000;

/**
 * Judges a time that a person gives. A stored one may lie outside, because earlier versions took it.
 * @param at epoch milliseconds @returns a predicate of the operator's sentence
 */
export function findTimeProblem(at: number, now: number): string | undefined {
  const isAllowed = (ms: number): boolean => ms >= EPOCH_MS && ms <= now + DAY_MS;
  if (isAllowed(at)) return undefined;
  const hint = isAllowed(at * 1_000) ? `; are these seconds? Milliseconds would be ${at * 1_000}` : '';
  const says = at < EPOCH_MS ? 'before the platform began' : 'more than a day ahead';
  return `${dateOf(at)} is ${says}: a time from ${dateOf(EPOCH_MS)} to ${dateOf(now + DAY_MS)} is allowed${hint}`;
}

/**
 * Judges the day on which an account was hijacked, which lies between the day of its ID and now.
 * @param at epoch milliseconds @returns a predicate of the operator's sentence
 */
export function findHijackProblem(at: number, id: string, now: number): string | undefined {
  const created = issuedAt(id, now);
  const from = created === undefined ? EPOCH_MS : created - (created % DAY_MS);
  if (at >= from && at <= now) return undefined;
  const early = created === undefined ? 'is before the platform began' : 'is before the ID was given out';
  const says = at > now ? 'lies ahead' : early;
  return `${dateOf(at)} ${says}: a time from ${dateOf(from)} to now (${dateOf(now)}) is allowed`;
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
