import { readFile } from 'node:fs/promises';
import { sqlBuilder, param, type Database } from '../db/database.ts';
import { PUBLIC_FORMATS, publicPath } from './proof-files.ts';

const NAME = new RegExp(`^([0-9a-f]{64})\\.(${PUBLIC_FORMATS.join('|')})$`);

/** An entry and its proofs must both be public. */
const SHOWN = sqlBuilder
  .selectFrom('proof_images')
  .innerJoin('proof_items', 'file_sha256', 'original_sha256')
  .innerJoin('entries', 'entries.row', 'proof_items.row')
  .innerJoin('published', 'published.row', 'entries.row')
  .select('format')
  .where('sha256', '=', param('sha256'))
  .where('format', '=', param('format'))
  .where('proofs', '=', 'public')
  .limit(1)
  .compile();

/** @param name `<SHA-256>.<avif or webp>` @returns undefined unless the picture is public now */
export async function readPublicPicture(db: Database, name: string) {
  const [, sha256 = '', format = ''] = NAME.exec(name) ?? [];
  const shown = sha256 ? db.first(SHOWN, { sha256, format }) : undefined;
  if (!shown) return undefined;
  // Another process may have just removed it.
  const bytes = await readFile(publicPath(db.path, sha256, format)).catch(() => undefined);
  return bytes && { format: shown.format, bytes };
}
