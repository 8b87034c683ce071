import { formFor, pl } from './polish.ts';
import type { EntryRole, Role } from './role.ts';

export const BADGE_WORD: Readonly<Record<Role, string>> = {
  stop: 'Potwierdzone zgłoszenie',
  victim: 'Konto przejęte',
  warn: 'Niepotwierdzone zgłoszenie',
  good: 'Lista zaufanych',
  none: 'Brak wpisu',
};

/** Beside one of two nicks. */
export const LIST_WORD = { ...BADGE_WORD, stop: pl`Na liście zgłoszonych`, good: pl`Na liście zaufanych` };

export const SERVER_TAKEN = 'Serwer przejęty';

/** The second word of a badge in lists of both persons and servers. */
export const SERVER_BADGE = ', serwer';

/** The predicate of one or several that have an entry. */
export function predicateOf(role: EntryRole, count: number): string {
  if (role === 'warn')
    return pl`${formFor(count, { one: 'ma', few: 'mają', many: 'ma' })} niepotwierdzone zgłoszenie`;
  if (role === 'victim') return pl`ktoś przejął`;
  const verb = formFor(count, { one: 'jest', few: 'są', many: 'jest' });
  return pl`${verb} na liście ${role === 'stop' ? 'zgłoszonych' : 'zaufanych'}`;
}
