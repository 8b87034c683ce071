import { pl } from '../ui/polish.ts';
import { ofPlatform } from './site-texts.ts';

/** Undefined: Polish. */
export type Language = 'en' | undefined;

/** Texts are in Polish and in English; links begin with their address. */
export const NAV = {
  label: ['Główna', 'Main'],
  skip: [pl`Przejdź do treści`, 'Skip to content'],
  /** Not all of them where there is little room (czujka.css). */
  links: [
    ['/scammers', 'Zgłoszeni', 'Reported'],
    ['/servers', 'Serwery', 'Servers'],
    ['/legit', 'Zaufani', 'Trusted'],
    ['/pomoc', 'Pomoc', 'Help'],
    ['/zglos', 'Zgłoś', 'Report'],
  ],
} as const;

export const FOOTER = {
  label: ['Strony', 'Pages'],
  /** Titles, each with its links; those without an address are left out. */
  groups: (contact: string | undefined, bot: string | undefined, docs = '/docs') =>
    [
      [
        [pl`Sprawdzanie i listy`, 'Checks and lists'],
        ['/scammers', pl`Zgłoszone osoby`, 'Reported people'],
        ['/servers', pl`Zgłoszone serwery`, 'Reported servers'],
        ['/legit', pl`Lista zaufanych`, 'Trusted people'],
      ],
      [
        [pl`Pomoc i odwołania`, 'Help and appeals'],
        ['/pomoc', 'Pomoc', 'Help'],
        ['/zglos', pl`Zgłoś konto albo serwer`, 'Report an account or a server'],
        ['/odwolania', 'Odwołania', 'Appeals'],
        ['/jak-powstaja-wpisy', pl`Jak powstają wpisy`, 'How entries are made'],
      ],
      [
        [pl`Dla programistów`, 'For programmers'],
        [docs, 'API', 'API'],
        ['/status', 'Status', 'Status'],
        [bot, pl`Dodaj bota`, 'Add the bot'],
      ],
      [
        ['Strona', 'This site'],
        ['/donate', 'Wesprzyj', 'Donate'],
        ['/prywatnosc', 'Prywatność', 'Privacy'],
        [contact, 'Kontakt', 'Contact'],
      ],
    ] as const,
  notice: (platform: string | undefined) => [
    pl`Zgłoszenie to nie wyrok, a polecenie to nie gwarancja. Czujka nie należy do ${ofPlatform(platform)}.`,
    `A report is not a conviction, and trust is not a guarantee. Czujka is not part of ${platform ?? 'the platform'}.`,
  ],
  runBy: [pl`Czujkę prowadzi`, 'Czujka is run by'],
  theme: ['Wygląd', 'Theme'],
  themes: {
    system: ['jak w systemie', 'system'],
    light: ['jasny', 'light'],
    dark: ['ciemny', 'dark'],
  },
} as const;
