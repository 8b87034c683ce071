import type { ProofKind, ProofsSummary } from '#src/proofs/list-public-proofs.ts';
import { type Forms, bindWords, countOf, pl } from '../ui/polish.ts';

const KINDS = {
  file: { one: 'zrzut ekranu', few: 'zrzuty ekranu', many: 'zrzutów ekranu' },
  url: { one: 'link', few: 'linki', many: 'linków' },
  text: { one: 'opis', few: 'opisy', many: 'opisów' },
} as const satisfies Record<ProofKind, Forms>;

const inOneSentence = new Intl.ListFormat('pl', { type: 'conjunction' });

export const PROOFS = {
  /** It holds no name: chats and search engines show it without the page. */
  title: (reportId: string) => pl`Dowody do wpisu nr ${reportId}`,
  titleStart: 'Dowody:',
  item: (n: number, total: number, kind: ProofKind) => pl`Dowód ${n} z ${total}: ${KINDS[kind].one}`,
  /** The dialog counts pictures, the page all proofs. */
  shot: 'Zrzut',
  counted: (total: number) => pl`Dowody (${total})`,
  see: (counts: ProofsSummary['counts']): string => {
    const kinds = (['file', 'url', 'text'] as const).filter((kind) => counts[kind] > 0);
    const counted = kinds.map((kind) =>
      counts[kind] === 1 ? KINDS[kind].one : countOf(counts[kind], KINDS[kind]),
    );
    return bindWords(`Zobacz ${inOneSentence.format(counted)}`);
  },
  back: pl`‹ Wróć do wpisu`,
  leaving: pl`Ten link prowadzi na inną stronę. Nie loguj się tam i niczego nie pobieraj.`,
  pending: pl`Ten obraz pokażemy za chwilę.`,
  alt: (caption: string | null, n: number) => caption ?? pl`Dowód ${n}, bez opisu`,
  enlarge: 'Powiększ',
  fit: 'Dopasuj',
  picture: 'Obraz',
  enlargeLabel: (n: number) => pl`Powiększ dowód ${n}`,
  previous: 'Poprzedni',
  next: 'Następny',
  close: 'Zamknij',
  private: {
    title: pl`Dowody niepubliczne`,
    text: pl`Mogą zawierać dane innych osób.`,
    yours: pl`To wpis o Tobie? [Możesz poprosić o wgląd](/odwolania#wglad).`,
    check: pl`Sprawdź inny nick albo ID`,
  },
  missing: {
    title: pl`Nie ma takich dowodów`,
    text: pl`Wpis mógł zostać usunięty, na przykład po odwołaniu.`,
  },
} as const;
