import { countOf, formatDate, pl, type Forms } from '../ui/polish.ts';
import type { IconName } from '../ui/render-drawings.ts';
import type { ListKind } from '#src/entries/entry.ts';
import type { Role } from '../ui/role.ts';

type ReportedKind = Exclude<ListKind, 'legit'>;

export interface HomeTotals {
  /** Without empty lists. */
  readonly entries: readonly { readonly list: ReportedKind; readonly count: number }[];
  /** When the newest report was made, epoch milliseconds; undefined when there is none. */
  readonly newestAt: number | undefined;
}

const REPORTED: Readonly<Record<ReportedKind, Forms>> = {
  scammers: { one: 'zgłoszone konto', few: 'zgłoszone konta', many: 'zgłoszonych kont' },
  servers: { one: 'serwer', few: 'serwery', many: 'serwerów' },
};

export const HOME = {
  lead: (platform: string | undefined): string =>
    pl`Rozmówca ${platform === undefined ? '' : pl`z platformy ${platform} `}chce od Ciebie pieniędzy, przedmiotu albo kodu? Sprawdź, czy ktoś już go zgłosił.`,
  answers: {
    title: pl`Co znaczy wynik`,
    rows: [
      { role: 'stop', text: pl`Nie płać.` },
      { role: 'warn', text: pl`Wstrzymaj się z wpłatą.` },
      { role: 'victim', text: pl`Nic nie wysyłaj, pisze ktoś inny niż właściciel.` },
      { role: 'good', text: pl`Porównaj ID, bo nick i awatar łatwo skopiować.` },
      { role: 'none', text: pl`To nie znaczy, że jest bezpiecznie.` },
    ] satisfies { role: Role; text: string }[],
  },
  tasks: {
    title: pl`Coś już się stało?`,
    lead: pl`To nie Twoja wina, każdego da się nabrać. Liczy się czas.`,
    rows: [
      {
        href: '/pomoc#po-wplacie',
        icon: 'i-help',
        name: pl`Już po wpłacie?`,
        text: pl`Co zrobić w pierwszej godzinie.`,
      },
      { href: '/zglos', icon: 'i-report', name: pl`Zgłoś konto albo serwer`, text: pl`Ostrzeż innych.` },
      {
        href: '/odwolania',
        icon: 'i-appeal',
        name: pl`Wpis dotyczy mnie`,
        text: pl`Odwołanie jest bezpłatne.`,
      },
    ] satisfies { href: string; icon: IconName; name: string; text: string }[],
  },
  /** Who is on the lists of reports, and how new they are. */
  known: ({ entries, newestAt }: HomeTotals): string => {
    const counted = entries.map(({ list, count }) => countOf(count, REPORTED[list]));
    const newest = newestAt === undefined ? '' : pl` Najnowszy wpis: ${formatDate(newestAt)}.`;
    return counted.length === 0 ? '' : pl`Na listach: **${counted.join(pl`** i **`)}**.${newest}`;
  },
} as const;
