import { hrtime } from 'node:process';

const NS_PER_MS = 1_000_000n;

/** Milliseconds since the machine started, equal in all its processes. */
export function monotonicMs(): number {
  return Number(hrtime.bigint() / NS_PER_MS);
}
