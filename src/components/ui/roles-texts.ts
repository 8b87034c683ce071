import type { Role } from './role.ts';

export const BADGE_WORD: Readonly<Record<Role, string>> = {
  stop: 'Potwierdzone zgłoszenie',
  warn: 'Lista ryzyka',
  good: 'Lista zaufanych',
  none: 'Brak wpisu',
};

/** The second word of a badge in lists of both persons and servers. */
export const SERVER_BADGE = ', serwer';

/** In the locative: "na liście zgłoszonych". */
export const LIST_OF: Readonly<Record<Role, string>> = {
  stop: 'zgłoszonych',
  warn: 'ryzyka',
  good: 'zaufanych',
  none: '',
};
