/**
 * Stores the files of proofs: checks their content, keeps their bytes, and makes the pictures of public ones.
 * sweepProofFiles removes unused files.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { sqlBuilder, type Database, type Transaction } from '../db/database.ts';
import type { Decoded } from './encode-image.ts';
import { VerbError } from '../verb-error.ts';
import {
  checkProofOwner,
  isOriginalUsed,
  originalPath,
  PUBLIC_ORIGINALS,
  publicPath,
  sweepProofFiles,
  writeProofFile,
} from './proof-files.ts';
import { findNameProblem, hashProof, readProofFile, type KeptFile } from './read-proof-file.ts';

export type ProofFileKeeper = ReturnType<typeof createProofFileKeeper>;

const TRIES_AGAIN = 3;
const DAMAGED = 'is damaged: it has another content than its name (SHA-256) says';
const LOST = 'another command removes files of these proofs; nothing was written; run the command again';

/** @throws as checkProofOwner does */
export function createProofFileKeeper(db: Database, dataFolder: string) {
  checkProofOwner(db, dataFolder);
  /** Sources of the stored files by SHA-256. */
  const kept = new Map<string, { source: string | Buffer; isPublic: boolean }>();
  let isToSweep = false;

  /** Decodes what is not stored yet. */
  const check = async (source: string | Buffer, isPublic: boolean, expected?: string) => {
    const read = typeof source === 'string' ? await readProofFile(source) : hashProof(source);
    if (!read.ok) return read;
    const { bytes, sha256 } = read;
    if (bytes.length === 0) return { ok: false as const, problem: 'is empty' };
    if (expected !== undefined && sha256 !== expected) return { ok: false as const, problem: DAMAGED };
    const needsPictures = isPublic && !hasPictures(db, dataFolder, sha256);
    if (!needsPictures && existsSync(originalPath(dataFolder, sha256))) return { ok: true as const, sha256 };
    // Its library takes time and memory, and most verbs store no picture.
    const { decodeImage } = await import('./encode-image.ts');
    const decoded = await decodeImage(bytes);
    return decoded.ok ? { ok: true as const, sha256, missing: { bytes, decoded, needsPictures } } : decoded;
  };

  const keep = async (source: string | Buffer, isPublic: boolean, expected?: string): Promise<KeptFile> => {
    isToSweep = true;
    const checked = await check(source, isPublic, expected);
    if (!checked.ok) return checked;
    const { sha256, missing } = checked;
    if (missing) writeProofFile(originalPath(dataFolder, sha256), missing.bytes);
    if (missing?.needsPictures) await makePictures(db, dataFolder, sha256, missing.decoded);
    kept.set(sha256, { source, isPublic: isPublic || (kept.get(sha256)?.isPublic ?? false) });
    return { ok: true, sha256 };
  };

  const finish = (): void => {
    if (isToSweep) sweepProofFiles(db, dataFolder);
    isToSweep = false;
  };

  return {
    /** Stores nothing. */
    check,
    /** @param source path or bytes @param isPublic only then pictures are made @param expected SHA-256 */
    keep,
    /** The same for a stored file. */
    keepOriginal: (sha256: string, isPublic: boolean) =>
      keep(originalPath(dataFolder, sha256), isPublic, sha256),
    /** Called in the transaction that uses kept files, and leaves others unused. @returns files that another command removed */
    listLost() {
      isToSweep = true;
      return [...kept].flatMap(([sha256, file]) => {
        if (!isOriginalUsed(db, sha256)) return [];
        const isThere = existsSync(originalPath(dataFolder, sha256));
        return isThere && (!file.isPublic || hasPictures(db, dataFolder, sha256)) ? [] : [file];
      });
    },
    /**
     * After the work was written or cancelled: removes unused files, where some may be there. Its disposal does so too after a
     * failure, which is the one to report; the next command removes what remains.
     */
    finish,
    [Symbol.dispose]() {
      try {
        finish();
      } catch {
        // See above.
      }
    },
  };
}

/**
 * Runs the work in a transaction. Where another command removed a kept file, which nothing used until now, the work is taken
 * back, the file made again, and the work run once more.
 * @throws {VerbError} `conflict` when that does not help
 */
export async function writeWithProofFiles<T>(
  db: Database,
  files: ProofFileKeeper,
  work: (tx: Transaction) => T,
): Promise<T> {
  for (let left = TRIES_AGAIN; ; left -= 1) {
    let lost: ReturnType<typeof files.listLost> = [];
    try {
      return db.write((tx) => {
        const result = work(tx);
        lost = files.listLost();
        if (lost.length > 0) throw new VerbError('conflict', LOST);
        return result;
      });
    } catch (error) {
      if (lost.length === 0 || left === 0) throw error;
    }
    for (const { source, isPublic } of lost) await files.keep(source, isPublic);
  }
}

/** Stores files that a record names. @param contents bytes of those that have no path, by their name */
export function storeNamed(files: ProofFileKeeper, contents?: ReadonlyMap<string, Buffer>) {
  return async (name: string, isPublic: boolean) => {
    const problem = findNameProblem(name);
    if (problem !== undefined) return { ok: false as const, problem };
    const bytes = contents?.get(name);
    const file = await files.keep(bytes ?? resolve(name), isPublic);
    if (!file.ok) return { ok: false as const, problem: `${name} ${file.problem}` };
    return { ...file, name: bytes ? null : basename(name) };
  };
}

/** Makes missing pictures, for example after an update. @returns the number of images */
export async function makeMissingPictures(db: Database, dataFolder: string): Promise<number> {
  const updater = createProofFileKeeper(db, dataFolder);
  let made = 0;
  for (const sha256 of listPictureless(db, dataFolder)) {
    const { ok } = await updater.keepOriginal(sha256, true);
    if (ok) made += 1;
  }
  return made;
}

/** Originals of public proofs of which a picture is missing. */
export function listPictureless(db: Database, dataFolder: string): string[] {
  const originals = db.all(PUBLIC_ORIGINALS).map((row) => row.file_sha256);
  return originals.filter((sha256) => !hasPictures(db, dataFolder, sha256));
}

async function makePictures(
  db: Database,
  dataFolder: string,
  original: string,
  decoded: Extract<Decoded, { ok: true }>,
): Promise<void> {
  const { encodePictures } = await import('./encode-image.ts');
  const pictures = (await encodePictures(decoded)).map((picture) => ({
    ...picture,
    sha256: createHash('sha256').update(picture.bytes).digest('hex'),
  }));
  for (const { sha256, format, bytes } of pictures) {
    writeProofFile(publicPath(dataFolder, sha256, format), bytes);
  }
  db.write(() => {
    db.run(sqlBuilder.deleteFrom('proof_images').where('original_sha256', '=', original));
    for (const { format, width, height, sha256 } of pictures) {
      const row = { original_sha256: original, width, height, format, sha256 };
      db.run(sqlBuilder.insertInto('proof_images').values(row));
    }
  });
}

function hasPictures(db: Database, dataFolder: string, original: string): boolean {
  const made = sqlBuilder.selectFrom('proof_images').select(['sha256', 'format']);
  const pictures = db.all(made.where('original_sha256', '=', original));
  return (
    pictures.length > 0 &&
    pictures.every(({ sha256, format }) => existsSync(publicPath(dataFolder, sha256, format)))
  );
}
