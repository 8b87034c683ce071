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
const HOST =
  /[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|org|net|pl|eu|io|gg|dev|app|example)\b|(?<=https?:\/\/)[^/\s)]*/gi;

/** @returns why a record is unfit for the import or for the public demo; undefined for a good record */
export function findRecordFault(list: ListKind, record: SampleRecord): string | undefined {
  const { id, reason, proofs } = record;
  const checked = parseImportRecord(record, list);
  if (!checked.ok) return `${id}: ${JSON.stringify(checked.problems)}`;
  if (!/^[1-9]\d{16,19}$/.test(id)) return `${id} is not 17–20 digits`;
  const items = (proofs?.items ?? []).flatMap(({ text, url, caption }) => [text, url, caption]);
  const texts = [reason, ...items].filter((text) => text !== undefined);
  return texts.map((text) => findTextFault(text)).find((fault) => fault !== undefined);
}

function findTextFault(text: string): string | undefined {
  const word =
    BANNED.exec(text) ?? BRANDS.exec(text) ?? GENDERED.exec(text) ?? /!|[{}]|undefined|NaN/.exec(text);
  const number = /\d{10}/.exec(text.replaceAll(/https:\S+/g, ''));
  const host = text.match(HOST)?.find((name) => !/^(?:example\.(?:com|org)|[a-z0-9-]+\.example)$/.test(name));
  const fault = word?.[0] ?? number?.[0] ?? host;
  return fault === undefined ? undefined : `"${fault}" in: ${text.slice(0, 200)}`;
}
