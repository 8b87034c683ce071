import { hrtime } from 'node:process';

const NS_PER_MS = 1_000_000n;

/**
 * Milliseconds since the machine started. All processes of the machine read the same value, and setting the clock does
 * not change it.
 */
export function monotonicMs(): number {
  return Number(hrtime.bigint() / NS_PER_MS);
}
