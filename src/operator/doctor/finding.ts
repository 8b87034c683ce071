/** One result of the doctor. */
export interface Finding {
  /** The checked thing: `disk`, `worker`, … */
  readonly about: string;
  /** `wrong`: the operator has to act. `notice`: worth knowing. `unknown`: the check itself failed. */
  readonly state: 'fine' | 'notice' | 'wrong' | 'unknown';
  readonly says: string;
  readonly todo?: string;
}

/** A look finds this, and names the thing where that is another than the look has. */
export type Found = Omit<Finding, 'about'> & Partial<Pick<Finding, 'about'>>;

export function fine(says: string): Found {
  return { state: 'fine', says };
}

export function notice(says: string, todo?: string): Found {
  return { state: 'notice', says, ...(todo !== undefined && { todo }) };
}

export function wrong(says: string, todo: string): Found {
  return { state: 'wrong', says, todo };
}

export type Look = readonly [about: string, look: () => Found[] | Promise<Found[]>];

/** A look that fails hides no other. */
export async function lookAll(looks: readonly Look[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [about, look] of looks) {
    try {
      for (const found of await look()) findings.push({ about, ...found });
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
