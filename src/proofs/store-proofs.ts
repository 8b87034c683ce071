/**
 * Stores the files of proofs: checks their content, keeps their bytes, and makes the pictures of public ones.
 * sweepProofFiles removes unused files.
 */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { sqlBuilder, type Database, type Transaction } from '../db/database.ts';
import { OperatorError } from '../operator-error.ts';
import type { Decoded } from './encode-image.ts';
import {
  checkProofsBelong,
  isOriginalUsed,
  originalPath,
  PUBLIC_ORIGINALS,
  publicPath,
  sweepAfterWork,
  writeProofFile,
} from './proof-files.ts';
import { findNameProblem, hashProof, readProofFile } from './read-proof-file.ts';

const DAMAGED = 'is damaged: it has another content than its name (SHA-256) says';
const LOST = 'another command removes files of these proofs; nothing was written; run the command again';

/** Bytes or their path, a stored file, or a problem in English. An unchecked one may be lost. */
export type NamedFile =
  | { readonly source: string | Buffer; readonly fileName: string | null }
  | { readonly sha256: string; readonly fileName: string | null; readonly isUnchecked?: boolean }
  | { readonly problem: string };

/** Files by their names in a record. */
export type NamedFiles = ReadonlyMap<string, NamedFile>;

/** Another command removed a stored file, which nothing used until now. */
export class LostFilesError extends OperatorError {
  constructor() {
    super('conflict', LOST);
  }
}

/**
 * Stores files before the transaction that uses them; another command may sweep meanwhile. Its disposal removes unused
 * files.
 */
export class ProofStore implements Disposable {
  readonly #db: Database;
  readonly #dryRun: boolean;
  /** Sources of the stored files by SHA-256. */
  readonly #stored = new Map<string, { source: string | Buffer; isPublic: boolean }>();
  /** Whether files may be unused now. */
  #mustSweep = false;

  /** @param dryRun stores nothing. @throws as checkProofsBelong does */
  constructor(db: Database, { dryRun = false } = {}) {
    checkProofsBelong(db);
    this.#db = db;
    this.#dryRun = dryRun;
  }

