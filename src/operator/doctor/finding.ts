/** One result of the doctor. */
export interface Finding {
  /** The checked thing: `disk`, `worker`, … */
  readonly about: string;
  /** `wrong`: the operator has to act. `notice`: worth knowing. `unknown`: the check itself failed. */
  readonly state: 'fine' | 'notice' | 'wrong' | 'unknown';
  readonly says: string;
  readonly todo?: string;
}

export function fine(about: string, says: string): Finding {
  return { about, state: 'fine', says };
}

export function notice(about: string, says: string, todo?: string): Finding {
  return { about, state: 'notice', says, ...(todo !== undefined && { todo }) };
}

export function wrong(about: string, says: string, todo: string): Finding {
  return { about, state: 'wrong', says, todo };
}

export type Look = readonly [about: string, look: () => Finding[] | Promise<Finding[]>];

/** A look that fails hides no other. */
export async function lookAll(looks: readonly Look[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [about, look] of looks) {
    try {
      findings.push(...(await look()));
    } catch (error) {
      findings.push({ about, state: 'unknown', says: `cannot be looked at: ${messageOf(error)}` });
    }
  }
  return findings;
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}
