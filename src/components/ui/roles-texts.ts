import type { ListKind } from '#src/entries/entry.ts';
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

/** @param list given where the badge says that it is a server, and for hijacked ones */
export function badgeWord(role: Role, list?: ListKind, words = BADGE_WORD): string {
  if (role === 'victim' && list === 'servers') return 'Serwer przejęty';
  return words[role] + (list === 'servers' ? ', serwer' : '');
}

/** The predicate of one or several that have an entry. */
export function predicateOf(role: EntryRole, count: number): string {
  if (role === 'warn')
    return pl`${formFor(count, { one: 'ma', few: 'mają', many: 'ma' })} niepotwierdzone zgłoszenie`;
  if (role === 'victim') return pl`ktoś przejął`;
  const verb = formFor(count, { one: 'jest', few: 'są', many: 'jest' });
  return pl`${verb} na liście ${role === 'stop' ? 'zgłoszonych' : 'zaufanych'}`;
}
