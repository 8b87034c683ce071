import { pl } from '../ui/polish.ts';

const PROOF_KINDS = { file: 'zrzut ekranu', text: 'opis', url: 'link' } as const;

export const PROOFS = {
  /** Names nobody: chats and search engines show it without the page. */
  title: (reportId: string) => pl`Dowody do wpisu nr ${reportId}`,
  titleStart: 'Dowody:',
  item: (n: number, total: number, kind: keyof typeof PROOF_KINDS) =>
    pl`Dowód ${n} z ${total}: ${PROOF_KINDS[kind]}`,
  short: (n: number, total: number) => pl`Dowód ${n} z ${total}`,
  kinds: { file: 'Zrzut ekranu', text: 'Opis', url: 'Link' } satisfies Record<
    keyof typeof PROOF_KINDS,
    string
  >,
  list: 'Lista',
  onThisPage: pl`Na tej stronie`,
  print: 'Drukuj',
  paper: (date: string, address: string) =>
    pl`Wydruk z ${date}. Aktualny stan: ${address}. Wpis oznacza zgłoszenie, nie wyrok.`,
  leaving: pl`Otwiera stronę poza Czujką. Nie loguj się tam i niczego nie pobieraj.`,
  pending: pl`Ten obraz nie jest jeszcze przygotowany do pokazania.`,
  alt: (caption: string | null, n: number) => caption ?? pl`Dowód ${n}, bez opisu`,
  caption: (caption: string) => pl`Podpis: ${caption}`,
  enlarge: 'Powiększ',
  fit: 'Zmniejsz',
  picture: 'Obraz',
  enlargeLabel: (n: number) => pl`Powiększ dowód ${n}`,
  previous: 'Poprzedni',
  next: 'Następny',
  close: 'Zamknij',
  private: {
    title: pl`Dowody są niepubliczne`,
    summary: pl`Widziała je obsługa. Osoba, której dotyczy wpis, może poprosić o wgląd.`,
    text: pl`Widziała je obsługa. Nie publikujemy ich, np. ze względu na dane innych osób. Jeśli wpis dotyczy Ciebie, poproś o wgląd: [Odwołania](/odwolania).`,
    entry: pl`Zobacz wpis`,
    check: pl`Sprawdź inny nick albo ID`,
  },
  missing: {
    title: pl`Nie ma takich dowodów`,
    text: pl`Wpis mógł zostać usunięty, na przykład po odwołaniu.`,
  },
} as const;
