/** Bodies of the verdict endpoints, out of ready entries. */
import type { EntrySummary, ListKind } from '../entries/entry.ts';
import type { VerdictResponse } from '../entries/verdict-schema.ts';
import { decide, verdictOf, warningsOf } from '../entries/verdict.ts';
import type { VerdictQuery } from '../entries/verdict.ts';
import { describeDifference } from '../text/describe-difference.ts';
import { findDifferences, spellName } from '../text/look-alike.ts';
import { COMMA, tagOf } from './list-response.ts';
import type { JsonBody } from './list-response.ts';
import type { LookAlike } from './look-alikes.ts';
import { listOf } from './ready-entry.ts';
import type { Frame } from './ready-entry.ts';

type LookAlikeBody = VerdictResponse['lookAlikes'][number];

/**
 * A VerdictResponse as JSON, in UTF-8: the entries are it already, and a text would have to be encoded again.
 * @param found bodies of the entries with the ID, in the order of the lists. @param dataAt epoch milliseconds
 */
export function joinVerdict(
  query: VerdictQuery,
  found: readonly Frame[],
  lookAlikes: readonly LookAlike[],
  dataAt: number,
): JsonBody {
  const entries = decide(
    found.map((frame) => ({ frame, list: listOf(frame.flags), verified: frame.isVerified })),
  );
  const [first] = entries;
  const warnings = warningsOf(
    query,
    first !== undefined,
    lookAlikes.map(({ entry }) => entry.list),
  );
  const verdict = first ? verdictOf(first) : 'unknown';
  const head = `{"verdict":"${verdict}","list":${first ? `"${first.list}"` : 'null'},"entries":[`;
  const tail =
    `],"warnings":${JSON.stringify(warnings)},` +
    `"lookAlikes":${JSON.stringify(toLookAlikesJson(query.name, lookAlikes))},"dataAt":"${toIso(dataAt)}"}`;
  const parts: Buffer[] = [Buffer.from(head)];
  for (const entry of entries) {
    if (entry !== first) parts.push(COMMA);
    // A ListEntry, before its last brace.
    parts.push(entry.frame.text.subarray(0, -1), Buffer.from(entryTail(entry.list, entry.frame)));
  }
  parts.push(Buffer.from(tail));
  return {
    body: Buffer.concat(parts),
    etag: tagOf(
      entries.map(({ frame }) => frame),
      head + tail,
    ),
  };
}

function entryTail(list: ListKind, { reportedAt, updatedAt }: Frame): string {
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
    differs: findDifferences(asked, spelling).map((difference) => ({
      ...difference,
      text: describeDifference(difference.from, difference.to),
    })),
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
