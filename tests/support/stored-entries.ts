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
  return operator.read(
    (db) =>
      db.statement<{ count: number }>('SELECT count(*) AS count FROM entries WHERE list = ?').get(list)
        ?.count ?? 0,
  );
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
  const records = (await operator.succeed('export', '--list', list))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return records.find((record) => record.id === id);
}

export function storedProofFiles(operator: Operator): string[] {
  return filesIn(join(operator.folder, 'data/proofs/originals'));
}

export function publicPictures(operator: Operator): string[] {
  return filesIn(join(operator.folder, 'data/proofs/public'));
}

function filesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
