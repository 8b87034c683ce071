/** The verdict about an ID, and warnings. Only the ID decides; a name proves nothing. */
import { z } from 'zod';
import type { Database } from '../db/database.ts';
import { isPlatformId } from '../platform-id.ts';
import { describeDifference } from '../text/describe-difference.ts';
import { findDifferences, normalizeName, type Likeness, type NormalizedName } from '../text/look-alike.ts';
import { hasHiddenCharacters, hasMixedScripts } from '../text/name-signs.ts';
import {
  createQueryParser,
  requiredText,
  textParameter,
  codePointLength,
  type Parsed,
  type QueryPairs,
} from '../text/read-query.ts';
import { ID_MAX, SEARCH_MAX, type PublicSummary, type ListKind } from './entry.ts';
import { parseId, parseNick } from './parse-check-input.ts';
import {
  dropTrustBesideReport,
  groupSummariesByChatId,
  parseSummary,
  toPublicAppeal,
  toEntryJson,
  toTimestamp,
  type PublicRow,
} from './public-entry.ts';

/** The strongest first. */
export const VERDICTS = ['reported', 'risk', 'trusted', 'unknown'] as const;
type Verdict = (typeof VERDICTS)[number];

export const LOOK_ALIKES_MAX = 20;

export const ID_WARNINGS = ['id_malformed', 'id_rounded'] as const;
export const WARNINGS = [
  'looks_like_trusted',
  'looks_like_reported',
  'mixed_scripts',
  'hidden_characters',
  ...ID_WARNINGS,
] as const;
export type Warning = (typeof WARNINGS)[number];

export interface JudgedEntry {
  readonly list: ListKind;
  readonly verified: boolean;
}

/** A trusted entry that is not verified is that of a hijacked account. */
function verdictOf({ list, verified }: JudgedEntry): Verdict {
  if (!verified) return 'risk';
  return list === 'legit' ? 'trusted' : 'reported';
}

export const verdictQuerySchema = z.object({
  id: textParameter(ID_MAX).describe(
    'ID osoby albo serwera, także jako wzmianka `<@ID>` albo link do profilu. Tylko ono decyduje o wyniku.',
  ),
  name: textParameter(SEARCH_MAX).describe(
    'Nick; `@` na początku i `#0` albo `#0001` na końcu pomijamy. Bez niego nie szukamy podobnych nicków. Potrzebne jest `id` albo `name`.',
  ),
});

type VerdictQuery = Readonly<Required<z.infer<typeof verdictQuerySchema>>>;

const parseVerdict = createQueryParser(verdictQuerySchema);

export function parseVerdictQuery(parameters: QueryPairs): Parsed<VerdictQuery> {
  const { query, problems } = parseVerdict(parameters);
  const { id, name } = query;
  return { query: { id: id && parseId(id), name: name && parseNick(name) }, problems };
}

const IDS_MAX = 100;

export const verdictsQuerySchema = z.object({
  ids: requiredText(IDS_MAX * 2 * ID_MAX).describe(`Od 1 do ${IDS_MAX} ID, oddzielonych przecinkami.`),
});

const parseIds = createQueryParser(verdictsQuerySchema);

export function parseVerdictsQuery(parameters: QueryPairs): Parsed<readonly string[]> {
  const { query, problems } = parseIds(parameters);
  const ids = query.ids.split(',').map((id) => id.trim());
  const isGood = ids.length <= IDS_MAX && ids.every((id) => id !== '' && codePointLength(id) <= ID_MAX);
  if (isGood || problems.length > 0) return { query: [...new Set(ids)], problems };
  const allowed = `od 1 do ${IDS_MAX} ID oddzielonych przecinkami, każde najwyżej ${ID_MAX} znaki`;
  return { query: [], problems: [{ parameter: 'ids', raw: query.ids.slice(0, ID_MAX), allowed }] };
}

export interface LookAlike {
  readonly entry: PublicSummary;
  readonly why: Likeness;
  /** The present or former name, which is like the asked one. */
  readonly normalized: NormalizedName;
}

