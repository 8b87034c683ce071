import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ListKind } from '#src/entries/entry.ts';
import { findEntryRowByChatId } from '#src/entries/find-entry-rows.ts';
import type { MirrorEntry } from '#src/entries/mirror-schema.ts';
import { listPublicByChatId, parseSummary, toEntryJson } from '#src/entries/public-entry.ts';
import type { Operator } from './run-czujka.ts';

/** The smallest proof that an import takes. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export function countEntries(operator: Operator, list: ListKind = 'scammers'): number {
  const sql = 'SELECT count(*) FROM entries WHERE list = ?';
  return operator.read((db) => db.statement<number>(sql).pluck().get(list) ?? 0);
}

export function showRow(operator: Operator, id: string, list: ListKind = 'scammers') {
  const row = operator.read((db) => findEntryRowByChatId(db, list, id));
  if (!row) throw new Error(`${list} has no ${id}`);
  return row;
}

/** The entry as mirrors get it; undefined where no list shows one. */
export function mirrored(operator: Operator, id: string): MirrorEntry | undefined {
  const [entry] = operator.read((db) => listPublicByChatId(db, id));
  return entry && (JSON.parse(toEntryJson(entry.json, parseSummary(entry.card))) as MirrorEntry);
}

export async function exported(operator: Operator, id: string, list: ListKind = 'scammers') {
  const lines = (await operator.succeed('export', '--list', list)).trimEnd().split('\n');
  const records = lines.map((line) => JSON.parse(line || '{}') as Record<string, unknown>);
  return records.find((record) => record.id === id);
}

const listerOf = (name: string) => (operator: Operator) => {
  const folder = join(operator.folder, 'data/proofs', name);
  return existsSync(folder) ? readdirSync(folder) : [];
};
export const storedProofFiles = listerOf('originals');
export const publicPictures = listerOf('public');
