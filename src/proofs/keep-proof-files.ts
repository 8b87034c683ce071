/**
 * Stores the files of proofs: checks their content, keeps their bytes, and makes the pictures of public ones.
 * sweepProofFiles removes unused files.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { sqlBuilder, type Database, type Transaction } from '../db/database.ts';
import type { ProofItem, StoredProofs } from '../entries/contents.ts';
import type { ImportRecord } from '../entries/import-record.ts';
import { VerbError } from '../verb-error.ts';
import type { Decoded } from './encode-image.ts';
import {
  checkProofOwner,
  isOriginalUsed,
  originalPath,
  PUBLIC_ORIGINALS,
  publicPath,
  sweepProofFiles,
  writeProofFile,
} from './proof-files.ts';
import { findNameProblem, hashProof, readProofFile } from './read-proof-file.ts';

const TRIES_AGAIN = 3;
const DAMAGED = 'is damaged: it has another content than its name (SHA-256) says';
const LOST = 'another command removes files of these proofs; nothing was written; run the command again';
const NO_FILES = { problem: 'files are added with the verb proofs' };

/** A name in a record means bytes or their path, a stored file, or a problem in English. One taken as it is may be lost. */
export type NamedFile =
  | { readonly source: string | Buffer; readonly fileName: string | null }
  | { readonly sha256: string; readonly fileName: string | null; readonly asItIs: boolean }
  | { readonly problem: string };

type StoredFile =
  { readonly sha256: string; readonly fileName: string | null } | { readonly problem: string };

interface KeeperOptions {
  /** Finds a file by its name in a record. @param isPublic whether pictures are to be made of it */
  readonly find: (name: string, isPublic: boolean) => NamedFile | Promise<NamedFile>;
  /** False: files are checked only. */
  readonly stores?: boolean;
}

export type ProofFileKeeper = ReturnType<typeof createProofFileKeeper>;

/** Stores files before the transaction that uses them; another command may sweep meanwhile. @throws as checkProofOwner does */
export function createProofFileKeeper(
  db: Database,
  dataFolder: string,
  { find, stores = true }: KeeperOptions,
) {
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

  /** Only checks, where nothing is to be stored. */
  const keep = async (source: string | Buffer, isPublic: boolean, expected?: string) => {
    isToSweep ||= stores;
    const checked = await check(source, isPublic, expected);
    if (!checked.ok || !stores) return checked;
    const { sha256, missing } = checked;
    if (missing) writeProofFile(originalPath(dataFolder, sha256), missing.bytes);
    if (missing?.needsPictures) await makePictures(db, dataFolder, sha256, missing.decoded);
    kept.set(sha256, { source, isPublic: isPublic || (kept.get(sha256)?.isPublic ?? false) });
    return checked;
  };

  /** @returns used files that another command removed */
  const listLost = () =>
    [...kept].flatMap(([sha256, file]) => {
      if (!isOriginalUsed(db, sha256)) return [];
      const isThere = existsSync(originalPath(dataFolder, sha256));
      return isThere && (!file.isPublic || hasPictures(db, dataFolder, sha256)) ? [] : [file];
    });

  const finish = (): void => {
    if (isToSweep) sweepProofFiles(db, dataFolder);
    isToSweep = false;
  };

  return {
    /** @param name as `find` knows it @param isPublic only then pictures are made */
    async store(name: string, isPublic: boolean): Promise<StoredFile> {
      const found = await find(name, isPublic);
      if ('problem' in found || ('sha256' in found && found.asItIs)) return found;
      const stored =
        'source' in found
          ? await keep(found.source, isPublic)
          : await keep(originalPath(dataFolder, found.sha256), isPublic, found.sha256);
      if (!stored.ok) return { problem: `${name} ${stored.problem}` };
      return { sha256: stored.sha256, fileName: found.fileName };
    },
    /**
     * Runs the work in a transaction. Where another command removed a stored file, which nothing used until now, the work is
     * taken back, the file made again, and the work run once more.
     * @throws {VerbError} `conflict` when that does not help
     */
    async write<T>(work: (tx: Transaction) => T): Promise<T> {
      for (let left = TRIES_AGAIN; ; left -= 1) {
        let lost: ReturnType<typeof listLost> = [];
        try {
          return db.write((tx) => {
            const result = work(tx);
            // Others may be unused now.
            isToSweep = true;
            lost = listLost();
            if (lost.length > 0) throw new VerbError('conflict', LOST);
            return result;
          });
        } catch (error) {
          if (lost.length === 0 || left === 0) throw error;
        }
        for (const { source, isPublic } of lost) await keep(source, isPublic);
      }
    },
    /** After the work was written or cancelled: removes unused files, where some may be there. */
    finish,
    /** The same, where its failure is none of the work: the next command removes what remains. */
    [Symbol.dispose]() {
      try {
        finish();
      } catch {
        // See above.
      }
    },
  };
}

/** Stores the files that a record names. @returns undefined for a record without proofs */
export async function storeProofs(
  { proofs }: Pick<ImportRecord, 'proofs'>,
  files: ProofFileKeeper | undefined,
): Promise<StoredProofs | undefined> {
  if (!proofs) return undefined;
  const items: ProofItem[] = [];
  for (const [index, item] of proofs.items.entries()) {
    const file =
      item.file === undefined ? undefined : ((await files?.store(item.file, !proofs.private)) ?? NO_FILES);
    if (file && 'problem' in file) return { field: `proofs.items[${index}].file`, problem: file.problem };
    items.push({
      text: item.text ?? null,
      textHtml: null,
      url: item.url ?? null,
      fileSha256: file?.sha256 ?? null,
      fileName: file?.fileName ?? null,
      caption: item.caption ?? null,
    });
  }
  return { items };
}

/** Finds a file by its path. @param contents bytes of files that have none, by their name */
export function findNamed(name: string, contents?: ReadonlyMap<string, Buffer>): NamedFile {
  const problem = findNameProblem(name);
  if (problem !== undefined) return { problem };
  const bytes = contents?.get(name);
  return bytes ? { source: bytes, fileName: null } : { source: resolve(name), fileName: basename(name) };
}

/** Makes missing pictures, for example after an update. @returns the number of images */
export async function makeMissingPictures(db: Database, dataFolder: string): Promise<number> {
  const find = (sha256: string): NamedFile => ({ sha256, fileName: null, asItIs: false });
  const updater = createProofFileKeeper(db, dataFolder, { find });
  let made = 0;
  for (const sha256 of listPictureless(db, dataFolder))
    if ('sha256' in (await updater.store(sha256, true))) made += 1;
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
  db.write((tx) => {
    tx.run(sqlBuilder.deleteFrom('proof_images').where('original_sha256', '=', original));
    for (const { format, width, height, sha256 } of pictures) {
      const row = { original_sha256: original, width, height, format, sha256 };
      tx.run(sqlBuilder.insertInto('proof_images').values(row));
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