export function toVerdictJson(
  query: VerdictQuery,
  found: readonly PublicRow[],
  lookAlikes: readonly LookAlike[],
  dataAt: number,
): string {
  const entries = orderByVerdict(found.map(({ json, card }) => Object.assign(parseSummary(card), { json })));
  const [first] = entries;
  const lists = lookAlikes.map(({ entry }) => entry.list);
  const shown = entries.map((entry) => toEntryJson(entry.json, entry, `,"list":"${entry.list}"`));
  return (
    `{${decisionJson(first)},"entries":[${shown.join()}],` +
    `"warnings":${JSON.stringify(warningsOf(query, first !== undefined, lists))},` +
    `"lookAlikes":${JSON.stringify(toLookAlikesJson(query.name, lookAlikes))},"dataAt":"${new Date(dataAt).toISOString()}"}`
  );
}

function decisionJson(entry: PublicSummary | undefined): string {
  if (!entry) return '"verdict":"unknown","list":null,"account":null,"accountSince":null';
  const since = JSON.stringify(toTimestamp(entry.accountSince));
  return `"verdict":"${verdictOf(entry)}","list":"${entry.list}","account":"${entry.account}","accountSince":${since}`;
}

function toLookAlikesJson(name: string | undefined, lookAlikes: readonly LookAlike[]) {
  if (name === undefined || lookAlikes.length === 0) return [];
  const asked = normalizeName(name);
  return lookAlikes.map(({ entry, why, normalized }) => ({
    verdict: verdictOf(entry),
    list: entry.list,
    account: entry.account,
    id: entry.id,
    name: entry.name,
    reportId: entry.reportId,
    why,
    differs: findDifferences(asked, normalized).map((difference) => ({
      ...difference,
      text: describeDifference(difference.from, difference.to),
    })),
  }));
}

/**
 * A trusted person who is reported under any name must not look trusted. One statement for all entries.
 * @returns finds the report of a trusted entry's ID
 */
export function findReportsOfTrusted(db: Database, entries: readonly PublicSummary[]) {
  const trusted = entries.filter(({ list }) => list === 'legit').map(({ id }) => id);
  const found = trusted.length === 0 ? undefined : groupSummariesByChatId(db, trusted);
  return ({ list, id }: PublicSummary): PublicSummary | undefined => {
    const [first] = list === 'legit' ? orderByVerdict(found?.get(id) ?? []) : [];
    return first?.list === 'legit' ? undefined : first;
  };
}

/** The deciding entry first; trusted ones only if nothing is reported (SPEC 4.2 rule 3). */
export function orderByVerdict<Entry extends JudgedEntry>(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length < 2) return entries;
  return dropTrustBesideReport(entries).toSorted(
    (one, other) => VERDICTS.indexOf(verdictOf(one)) - VERDICTS.indexOf(verdictOf(other)),
  );
}

export function warningsOf(
  { id, name }: VerdictQuery,
  isKnown: boolean,
  lists: readonly ListKind[],
): Warning[] {
  const warnings: Warning[] = [];
  if (lists.includes('legit')) warnings.push('looks_like_trusted');
  if (lists.some((list) => list !== 'legit')) warnings.push('looks_like_reported');
  if (name !== undefined && hasMixedScripts(name)) warnings.push('mixed_scripts');
  if (name !== undefined && hasHiddenCharacters(name)) warnings.push('hidden_characters');
  if (id !== undefined) warnings.push(...idWarningsOf(id, isKnown));
  return warnings;
}

function idWarningsOf(id: string, isKnown: boolean): (typeof ID_WARNINGS)[number][] {
  if (!isPlatformId(id)) return ['id_malformed'];
  return !isKnown && isRounded(id) ? ['id_rounded'] : [];
}

/** The ID may have been a JSON number, whose last digits a double loses. */
export function isRounded(id: string): boolean {
  const number = Number(id);
  return number > Number.MAX_SAFE_INTEGER && String(number) === id;
}

/** Text, because `__proto__` is a valid key. */
export function toVerdictsJson(db: Database, ids: readonly string[], dataAt: number): string {
  const found = groupSummariesByChatId(db, ids.map(parseId));
  const verdicts = ids.map((id) => {
    const asked = parseId(id);
    const [first] = orderByVerdict(found.get(asked) ?? []);
    const { reportId = null, appeal = null } = first ?? {};
    const report = `"reportId":${JSON.stringify(reportId)},"appeal":${JSON.stringify(toPublicAppeal(appeal))}`;
    const warnings = idWarningsOf(asked, first !== undefined);
    return `${JSON.stringify(id)}:{${decisionJson(first)},${report},"warnings":${JSON.stringify(warnings)}}`;
  });
  return `{"verdicts":{${verdicts.join()}},"dataAt":"${new Date(dataAt).toISOString()}"}`;
}
