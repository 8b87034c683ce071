import type { Troubles } from '#src/outbound/troubles.ts';

/** @param notes gets a line for each failure */
export function noteTroubles(notes: string[] = []): Troubles {
  return {
    failed: (part, error) => void notes.push(`${part}: ${(error as Error).message}`),
    succeeded: () => {},
  };
}
