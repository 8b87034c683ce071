import type { Log } from '../log.ts';
import { BackOffError } from './outbound-error.ts';

export type OutageLog = ReturnType<typeof createOutageLog>;

/** Logs once when an outside service fails, fails for another reason, and recovers. */
export function createOutageLog(log: Log) {
  const reasons = new Map<string, string>();
  return {
    /** @param error contains no secret */
    failed(part: string, error: unknown): void {
      // A back-off adds nothing to the failure that caused it.
      if (error instanceof BackOffError) return;
      const reason = error instanceof Error ? error.message : 'it failed';
      if (reasons.get(part) !== reason) log.warn({ part, reason }, 'not well');
      reasons.set(part, reason);
    },
    succeeded(part: string): void {
      if (reasons.delete(part)) log.info({ part }, 'well again');
    },
  };
}
