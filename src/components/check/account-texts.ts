/** Texts about the age of an account and the letters of its name, which hold for reported and other accounts. */
import { pl } from '../ui/polish.ts';

export const ACCOUNT_AGE = {
  since: (isServer: boolean, date: string, ago: string) =>
    isServer ? pl`Serwer założony ${date}, ${ago}` : pl`Konto założone ${date}, ${ago}`,
  isNew: (isServer: boolean, ago: string) =>
    isServer
      ? pl`Ten serwer założono ${ago}. Uważaj bardziej niż zwykle.`
      : pl`To konto założono ${ago}. Uważaj bardziej niż zwykle.`,
} as const;

export const FOREIGN_LETTERS = (script: 'Cyrillic' | 'Greek', isServer: boolean) =>
  `W ${isServer ? 'nazwie' : 'nicku'} są litery ${script === 'Cyrillic' ? 'cyrylicy' : 'greckie'}:`;
