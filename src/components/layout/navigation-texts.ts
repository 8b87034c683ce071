import type { ListKind } from '#src/entries/entry.ts';
import { pl } from '../ui/polish.ts';
import { ofPlatform } from './site-texts.ts';

export const NAV = {
  label: 'Główna',
  skip: pl`Przejdź do treści`,
  lists: { scammers: 'Zgłoszeni', servers: 'Serwery', legit: 'Zaufani' } satisfies Record<ListKind, string>,
} as const;

export const FOOTER = {
  label: 'Pomoc i zasady',
  links: [
    { href: '/odwolania', text: 'Odwołania' },
    { href: '/zglos', text: 'Zgłoś konto albo serwer' },
    { href: '/jak-powstaja-wpisy', text: 'Jak powstają wpisy' },
    { href: '/pomoc', text: 'Pomoc' },
    { href: '/donate', text: 'Wesprzyj' },
    { href: '/prywatnosc', text: 'Prywatność' },
    { href: '/docs', text: 'API' },
    { href: '/status', text: 'Status' },
  ],
  contact: 'Kontakt',
  notice: (platform: string | undefined) =>
    pl`Wpis oznacza zgłoszenie, nie wyrok. Czujka nie należy do ${ofPlatform(platform)}.`,
  runBy: pl`Czujkę prowadzi`,
  theme: 'Wygląd',
  themes: { system: 'jak w systemie', light: 'jasny', dark: 'ciemny' },
} as const;
