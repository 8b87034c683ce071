/** Time that processes of one machine can compare, and that nobody sets. */
import { hrtime } from 'node:process';

const NS_PER_MS = 1_000_000n;

/** Milliseconds from the start of the machine; the same in every process. */
export function monotonicMs(): number {
  return Number(hrtime.bigint() / NS_PER_MS);
}
