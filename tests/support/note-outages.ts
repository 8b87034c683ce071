import type { OutageLog } from '#src/outbound/outage-log.ts';

/** @param notes gets a line for each failure */
export function noteOutages(notes: string[] = []): OutageLog {
  return {
    failed: (part, error) => void notes.push(`${part}: ${(error as Error).message}`),
    succeeded: () => {},
  };
}
