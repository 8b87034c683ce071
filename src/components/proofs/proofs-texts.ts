import type { ProofKind } from '#src/proofs/list-public-proofs.ts';
import type { ProofsSummary } from '#src/proofs/summarize-proofs.ts';
import type { Forms } from '../ui/polish.ts';
import { bindWords, countOf, pl } from '../ui/polish.ts';

const PROOF_KINDS = { file: 'zrzut ekranu', text: 'opis', url: 'link' } as const satisfies Record<
  ProofKind,
  string
>;

const COUNTED = {
  file: { one: 'zrzut ekranu', few: 'zrzuty ekranu', many: 'zrzutów ekranu' },
  url: { one: 'link', few: 'linki', many: 'linków' },
  text: { one: 'opis', few: 'opisy', many: 'opisów' },
} as const satisfies Record<ProofKind, Forms>;

const inOneSentence = new Intl.ListFormat('pl', { type: 'conjunction' });

export const PROOFS = {
  /** Names nobody: chats and search engines show it without the page. */
  title: (reportId: string) => pl`Dowody do wpisu nr ${reportId}`,
  titleStart: 'Dowody:',
  item: (n: number, total: number, kind: ProofKind) => pl`Dowód ${n} z ${total}: ${PROOF_KINDS[kind]}`,
  short: (n: number, total: number) => pl`Dowód ${n} z ${total}`,
  kinds: { file: 'Zrzut ekranu', text: 'Opis', url: 'Link' } satisfies Record<ProofKind, string>,
  /** Of the answer: „Dowody (4)”. */
  counted: (total: number) => pl`Dowody (${total})`,
  /** Zobacz 2 zrzuty ekranu, link i opis. */
  see: (counts: ProofsSummary['counts']): string => {
    const kinds = (['file', 'url', 'text'] as const).filter((kind) => counts[kind] > 0);
    const counted = kinds.map((kind) =>
      counts[kind] === 1 ? PROOF_KINDS[kind] : countOf(counts[kind], COUNTED[kind]),
    );
    return bindWords(`Zobacz ${inOneSentence.format(counted)}`);
  },
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
