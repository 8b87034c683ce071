import type { EntrySummary } from '../entries/entry.ts';
import { readId } from '../entries/check-input.ts';
import type { VerdictResponse } from '../entries/verdict-schema.ts';
import { isVerified, listOf, toVerdictJson, type Published } from '../entries/published.ts';
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
  return (
    `{"verdict":"${verdict}","list":${first ? `"${first.list}"` : 'null'},` +
    `"entries":[${entries.map(({ entry }) => toVerdictJson(entry)).join()}],` +
    `"warnings":${JSON.stringify(warningsOf(query, first !== undefined, lists))},` +
    `"lookAlikes":${JSON.stringify(toLookAlikesJson(query.name, lookAlikes))},"dataAt":"${new Date(dataAt).toISOString()}"}`
  );
}

function toLookAlikesJson(name: string | undefined, lookAlikes: readonly LookAlike[]): LookAlikeBody[] {
  if (name === undefined || lookAlikes.length === 0) return [];
  const asked = spellName(name);
  return lookAlikes.map(({ entry, why, spelling }) => ({
    verdict: verdictOf(entry),
    list: entry.list,
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
      ? `"${verdictOf(first)}","list":"${first.list}","reportId":${JSON.stringify(first.reportId)}`
      : '"unknown","list":null,"reportId":null';
    const warnings = idWarningsOf(asked, first !== undefined);
    return `${JSON.stringify(id)}:{"verdict":${members},"warnings":${JSON.stringify(warnings)}}`;
  });
  return `{"verdicts":{${verdicts.join()}},"dataAt":"${new Date(dataAt).toISOString()}"}`;
}
