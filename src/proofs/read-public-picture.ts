/** One picture of a public proof, as a file. */
import { readFile } from 'node:fs/promises';
import type { Database } from '../db/database.ts';
import { IMAGE_FORMATS, publicPath } from './proof-files.ts';
import type { ImageFormat } from './proof-files.ts';

export interface PictureFile {
  readonly format: ImageFormat;
  readonly bytes: Buffer;
}

const NAME = new RegExp(`^([0-9a-f]{64})\\.(${IMAGE_FORMATS.join('|')})$`);

/** An entry whose proofs are public, and that is public itself, shows the picture. */
const IS_SHOWN = `SELECT 1 FROM proof_images JOIN proof_items ON file_sha256 = original_sha256
  JOIN entries USING (row)
  WHERE proof_images.sha256 = ? AND format = ? AND proofs = 'public' AND (list != 'legit' OR verified = 1) LIMIT 1`;

/**
 * @param name `<SHA-256 of the picture>.<avif or webp>`
 * @returns undefined for everything that is not public now
 */
export async function readPublicPicture(
  db: Database,
  dataFolder: string,
  name: string,
): Promise<PictureFile | undefined> {
  const [, sha256 = '', format = ''] = NAME.exec(name) ?? [];
  if (!sha256 || !db.statement(IS_SHOWN).get(sha256, format)) return undefined;
  // Made private or removed at this very moment: it is gone.
  const bytes = await readFile(publicPath(dataFolder, sha256, format)).catch(() => undefined);
  return bytes && { format: format as ImageFormat, bytes };
}
