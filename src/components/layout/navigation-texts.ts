import type { ListKind } from '#src/entries/entry.ts';
import { pl } from '../ui/polish.ts';
import { ofPlatform } from './site-texts.ts';

export const NAV = {
  label: 'Główna',
  skip: pl`Przejdź do treści`,
  lists: { scammers: 'Zgłoszeni', servers: 'Serwery', legit: 'Zaufani' } satisfies Record<ListKind, string>,
  /** Where there is room (czujka.css). */
  more: { '/pomoc': 'Pomoc', '/zglos': 'Zgłoś' },
} as const;

export const FOOTER = {
  label: 'Strony',
  /** Titles, each with its links; those without an address are left out. */
  groups: (contact: string | undefined, bot: string | undefined) =>
    [
      [
        pl`Sprawdzanie i listy`,
        ['/scammers', pl`Zgłoszone osoby`],
        ['/servers', pl`Zgłoszone serwery`],
        ['/legit', pl`Lista zaufanych`],
      ],
      [
        pl`Pomoc i odwołania`,
        ['/pomoc', 'Pomoc'],
        ['/zglos', pl`Zgłoś konto albo serwer`],
        ['/odwolania', 'Odwołania'],
        ['/jak-powstaja-wpisy', pl`Jak powstają wpisy`],
      ],
      [pl`Dla programistów`, ['/docs', 'API'], ['/status', 'Status'], [bot, pl`Dodaj bota`]],
      ['Strona', ['/donate', 'Wesprzyj'], ['/prywatnosc', 'Prywatność'], [contact, 'Kontakt']],
    ] as const,
  notice: (platform: string | undefined) =>
    pl`Wpis oznacza zgłoszenie, nie wyrok. Czujka nie należy do ${ofPlatform(platform)}.`,
  runBy: pl`Czujkę prowadzi`,
  theme: 'Wygląd',
  themes: { system: 'jak w systemie', light: 'jasny', dark: 'ciemny' },
} as const;
