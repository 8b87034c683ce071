import { toAppealBody } from '../entries/appeals.ts';
import type { AccountState, EntrySummary } from '../entries/entry.ts';
import { readId } from '../entries/check-input.ts';
import type { VerdictResponse } from '../entries/verdict-schema.ts';
import {
  accountOf,
  isVerified,
  listOf,
  parseCard,
  toTimestamp,
  toVerdictJson,
  type Published,
} from '../entries/published.ts';
import { decide, idWarningsOf, verdictOf, warningsOf, type VerdictQuery } from '../entries/verdict.ts';
import { describeDifference } from '../text/describe-difference.ts';
import { findDifferences, spellName } from '../text/look-alike.ts';
import type { LookAlike } from './look-alikes.ts';

type LookAlikeBody = VerdictResponse['lookAlikes'][number];

export function joinVerdict(
  query: VerdictQuery,
  found: readonly Published[],
  lookAlikes: readonly LookAlike[],
  dataAt: number,
): string {
  const entries = decide(
    found.map((entry) => ({ entry, list: listOf(entry.flags), verified: isVerified(entry.flags) })),
  );
  const [first] = entries;
  const lists = lookAlikes.map(({ entry }) => entry.list);
  const verdict = first ? verdictOf(first) : 'unknown';
  const account = first && accountJson(accountOf(first.entry.flags), () => parseCard(first.entry.card));
  return (
    `{"verdict":"${verdict}","list":${first ? `"${first.list}"` : 'null'},${account ?? NO_ACCOUNT},` +
    `"entries":[${entries.map(({ entry }) => toVerdictJson(entry)).join()}],` +
    `"warnings":${JSON.stringify(warningsOf(query, first !== undefined, lists))},` +
    `"lookAlikes":${JSON.stringify(toLookAlikesJson(query.name, lookAlikes))},"dataAt":"${new Date(dataAt).toISOString()}"}`
  );
}

const NO_ACCOUNT = '"account":null,"accountSince":null';

/** @param read a card costs more to parse than the rest of an answer */
function accountJson(account: AccountState, read: () => Pick<EntrySummary, 'accountSince'>): string {
  const since = account === 'own' ? null : read().accountSince;
  return `"account":"${account}","accountSince":${JSON.stringify(toTimestamp(since))}`;
}

function toLookAlikesJson(name: string | undefined, lookAlikes: readonly LookAlike[]): LookAlikeBody[] {
  if (name === undefined || lookAlikes.length === 0) return [];
  const asked = spellName(name);
  return lookAlikes.map(({ entry, why, spelling }) => ({
    verdict: verdictOf(entry),
    list: entry.list,
    account: entry.account,
    id: entry.id,
    name: entry.name,
    reportId: entry.reportId,
    why,
    differs: findDifferences(asked, spelling).map((difference) => ({
      ...difference,
      text: describeDifference(difference.from, difference.to),
    })),
  }));
}

/** Text, because `__proto__` is a valid key. */
export function joinVerdicts(
  ids: readonly string[],
  found: ReadonlyMap<string, readonly EntrySummary[]>,
  dataAt: number,
): string {
  const verdicts = ids.map((id) => {
    const asked = readId(id);
    const [first] = decide(found.get(asked) ?? []);
    const members = first
      ? `"${verdictOf(first)}","list":"${first.list}",${accountJson(first.account, () => first)},"reportId":${JSON.stringify(first.reportId)},"appeal":${JSON.stringify(toAppealBody(first.appeal))}`
      : `"unknown","list":null,${NO_ACCOUNT},"reportId":null,"appeal":null`;
    const warnings = idWarningsOf(asked, first !== undefined);
    return `${JSON.stringify(id)}:{"verdict":${members},"warnings":${JSON.stringify(warnings)}}`;
  });
  return `{"verdicts":{${verdicts.join()}},"dataAt":"${new Date(dataAt).toISOString()}"}`;
}
