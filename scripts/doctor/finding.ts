/** What the doctor says of one thing that it has looked at. */

export interface Finding {
  /** What was looked at: `disk`, `worker`, … */
  readonly about: string;
  /** `wrong`: somebody has to act. `notice`: worth knowing. `unknown`: it could not be looked at. */
  readonly state: 'fine' | 'notice' | 'wrong' | 'unknown';
  /** In plain words. */
  readonly says: string;
  /** What to do about it. */
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

/** @param error why it could not be looked at */
export function unknown(about: string, error: unknown): Finding {
  return { about, state: 'unknown', says: `cannot be looked at: ${messageOf(error)}` };
}

export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
}
