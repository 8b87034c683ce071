/** Bodies of the verdict endpoints, out of ready entries. */
import type { EntrySummary } from '../entries/entry.ts';
import type { VerdictResponse } from '../entries/verdict-schema.ts';
import { decide, verdictOf, warningsOf } from '../entries/verdict.ts';
import type { VerdictQuery } from '../entries/verdict.ts';
import { findDifferences, spellName } from '../text/look-alike.ts';
import type { LookAlike } from './look-alikes.ts';
import { readSummary } from './ready-entry.ts';
import type { WholeEntry } from './serving.ts';

type LookAlikeBody = VerdictResponse['lookAlikes'][number];

/**
 * A VerdictResponse as JSON, in UTF-8: the entries are it already, and a text would have to be encoded again.
 * @param found entries with the ID, in the order of the lists. @param dataAt epoch milliseconds
 */
export function joinVerdict(
  query: VerdictQuery,
  found: readonly WholeEntry[],
  lookAlikes: readonly LookAlike[],
  dataAt: number,
): Buffer {
  const entries = decide(found.map(({ summary, body }) => ({ ...readSummary(summary), body })));
  const [first] = entries;
  const warnings = warningsOf(
    query,
    first !== undefined,
    lookAlikes.map(({ entry }) => entry.list),
  );
  const verdict = first ? verdictOf(first) : 'unknown';
  const parts: Buffer[] = [
    Buffer.from(`{"verdict":"${verdict}","list":${first ? `"${first.list}"` : 'null'},"entries":[`),
  ];
  for (const entry of entries) {
    if (entry !== first) parts.push(COMMA);
    // A ListEntry, before its last brace.
    parts.push(entry.body.text.subarray(0, -1), Buffer.from(entryTail(entry)));
  }
  parts.push(
    Buffer.from(
      `],"warnings":${JSON.stringify(warnings)},` +
        `"lookAlikes":${JSON.stringify(toLookAlikesJson(query.name, lookAlikes))},"dataAt":"${toIso(dataAt)}"}`,
    ),
  );
  return Buffer.concat(parts);
}

const COMMA = Buffer.from(',');

function entryTail({ list, reportedAt, updatedAt }: EntrySummary): string {
  return `,"list":"${list}","reportedAt":"${toIso(reportedAt)}","updatedAt":"${toIso(updatedAt)}"}`;
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
    differs: findDifferences(asked, spelling),
  }));
}

/** A VerdictsResponse as JSON: `__proto__` is a key like any other. */
export function joinVerdicts(
  ids: readonly string[],
  found: ReadonlyMap<string, readonly EntrySummary[]>,
  dataAt: number,
): string {
  const verdicts = ids.map((id) => {
    const [first] = decide(found.get(id) ?? []);
    const told = first
      ? `"${verdictOf(first)}","list":"${first.list}","reportId":${JSON.stringify(first.reportId)}`
      : '"unknown","list":null,"reportId":null';
    return `${JSON.stringify(id)}:{"verdict":${told}}`;
  });
  return `{"verdicts":{${verdicts.join()}},"dataAt":"${toIso(dataAt)}"}`;
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}
