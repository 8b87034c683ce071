import type { ListKind } from '#src/entries/entry.ts';
import { parseImportRecord } from '#src/entries/import-record.ts';
import type { SampleRecord } from '../../../scripts/sample/demo-records.ts';

/** Words that no sample text may use: they judge persons, promise safety, or are not the service's voice. */
const BANNED =
  /oszust|złodziej|przestęp|scammer|czarn\p{L}* list|\bwinn[yiae]\b|użytkowni|niestety|\bups\b/iu;
const BRANDS =
  /discord|steam\b|paypal|allegro|olx|facebook|telegram|whatsapp|instagram|roblox|fortnite|minecraft/i;
/** The past tense of the second person reveals a gender in Polish. */
const GENDERED = /\p{L}(?:łeś|łaś)(?!\p{L})/u;
const SNOWFLAKE_EPOCH_MS = 1_420_070_400_000;

function createdMsOf(id: string): number {
  return Number(BigInt(id) >> 22n) + SNOWFLAKE_EPOCH_MS;
}

/** @returns why a record is unfit for the import or for the public demo; undefined for a good record */
export function findRecordFault(list: ListKind, record: SampleRecord): string | undefined {
  const fault = findShapeFault(list, record) ?? textsOf(record).map(findTextFault).find(Boolean);
  return fault === undefined ? undefined : `${record.id}: ${fault}`;
}

function findShapeFault(list: ListKind, record: SampleRecord): string | undefined {
  const checked = parseImportRecord(record, list);
  if (!checked.ok) return checked.problems.map(({ field, problem }) => `${field} ${problem}`).join('; ');
  const { id, reportedAt, proofs } = record;
  if (!/^[1-9]\d{16,19}$/.test(id)) return 'id is not 17–20 digits';
  if (new Date(reportedAt).toISOString() !== reportedAt) return 'reportedAt is not ISO 8601 in UTC';
  if (createdMsOf(id) >= Date.parse(reportedAt)) return 'reported before the account was created';
  if (reportedAt > '2026-11-20T12') return 'reported after the newest report';
  if (proofs?.private === false && (proofs.items.length < 1 || proofs.items.length > 5))
    return `${proofs.items.length} public proofs`;
  return undefined;
}

function textsOf({ reason, proofs }: SampleRecord): string[] {
  const items = proofs?.items ?? [];
  return [reason, ...items.flatMap(({ text, url, caption }) => [text ?? '', url ?? '', caption ?? ''])];
}

function findTextFault(text: string): string | undefined {
  const word =
    BANNED.exec(text) ?? BRANDS.exec(text) ?? GENDERED.exec(text) ?? /!|[{}]|undefined|NaN/.exec(text);
  if (word !== null) return `"${word[0]}" in: ${text.slice(0, 200)}`;
  if (/\d{10}/.test(text.replaceAll(/https:\S+/g, '')))
    return `a number like an account's in: ${text.slice(0, 200)}`;
  for (const [host] of text.matchAll(
    /[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|pl|eu|io|gg|dev|app|example)\b/gi,
  )) {
    if (!/^(?:example\.(?:com|org)|[a-z0-9-]+\.example)$/.test(host)) return `host ${host}`;
  }
  for (const [, host = ''] of text.matchAll(/https?:\/\/([^/\s)]*)/g)) {
    if (!/^(?:example\.(?:com|org)|[a-z0-9-]+\.example)$/.test(host)) return `link to ${host}`;
  }
  return undefined;
}
