/** Texts about the number of a removed entry. They name no person and no list. */
import type { RemovedReport } from '#src/entries/report-numbers.ts';
import { formatDate, formatDayOfMonth, pl } from '../ui/polish.ts';

type Reason = RemovedReport['reason'];

const REASONS: Readonly<Record<Reason, string>> = {
  appeal: pl`: odwołanie uznano`,
  mistake: pl`: wpis był pomyłką`,
  request: pl`: na prośbę osoby, której dotyczył`,
  duplicate: pl`: ten sam wpis był na liście dwa razy`,
  recovered: pl`: właściciel odzyskał konto`,
  other: '',
  undone: pl`: cofnięto import, w którym był ten wpis`,
};

export const REMOVED = {
  title: ({ reportId, removedAt, reason }: RemovedReport) =>
    pl`Wpis ${reportId} usunięto ${formatDate(removedAt)}${REASONS[reason]}`,
  lead: (reason: Reason) =>
    reason === 'appeal'
      ? pl`Zgłoszenia nie dało się utrzymać, więc nie ma go już na liście.`
      : pl`Nie ma go już na liście.`,
  outdated: (at: number) =>
    pl`Nie pokazujemy tu nicku ani ID. Zrzut ekranu albo kopia listy sprzed ${formatDayOfMonth(at)} jest nieaktualna, nie udostępniaj jej.`,
  check: pl`Chcesz sprawdzić konto? Wklej ID w pole na górze.`,
} as const;
