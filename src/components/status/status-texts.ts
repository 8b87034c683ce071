import type { Incident } from '#src/status/incidents.ts';
import type { BotState, OverallHealth, PartHealth, PartId } from '#src/status/status.ts';
import {
  formatDate,
  formatDay,
  formatDuration,
  formatPercent,
  formatTime,
  formatTimeExactly,
  pl,
} from '../ui/polish.ts';

const PART_NAMES: Readonly<Record<PartId, string>> = {
  database: pl`Baza danych`,
  litecoin: pl`Sieć Litecoin`,
  chat_platform: pl`Platforma czatu`,
  protection_service: pl`Usługa ochrony`,
  main_bot: pl`Bot główny`,
  protection_public_bot: pl`Publiczny bot ochrony`,
  protection_admin_bot: pl`Bot ochrony dla administracji`,
};

export const STATUS = {
  parts: PART_NAMES,
  /** What follows a name and stands on a badge. */
  health: {
    good: 'działa',
    slow: pl`działa wolno`,
    partly: pl`częściowo działa`,
    bad: pl`nie działa`,
    none: 'nieskonfigurowane',
  } satisfies Record<PartHealth | OverallHealth, string>,
  /** Names of checks are feminine, those of bots masculine. */
  healthOf: (part: PartId, health: PartHealth): string => {
    if (health !== 'none') return STATUS.health[health];
    return part.endsWith('_bot') ? 'nieskonfigurowany' : 'nieskonfigurowana';
  },
  overall: {
    good: pl`Wszystko działa`,
    partly: pl`Częściowo działa`,
    bad: pl`Nie działa`,
    none: pl`Nic nie podłączono`,
  } satisfies Record<OverallHealth, string>,
  botStates: {
    running: 'działa',
    starting: pl`uruchamia się`,
    stopping: pl`zatrzymuje się`,
    offline: 'wyłączony',
    unknown: pl`stan nieznany`,
    not_configured: 'nieskonfigurowany',
  } satisfies Record<BotState, string>,
  description: pl`Czy działają baza danych, boty i usługi, na których opiera się Czujka.`,
  checkedAt: (at: number) => pl`Sprawdzono o ${formatTimeExactly(at)}.`,
  refreshesItself: pl`Ta strona odświeża się sama.`,
  refresh: 'Odśwież',
  stale: {
    title: pl`Brak świeżych danych`,
    text: (at: number) => pl`Ostatnie sprawdzenie o ${formatTime(at)}. Ta strona może być nieaktualna.`,
  },
  notRecorded: (at: number | undefined) =>
    at === undefined
      ? pl`Historii jeszcze nie ma: nic jej nie zapisuje.`
      : pl`Historia teraz się nie zapisuje. Ostatni pomiar: ${formatDate(at)}, ${formatTime(at)}.`,
  newestBackup: (at: number | 'never') =>
    at === 'never'
      ? pl`Kopii zapasowej danych jeszcze nie ma.`
      : pl`Najnowsza kopia zapasowa danych: ${formatDate(at)}, ${formatTime(at)}.`,
  legend: pl`Legenda`,
  services: 'Usługi',
  bots: 'Boty',
  latency: (ms: number) => pl`${ms} ms`,
  /** @param span from `uptimeNames` or `since` */
  latencyChart: (span: string, usual: number, longest: number, at: number) =>
    pl`Opóźnienie, ${span}: zwykle ${usual} ms, najwyżej ${longest} ms o ${formatTime(at)}.`,
  daysChart: (range: string, uptime: string) => pl`Dni ${range}: ${uptime}.`,
  barsLegend: pl`Słupek to jeden dzień (UTC). Wysoki: działało. Niższy: były przerwy albo działało wolno. Niski: nie działało przez ponad 5% czasu. Kreska u dołu: brak pomiarów.`,
  uptimeNames: { day: pl`24 h`, week: pl`7 dni`, quarter: pl`90 dni` },
  notMeasured: pl`Brak pomiarów.`,
  uptime: (percent: number | null) => (percent === null ? pl`brak pomiarów` : formatPercent(percent, 2)),
  /** What is measured since less than the range says so. @param at epoch milliseconds; @param now of its newest step */
  since: (at: number, now: number) =>
    pl`od ${formatDate(at) === formatDate(now) ? formatTime(at) : formatDay(at)}`,
  range: (first: number, last: number) =>
    first === last ? formatDay(first) : pl`${formatDay(first)} – ${formatDay(last)}`,
  asTable: pl`Pokaż w tabeli`,
  tableCaption: (name: string) => pl`${name}: dni z pomiarami, od najnowszego`,
  tableHead: { day: 'Dzień', uptime: 'Działało', latency: pl`Średnie opóźnienie` },
  botFacts: { state: 'Stan', uptime: pl`Działa od`, memory: 'Pamięć', cpu: 'Procesor' },
  incidents: 'Zdarzenia',
  noIncidents: pl`Nie było żadnych zdarzeń.`,
  incidentsFeed: pl`Zdarzenia jako kanał Atom`,
  feedTitle: pl`Czujka: zdarzenia`,
  incidentTitle: (part: PartId) => pl`${PART_NAMES[part]}: przerwa w działaniu`,
  incidentTime: ({ openedAt, closedAt }: Pick<Incident, 'openedAt' | 'closedAt'>): string => {
    const from = pl`${formatDate(openedAt)}, ${formatTime(openedAt)}`;
    if (closedAt === undefined) return pl`Od ${from}, nadal trwa.`;
    const until =
      formatDate(closedAt) === formatDate(openedAt)
        ? formatTime(closedAt)
        : pl`${formatDate(closedAt)}, ${formatTime(closedAt)}`;
    return pl`${from} – ${until} (${formatDuration(closedAt - openedAt)}).`;
  },
} as const;
