/** An entry as mirrors get it, in the chunks of the snapshots and from `/api/changes`. */
import { listOf, parseCard } from './published.ts';
import type { Published } from './published.ts';

/** A MirrorEntry as JSON: what the API sends, and its two times. */
export function toMirrorJson(entry: Published): string {
  return withTimes(entry, '');
}

/** The same with its list before the times, as verdicts have it. */
export function toVerdictJson(entry: Published): string {
  return withTimes(entry, `,"list":"${listOf(entry.flags)}"`);
}

function withTimes({ json, card }: Published, before: string): string {
  const { reportedAt, updatedAt } = parseCard(card);
  return `${json.slice(0, -1)}${before},"reportedAt":"${toIso(reportedAt)}","updatedAt":"${toIso(updatedAt)}"}`;
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}
