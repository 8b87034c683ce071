import type { Outage } from '#src/status/incidents.ts';
import type { Day } from '#src/status/read-days.ts';
import type { BotState, OverallHealth, PartHealth, PartId } from '#src/status/status.ts';
import {
  formatDate,
  formatDay,
  formatDayOfMonth,
  formatDuration,
  formatPercent,
  formatTime,
  pl,
} from '../ui/polish.ts';

/** This many days may be missing at the beginning, without a word of it beside the percent. */
const MISSING_DAYS_MAX = 2;

/** More days are counted, not named. */
const BAD_DAYS_NAMED = 5;

const PART_NAMES: Readonly<Record<PartId, string>> = {
  // Lists, answers and proofs come out of it.
  database: pl`Sprawdzanie i listy`,
  litecoin: pl`Sieć Litecoin`,
  chat_platform: pl`Platforma czatu`,
  protection_service: pl`Usługa ochrony`,
  main_bot: pl`Bot główny`,
  protection_public_bot: pl`Publiczny bot ochrony`,
  protection_admin_bot: pl`Bot ochrony dla administracji`,
};

const BOTS_FAIL = pl`Boty mogą nie odpowiadać.`;

export const STATUS = {
  parts: PART_NAMES,
  health: {
    good: 'działa',
    slow: pl`działa wolno`,
    partly: pl`częściowo działa`,
    bad: pl`nie działa`,
    none: 'niepodłączone',
  } satisfies Record<PartHealth | OverallHealth, string>,
  /** Polish forms: names of checks are feminine, of bots masculine, the first is plural. */
  healthOf: (part: PartId, health: PartHealth): string => {
    if (health === 'none') return part.endsWith('_bot') ? 'niepodłączony' : 'niepodłączona';
    return part === 'database' ? STATUS.health[health].replace('działa', 'działają') : STATUS.health[health];
  },
  overall: {
    good: pl`Wszystko działa`,
    slow: pl`Część usług działa wolno`,
    partly: pl`Część usług nie działa`,
    bad: pl`Usługi nie działają`,
    none: pl`Nie ma jeszcze czego sprawdzać`,
  } satisfies Record<OverallHealth, string>,
  listsWork: pl`Sprawdzanie i listy działają`,
  checkFails: pl`Sprawdzanie nie działa`,
  listsFail: pl`Sprawdzanie i listy mogą nie odpowiadać. Brak odpowiedzi nie znaczy, że jest bezpiecznie.`,
  /** The effect for visitors while a part does not work. */
  withoutPart: {
    database: undefined,
    litecoin: pl`Wpłaty pokażemy z opóźnieniem.`,
    chat_platform: pl`Awatary mogą się nie wczytać.`,
    protection_service: BOTS_FAIL,
    main_bot: BOTS_FAIL,
    protection_public_bot: BOTS_FAIL,
    protection_admin_bot: BOTS_FAIL,
  } satisfies Record<PartId, string | undefined>,
  /** Each part is there for something; bots have names that tell. */
  does: {
    database: pl`Ta strona i odpowiedzi API.`,
    litecoin: pl`Dzięki niej widzimy wpłaty.`,
    chat_platform: pl`Dzięki niej mamy awatary.`,
    protection_service: pl`Korzystają z niej boty.`,
  } as Readonly<Partial<Record<PartId, string>>>,
  botStates: {
    running: 'działa',
    starting: pl`uruchamia się`,
    stopping: pl`zatrzymuje się`,
    offline: 'wyłączony',
    unknown: pl`stan nieznany`,
    not_configured: 'niepodłączony',
  } satisfies Record<BotState, string>,
  description: pl`Czy działają sprawdzanie, listy, boty i usługi, na których opiera się Czujka.`,
  checkedAt: (at: number) => pl`Sprawdzono o ${formatTime(at)}.`,
  refreshesItself: pl`Ta strona odświeża się sama.`,
  refresh: 'Odśwież',
  stale: {
    title: pl`Brak świeżych danych`,
    text: (at: number) => pl`Ostatnio sprawdzono o ${formatTime(at)}. Ta strona może być nieaktualna.`,
  },
  notRecorded: (at: number | undefined) =>
    at === undefined
      ? pl`Historii jeszcze nie zapisujemy.`
      : pl`Historia teraz się nie zapisuje. Ostatni pomiar: ${formatDate(at)}, ${formatTime(at)}.`,
  newestBackup: (at: number | 'never') =>
    at === 'never'
      ? pl`Kopii zapasowej danych jeszcze nie ma.`
      : pl`Najnowsza kopia zapasowa danych: ${formatDate(at)}, ${formatTime(at)}.`,
  services: 'Usługi',
  bots: 'Boty',
  daysChart: (uptime: string) => pl`90 dni: ${uptime}.`,
  badDays: (days: readonly Day[]) =>
    days.length > BAD_DAYS_NAMED
      ? pl`Dni z długą przerwą: ${days.length}`
      : pl`Długa przerwa: ${days.map(({ at }) => formatDay(at)).join(', ')}`,
  bars: {
    good: pl`działało`,
    slow: pl`krótka przerwa albo opóźnienia`,
    bad: pl`długa przerwa (od godziny)`,
  },
  barsLegend: pl`Każda kreska to jeden dzień, ostatnia to dzisiaj. Procent mówi, jak długo usługa działała przez te 90 dni. Dni i godziny podajemy w czasie polskim.`,
  /** No percent claims more time than was measured: 99,87%; 99,87% od 20 lis. */
  uptime: (days: readonly Day[]): string => {
    const measured = days.filter(({ hours }) => hours > 0);
    const [first] = measured;
    if (!first) return pl`brak pomiarów`;
    const sumOf = (field: 'hours' | 'goodHours') => measured.reduce((sum, day) => sum + day[field], 0);
    const percent = formatPercent((100 * sumOf('goodHours')) / sumOf('hours'), 2);
    return days.indexOf(first) > MISSING_DAYS_MAX ? pl`${percent} od ${formatDay(first.at)}` : percent;
  },
  outages: 'Awarie',
  noOutages: pl`Nie było żadnej awarii.`,
  feed: pl`Kanał RSS/Atom z awariami`,
  feedTitle: pl`Czujka: awarie`,
  outageTitle: ({ parts: [first, ...more] }: Outage): string =>
    more.length === 0 && first !== undefined
      ? pl`${PART_NAMES[first]}: przerwa w działaniu`
      : pl`Przerwa w działaniu ${more.length + 1} usług`,
  outageParts: (parts: readonly PartId[]) => parts.map((part) => PART_NAMES[part]).join(', '),
  /** @param now an outage of today needs no date */
  since: (at: number, now: number) =>
    formatDate(at) === formatDate(now)
      ? pl`Trwa od ${formatTime(at)}:`
      : pl`Trwa od ${formatDayOfMonth(at)}, ${formatTime(at)}:`,
  noteAt: (at: number) => pl`Ostatnia wiadomość: ${formatDayOfMonth(at)}, ${formatTime(at)}.`,
  outageTime: ({ openedAt, closedAt }: Pick<Outage, 'openedAt' | 'closedAt'>): string => {
    const [from, until] = [openedAt, closedAt ?? openedAt].map(formatDate) as [string, string];
    const begin = pl`${from}, ${formatTime(openedAt)}`;
    if (closedAt === null) return pl`Od ${begin}, nadal trwa.`;
    const length = formatDuration(closedAt - openedAt);
    // Word joiners: the hours of one day stay on one line.
    if (from === until) return pl`${begin}\u2060–\u2060${formatTime(closedAt)} (${length})`;
    // Each moment stays on one line, and one year is said once.
    const day = from.slice(-4) === until.slice(-4) ? formatDayOfMonth(openedAt) : from;
    const moments = [`${day}, ${formatTime(openedAt)}`, `${until}, ${formatTime(closedAt)}`];
    return pl`${moments.map((moment) => moment.replaceAll(' ', '\u00a0')).join('\u00a0– ')} (${length})`;
  },
} as const;
