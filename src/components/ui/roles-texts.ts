import { formFor, pl } from './polish.ts';
import type { EntryRole, Role } from './role.ts';

export const BADGE_WORD: Readonly<Record<Role, string>> = {
  stop: 'Potwierdzone zgłoszenie',
  warn: 'Niepotwierdzone zgłoszenie',
  good: 'Lista zaufanych',
  none: 'Brak wpisu',
};

/** The second word of a badge in lists of both persons and servers. */
export const SERVER_BADGE = ', serwer';

/** The predicate of one or several that have an entry. */
export function predicateOf(role: EntryRole, count: number): string {
  if (role === 'warn')
    return pl`${formFor(count, { one: 'ma', few: 'mają', many: 'ma' })} niepotwierdzone zgłoszenie`;
  const verb = formFor(count, { one: 'jest', few: 'są', many: 'jest' });
  return pl`${verb} na liście ${role === 'stop' ? 'zgłoszonych' : 'zaufanych'}`;
}
