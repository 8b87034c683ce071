/** What an ID and a name say by themselves, whether anybody was reported or not. */
import { pl } from '../ui/polish.ts';

export const ACCOUNT_AGE = {
  label: (isServer: boolean) => (isServer ? 'Serwer założony' : 'Konto założone'),
  value: (date: string, ago: string) => pl`${date}, ${ago}`,
  isNew: (isServer: boolean) =>
    isServer ? pl`Nowy serwer – uważaj bardziej niż zwykle` : pl`Nowe konto – uważaj bardziej niż zwykle`,
} as const;

export const FOREIGN_LETTERS = (script: 'Cyrillic' | 'Greek', isServer: boolean) =>
  `${isServer ? 'Nazwa' : 'Nick'} zawiera litery ${script === 'Cyrillic' ? 'cyrylicy' : 'greckie'}:`;
