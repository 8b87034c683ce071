import { listOf, parseCard, type Published } from './published.ts';

export function toMirrorJson(entry: Pick<Published, 'card' | 'json'>): string {
  return withTimes(entry, '');
}

export function toVerdictJson(entry: Published): string {
  return withTimes(entry, `,"list":"${listOf(entry.flags)}"`);
}

function withTimes({ json, card }: Pick<Published, 'card' | 'json'>, before: string): string {
  const { reportedAt, updatedAt } = parseCard(card);
  const [reported, updated] = [new Date(reportedAt).toISOString(), new Date(updatedAt).toISOString()];
  return `${json.slice(0, -1)}${before},"reportedAt":"${reported}","updatedAt":"${updated}"}`;
}
