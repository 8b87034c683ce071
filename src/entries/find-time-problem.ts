import { EPOCH_MS } from '../platform-id.ts';

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

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