  /** @param isPublic only then pictures are made */
  async store(name: string, file: NamedFile, isPublic: boolean) {
    if ('problem' in file || ('sha256' in file && file.isUnchecked)) return file;
    const expected = 'source' in file ? undefined : file.sha256;
    const source = 'source' in file ? file.source : originalPath(this.#db.path, file.sha256);
    const stored = await this.#checkAndStore(source, isPublic, expected);
    if (!stored.ok) return { problem: `${name} ${stored.problem}` };
    return { sha256: stored.sha256, fileName: file.fileName };
  }

  /** After the rows that use the files are written. @throws {LostFilesError} */
  assertPresent(tx: Transaction): void {
    this.#mustSweep = true;
    for (const [sha256, { isPublic }] of this.#stored)
      if (isOriginalUsed(tx, sha256) && !this.#isPresent(sha256, isPublic)) throw new LostFilesError();
  }

  /** Stores what another command removed. */
  async storeAgain(): Promise<void> {
    for (const [sha256, { source, isPublic }] of this.#stored)
      if (!this.#isPresent(sha256, isPublic)) await this.#checkAndStore(source, isPublic);
  }

  [Symbol.dispose](): void {
    if (this.#mustSweep) sweepAfterWork(this.#db);
  }

  /** Only checks with `dryRun`. */
  async #checkAndStore(source: string | Buffer, isPublic: boolean, expected?: string) {
    this.#mustSweep ||= !this.#dryRun;
    const checked = await this.#check(source, isPublic, expected);
    if (!checked.ok || this.#dryRun) return checked;
    const { sha256, missing } = checked;
    if (missing) writeProofFile(originalPath(this.#db.path, sha256), missing.bytes);
    if (missing?.needsPictures) await makePictures(this.#db, sha256, missing.decoded);
    this.#stored.set(sha256, { source, isPublic: isPublic || (this.#stored.get(sha256)?.isPublic ?? false) });
    return checked;
  }

  /** Decodes what is not stored yet. */
  async #check(source: string | Buffer, isPublic: boolean, expected: string | undefined) {
    const read = typeof source === 'string' ? await readProofFile(source) : hashProof(source);
    if (!read.ok) return read;
    const { bytes, sha256 } = read;
    if (bytes.length === 0) return { ok: false as const, problem: 'is empty' };
    if (expected !== undefined && sha256 !== expected) return { ok: false as const, problem: DAMAGED };
    const needsPictures = isPublic && !hasPictures(this.#db, sha256);
    const isStored = existsSync(originalPath(this.#db.path, sha256));
    if (!needsPictures && isStored) return { ok: true as const, sha256 };
    // Its library takes time and memory, and most verbs store no picture.
    const { decodeImage } = await import('./encode-image.ts');
    const decoded = await decodeImage(bytes);
    return decoded.ok ? { ok: true as const, sha256, missing: { bytes, decoded, needsPictures } } : decoded;
  }

  #isPresent(sha256: string, isPublic: boolean): boolean {
    return existsSync(originalPath(this.#db.path, sha256)) && (!isPublic || hasPictures(this.#db, sha256));
  }
}

/** Finds files by their paths. @param bytesByFileName bytes of files that have none, by their names */
export function toNamedFiles(
  names: readonly string[],
  bytesByFileName?: ReadonlyMap<string, Buffer>,
): NamedFiles {
  const findFile = (name: string): NamedFile => {
    const [problem, bytes] = [findNameProblem(name), bytesByFileName?.get(name)];
    if (problem !== undefined) return { problem };
    return bytes ? { source: bytes, fileName: null } : { source: resolve(name), fileName: basename(name) };
  };
  return new Map(names.map((name) => [name, findFile(name)]));
}

/** Makes missing pictures, for example after an update. @returns the number of images */
export async function makeMissingPictures(db: Database): Promise<number> {
  await forgetTransparentPictures(db);
  const files = new ProofStore(db);
  let made = 0;
  for (const sha256 of listPictureless(db))
    if ('sha256' in (await files.store(sha256, { sha256, fileName: null }, true))) made += 1;
  return made;
}

/** Earlier versions published what a transparent part hides. */
async function forgetTransparentPictures(db: Database): Promise<void> {
  const { hasTransparency } = await import('./encode-image.ts');
  const made = sqlBuilder.selectFrom('proof_images').select(['original_sha256', 'sha256', 'format']);
  for (const { original_sha256: original, sha256, format } of db.all(made.where('format', '=', 'webp'))) {
    const path = publicPath(db.path, sha256, format);
    if (!existsSync(path) || !(await hasTransparency(path))) continue;
    db.write((tx) => tx.run(sqlBuilder.deleteFrom('proof_images').where('original_sha256', '=', original)));
  }
}

/** Originals of public proofs of which a picture is missing. */
export function listPictureless(db: Database): string[] {
  const originals = db.all(PUBLIC_ORIGINALS).map((row) => row.file_sha256);
  return originals.filter((sha256) => !hasPictures(db, sha256));
}

async function makePictures(
  db: Database,
  original: string,
  decoded: Extract<Decoded, { ok: true }>,
): Promise<void> {
  const { encodePictures } = await import('./encode-image.ts');
  const rows = (await encodePictures(decoded)).map(({ bytes, ...picture }) => {
    const sha256 = hash('sha256', bytes);
    writeProofFile(publicPath(db.path, sha256, picture.format), bytes);
    return { original_sha256: original, sha256, ...picture };
  });
  db.write((tx) => {
    tx.run(sqlBuilder.deleteFrom('proof_images').where('original_sha256', '=', original));
    tx.run(sqlBuilder.insertInto('proof_images').values(rows));
  });
}

function hasPictures(db: Database, original: string): boolean {
  const made = sqlBuilder.selectFrom('proof_images').select(['sha256', 'format']);
  const pictures = db.all(made.where('original_sha256', '=', original));
  return (
    pictures.length > 0 &&
    pictures.every(({ sha256, format }) => existsSync(publicPath(db.path, sha256, format)))
  );
}
