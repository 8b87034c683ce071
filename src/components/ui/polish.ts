/** Polish typography, plurals, numbers and dates, for every text of the site. */
import { DAY_MS, HOUR_MS, MINUTE_MS, dayInPoland, TIME_ZONE } from '#src/text/calendar.ts';

const NO_BREAK = '\u00a0';

const plurals = new Intl.PluralRules('pl');
const numbers = new Intl.NumberFormat('pl');

/** Keeps one-letter words, numbers and dashes on the line that they belong to. */
export function bindWords(text: string): string {
  return text
    .replace(/(?<![\p{L}\p{N}])([wziouaWZIOUA]) /gu, `$1${NO_BREAK}`)
    .replace(/(\d) (?=[\p{Ll}%])/gu, `$1${NO_BREAK}`)
    .replaceAll(' –', `${NO_BREAK}–`);
}

/** A text of the site; inserted values stay unchanged. */
export function pl(strings: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return strings
    .map((part, place) => {
      const value = values[place];
      return bindWords(part) + (typeof value === 'number' ? formatNumber(value) : (value ?? ''));
    })
    .join('');
}

/** A user's text inside the site's: its direction, overrides included, ends with it. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

export type Forms = Readonly<Record<'one' | 'few' | 'many', string>>;

/** The number and its noun: 1 wpis, 3 wpisy, 5 wpisów. */
export function countOf(count: number, forms: Forms): string {
  return `${formatNumber(count)}${NO_BREAK}${formFor(count, forms)}`;
}

/** Empty where nothing is promised. */
export function answeredIn(days?: number): string {
  return days ? pl`Odpowiadamy w ciągu ${countOf(days, { one: 'dnia', few: 'dni', many: 'dni' })}.` : '';
}

export function formFor(count: number, forms: Forms): string {
  const rule = plurals.select(count);
  return rule === 'one' ? forms.one : rule === 'few' ? forms.few : forms.many;
}

export const DAYS: Forms = { one: 'dzień', few: 'dni', many: 'dni' };

const LENGTHS = {
  day: DAYS,
  month: { one: 'miesiąc', few: 'miesiące', many: 'miesięcy' },
  year: { one: 'rok', few: 'lata', many: 'lat' },
} as const satisfies Record<string, Forms>;

export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** Formats a moment of Polish time, given in epoch milliseconds. */
function momentFormat(options: Intl.DateTimeFormatOptions): (at: number) => string {
  const format = new Intl.DateTimeFormat('pl', { ...options, timeZone: TIME_ZONE });
  return (at) => format.format(at).replace(' ', NO_BREAK);
}

export const formatDate = momentFormat({ dateStyle: 'long' });
/** Without the year: 19 listopada. */
export const formatDayOfMonth = momentFormat({ day: 'numeric', month: 'long' });
/** Day and short month: 19 lis. */
export const formatDay = momentFormat({ day: 'numeric', month: 'short' });
/** As in a sentence: 6:41, not 06:41. */
export const formatTime = momentFormat({ hour: 'numeric', minute: '2-digit' });

/** A length of time in its two largest units: 3 dni 4 godz., 12 min, 40 s. It is 0 s when the clock was set back meanwhile. */
export function formatDuration(lengthMs: number): string {
  const ms = Math.max(0, lengthMs);
  const [days, hours, minutes] = [ms / DAY_MS, (ms % DAY_MS) / HOUR_MS, (ms % HOUR_MS) / MINUTE_MS].map(
    Math.floor,
  ) as [number, number, number];
  const parts = [
    days > 0 ? countOf(days, LENGTHS.day) : '',
    hours > 0 ? `${hours}${NO_BREAK}godz.` : '',
    minutes > 0 && days === 0 ? `${minutes}${NO_BREAK}min` : '',
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : `${Math.floor(ms / 1000)}${NO_BREAK}s`;
}

/** 3,4%; never rounded up to a whole. */
export function formatPercent(percent: number, digits: number): string {
  return `${percent.toLocaleString('pl', { maximumFractionDigits: digits, roundingMode: 'floor' })}%`;
}

/** How long by the calendar in Poland, in the largest unit that fits: 8 dni, 5 miesięcy, ponad rok, 2 lata. */
export function formatAge(at: number, now: number): string {
  const { count, unit } = timeBetween(at, now);
  if (count === 0) return pl`niecały dzień`;
  return unit === 'month' && count > 12 ? pl`ponad rok` : countOf(count, LENGTHS[unit]);
}

/** A length of time after „od”: 59 dni, 7 miesięcy, 2 lat. */
export function formatSince(at: number, now: number): string {
  const { count, unit } = timeBetween(at, now);
  return `${count}${NO_BREAK}${count === 1 ? { day: 'dnia', month: 'miesiąca', year: 'roku' }[unit] : LENGTHS[unit].many}`;
}

function timeBetween(at: number, now: number): { count: number; unit: 'day' | 'month' | 'year' } {
  const [from, to] = [Math.min(at, now), now].map((ms) => new Date(dayInPoland(ms))) as [Date, Date];
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  if (days < 60) return { count: days, unit: 'day' };
  const begun = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const months = to.getUTCDate() < from.getUTCDate() ? begun - 1 : begun;
  return months < 24 ? { count: months, unit: 'month' } : { count: Math.floor(months / 12), unit: 'year' };
}

export const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase('pl') + text.slice(1);

/** A label in the middle of a sentence: „Najnowsze” becomes „najnowsze”, „A–Ż” stays. */
export function asInSentence(label: string): string {
  return label.replace(/^\p{Lu}(?=\p{Ll}|\s)/u, (letter) => letter.toLocaleLowerCase('pl'));
}
