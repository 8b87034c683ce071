/** Original images in BACKUP_FOLDER: missing and damaged ones are mended, on either side from the other. */
import { existsSync, mkdirSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDatabase } from '../db/database.ts';
import { writeFileAtomic } from '../db/write-file-atomic.ts';
import { isOriginalUsed, originalPath } from '../proofs/proof-files.ts';
import { readProofFile } from '../proofs/read-proof-file.ts';
import { PART_PREFIX, proofFile, PROOFS_FOLDER } from './backup-files.ts';
import { dailyShare } from './daily-share.ts';

/** A backup has an hour in all. */
const READING_MS = 20 * 60_000;

export async function copyProofs(
  { databasePath, folder }: Readonly<Record<'databasePath' | 'folder', string>>,
  proofs: readonly string[],
  now: number,
) {
  let [lostProofs, mendedProofs] = [0, 0];
  for (const { item: sha256, isRead } of dailyShare(proofs, (name) => name, now, READING_MS)) {
    const [original, kept] = [originalPath(databasePath, sha256), proofFile(folder, sha256)];
    const isKept = existsSync(kept);
    if (!isRead && isKept && existsSync(original)) continue;
    const [bytes, keptBytes] = [await readWhole(original, sha256), await readWhole(kept, sha256)];
    if (bytes && !keptBytes) {
      const part = join(folder, PROOFS_FOLDER, `${PART_PREFIX}${sha256}`);
      await writeFile(part, bytes, { flag: 'wx', mode: 0o600, flush: true });
      await rename(part, kept);
      if (isKept) mendedProofs += 1;
    } else if (keptBytes && !bytes) {
      mkdirSync(dirname(original), { recursive: true, mode: 0o700 });
      using db = openDatabase(databasePath, 'write', { mustExist: true });
      // The lock keeps away who removes it now.
      db.write(() => {
        if (isOriginalUsed(db, sha256)) writeFileAtomic(original, keptBytes);
      });
      mendedProofs += 1;
    } else if (!bytes) lostProofs += 1;
  }
  /** Lost: whole on neither side. */
  return { lostProofs, mendedProofs };
}

/** @returns undefined when the file is missing, is damaged, or lies where the disk cannot be read */
async function readWhole(path: string, sha256: string): Promise<Buffer | undefined> {
  try {
    const read = await readProofFile(path, { followsLink: false });
    return read.ok && read.sha256 === sha256 ? read.bytes : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw error;
    return undefined;
  }
}
