/**
 * Files of proofs. `proofs/originals/` has the operator's files unchanged and is never served; `proofs/public/` has
 * the pictures for visitors (store-proofs.ts, encode-image.ts). Both are named by SHA-256. list-public-proofs.ts
 * serves visitors.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { besideDatabase } from '../data-files.ts';
import { listLogs } from '../removals/removals.ts';
import { removedPath } from '../removals/removed-file.ts';
import { listReplacedFiles } from '../changes/undo-file.ts';
import { sqlBuilder, type Database } from '../db/database.ts';
import { isBeingWritten, writeFileAtomic } from '../db/write-file-atomic.ts';

export const PUBLIC_FORMATS = ['avif', 'webp'] as const;
export type PublicFormat = (typeof PUBLIC_FORMATS)[number];

/** Files per transaction. */
const SWEEP_STEP = 500;

export function originalPath(databasePath: string, sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('the name of a proof file is no SHA-256');
  return join(pathOf(databasePath, 'originals'), sha256);
}

export function publicPath(databasePath: string, sha256: string, format: string): string {
  return join(pathOf(databasePath, 'public'), `${sha256}.${format}`);
}

/** Names of all used originals, in order. */
export function listOriginals(db: Database): string[] {
  const used = 'SELECT DISTINCT file_sha256 FROM proof_items WHERE file_sha256 IS NOT NULL ORDER BY 1';
  return db.statement<string>(used).pluck().all();
}

export function listMissingOriginals(db: Database, databasePath: string): string[] {
  return listOriginals(db).filter((sha256) => !existsSync(originalPath(databasePath, sha256)));
}

export function copyOriginal(databasePath: string, sha256: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(originalPath(databasePath, sha256), target);
}

export function writeProofFile(path: string, bytes: Buffer): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileAtomic(path, bytes);
}

/**
 * Refuses to work with the files of another installation, which would all look unused. `proofs/change-log` names each
 * change log that the installation ever had, so that every backup of it knows one of them. Earlier versions named the
 * newest log only; there `removed.ndjson` tells which logs belong to one installation.
 * @param databasePath the database beside which the files are
 * @throws when no log of `db` is among them
 */
export function checkProofsBelong(db: Database, databasePath = db.path): void {
  const owners = readOwners(databasePath);
  const logs = new Set(listLogs(db));
  if (owners.size === 0 || !owners.isDisjointFrom(logs)) return;
  const related = readLogNames(removedPath(databasePath), /"history":"([0-9a-f]{16})"/g);
  if (!related.isDisjointFrom(logs) && !related.isDisjointFrom(owners)) return;
  const folder = besideDatabase(databasePath, 'proofs');
  throw new Error(
    `${folder} holds the proof files of another database than ${db.path}: put that database back, ` +
      `or keep the files elsewhere: mv ${folder} ${folder}.other`,
  );
}

/** An empty or malformed file has no names. */
function readOwners(databasePath: string): Set<string> {
  return readLogNames(pathOf(databasePath, 'change-log'), /^([0-9a-f]{16})$/gm);
}

function readLogNames(file: string, pattern: RegExp): Set<string> {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return new Set(Array.from(text.matchAll(pattern), ([, name = '']) => name));
}

function writeOwners(db: Database): void {
  const owners = readOwners(db.path);
  const all = owners.union(new Set(listLogs(db)));
  if (all.size > owners.size) writeFileAtomic(pathOf(db.path, 'change-log'), [...all, ''].join('\n'));
}

/**
 * Removes unused files, and pictures of proofs that are now private. Each check and its removal share a transaction
 * with the write lock, so that files stay that another command begins to use.
 * @returns the numbers of removed files
 * @throws as checkProofsBelong does
 */
export function sweepProofFiles(db: Database) {
  checkProofsBelong(db);
  const pictures = db.write((tx) => tx.run(DELETE_PRIVATE_PICTURES).changes);
  sweepFolder(db, pathOf(db.path, 'public'), () => (name) => {
    const [sha256 = '', format] = name.split('.');
    const pictures = sqlBuilder.selectFrom('proof_images').select('format').where('sha256', '=', sha256);
    return db.all(pictures).some((picture) => picture.format === format);
  });
  const originals = sweepFolder(db, pathOf(db.path, 'originals'), () => {
    const replaced = listReplacedFiles(db.path);
    return (name) => replaced.has(name) || isOriginalUsed(db, name);
  });
  // After the removals, which a full disk does not prevent.
  if (existsSync(pathOf(db.path, 'originals'))) writeOwners(db);
  return { originals, pictures };
}

/** A failure is none of the work, which is committed: the next command removes what remains. */
export function sweepAfterWork(db: Database): void {
  try {
    sweepProofFiles(db);
  } catch {}
}

export function isOriginalUsed(db: Database, sha256: string): boolean {
  return !!db.first(sqlBuilder.selectFrom('proof_items').select('row').where('file_sha256', '=', sha256));
}

export const PUBLIC_ORIGINALS = sqlBuilder
  .selectFrom('proof_items')
  .innerJoin('entries', 'entries.row', 'proof_items.row')
  .select('file_sha256')
  .distinct()
  .where('proofs', '=', 'public')
  .where('file_sha256', 'is not', null)
  .$narrowType<{ file_sha256: string }>();

const DELETE_PRIVATE_PICTURES = sqlBuilder
  .deleteFrom('proof_images')
  .where('original_sha256', 'not in', PUBLIC_ORIGINALS);

/** @param look called in each transaction, because an import may just have put a used file among the replaced ones */
function sweepFolder(db: Database, folder: string, look: () => (name: string) => boolean): number {
  if (!existsSync(folder)) return 0;
  const names = readdirSync(folder);
  let removed = 0;
  for (let start = 0; start < names.length; start += SWEEP_STEP) {
    db.write(() => {
      const isUsed = look();
      for (const name of names.slice(start, start + SWEEP_STEP)) {
        if (isUsed(name) || isBeingWritten(name)) continue;
        rmSync(join(folder, name), { force: true });
        removed += 1;
      }
    });
  }
  return removed;
}

/** @param name `originals`, `public`, or the file `change-log` */
function pathOf(databasePath: string, name: string): string {
  return join(besideDatabase(databasePath, 'proofs'), name);
}
