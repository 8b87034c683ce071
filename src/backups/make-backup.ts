/**
 * One daily backup: a copy of the database at one moment, compressed (compressed-database.ts), then unpacked again, opened
 * and counted; the files of its proofs beside it; and what has had its time goes (choose-kept.ts). backup-files.ts says
 * what lies where. It takes seconds, and minutes of a large one: a process of its own does it (src/worker/backup-process.ts).
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { copyFile, readFile, rename, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makePrivateFile, openDatabase } from '../db/database.ts';
import { syncFolder, writeWholeFile } from '../db/write-whole-file.ts';
import { originalPath } from '../proofs/proof-files.ts';
import {
  backupName,
  backupOf,
  databaseFile,
  listBackups,
  manifestFile,
  PART_PREFIX,
  proofFile,
  PROOFS_FOLDER,
} from './backup-files.ts';
import type { Manifest } from './backup-files.ts';
import { chooseKept } from './choose-kept.ts';
import { compressFile, decompressFile, sync } from './compressed-database.ts';

export interface BackupTask {
  readonly databasePath: string;
  /** Folder of the database. */
  readonly dataFolder: string;
  readonly folder: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface BackupOutcome {
  readonly name: string;
  readonly entries: number;
  readonly bytes: number;
  /** Files that proofs refer to and that are not there, or not what they should be. */
  readonly lostProofs: number;
  /** Older ones that went. */
  readonly removed: number;
}

interface Counted {
  readonly entries: number;
  readonly proofs: readonly string[];
}

/** @throws when it cannot be made, or is not what it should be; nothing of it stays then */
export async function makeBackup({
  databasePath,
  dataFolder,
  folder,
  now,
}: BackupTask): Promise<BackupOutcome> {
  const proofsFolder = join(folder, PROOFS_FOLDER);
  mkdirSync(proofsFolder, { recursive: true, mode: 0o700 });
  removeParts(folder);
  removeParts(proofsFolder);
  const name = backupName(now);
  const copy = join(folder, `${PART_PREFIX}${name}.db`);
  const packed = join(folder, `${PART_PREFIX}${name}.db.zst`);
  try {
    const copied = copyDatabase(databasePath, copy);
    const sha256 = await compressFile(copy, packed);
    const copyBytes = (await stat(copy)).size;
    rmSync(copy);
    if ((await decompressFile(packed, copy, copyBytes)) !== sha256)
      throw new Error('the backup is not what was written; is the disk damaged?');
    const { entries, proofs } = countSound(copy);
    rmSync(copy);
    if (entries !== copied.entries) throw new Error(`the backup has ${entries} entries of ${copied.entries}`);
    let lostProofs = 0;
    for (const proof of proofs) if (!(await keepProof(dataFolder, folder, proof))) lostProofs += 1;
    await rename(packed, databaseFile(folder, name));
    const { size } = await stat(databaseFile(folder, name));
    const manifest: Manifest = {
      formatVersion: 1,
      madeAt: new Date(now).toISOString(),
      entries,
      bytes: size,
      sha256,
      proofs: [...proofs],
    };
    await writeWholeFile(manifestFile(folder, name), JSON.stringify(manifest), { mode: 0o600 });
    await syncFolder(folder);
    return { name, entries, bytes: size, lostProofs, removed: rotateBackups(folder, now) };
  } finally {
    rmSync(copy, { force: true });
    rmSync(packed, { force: true });
  }
}

/** Removes the backups that have had their time, and the files of proofs that none refers to any more. @returns how many */
export function rotateBackups(folder: string, now: number): number {
  const backups = listBackups(folder);
  const kept = chooseKept(
    backups.map(({ madeAt }) => madeAt),
    now,
  );
  const staying = backups.filter(({ madeAt }) => kept.has(madeAt));
  const names = new Set(staying.map(({ name }) => name));
  for (const file of readdirSync(folder)) {
    // Also what is left of one whose manifest is damaged or was never written: nobody could vouch for it.
    const name = backupOf(file);
    if (name !== undefined && !names.has(name)) rmSync(join(folder, file));
  }
  const used = new Set(staying.flatMap(({ manifest }) => manifest.proofs));
  for (const file of readdirSync(join(folder, PROOFS_FOLDER)))
    if (!used.has(file)) rmSync(proofFile(folder, file));
  return backups.length - staying.length;
}

/** One moment of it: VACUUM INTO reads in one transaction, and leaves free pages behind. */
function copyDatabase(from: string, to: string): Counted {
  const db = openDatabase(from, 'read');
  try {
    makePrivateFile(to);
    db.connection.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
  return countSound(to);
}

function countSound(path: string): Counted {
  const db = openDatabase(path, 'read');
  try {
    const outcome = db.connection.pragma('integrity_check', { simple: true });
    if (outcome !== 'ok') throw new Error(`the copy of the database is damaged: ${String(outcome)}`);
    const entries = db.statement<{ count: number }>('SELECT count(*) AS count FROM entries').get()?.count;
    return { entries: entries ?? 0, proofs: listProofs(db) };
  } finally {
    db.close();
  }
}

/** SHA-256 of the files that entries refer to. */
function listProofs(db: ReturnType<typeof openDatabase>): string[] {
  return db
    .statement<{ sha256: string }>(
      `SELECT DISTINCT file_sha256 AS sha256 FROM proof_items JOIN entries USING (content)
       WHERE file_sha256 IS NOT NULL ORDER BY file_sha256`,
    )
    .all()
    .map(({ sha256 }) => sha256);
}

/** @returns false when there is no sound file to keep */
async function keepProof(dataFolder: string, folder: string, sha256: string): Promise<boolean> {
  const kept = proofFile(folder, sha256);
  if (existsSync(kept)) return true;
  const original = originalPath(dataFolder, sha256);
  if (!existsSync(original)) return false;
  const part = join(folder, PROOFS_FOLDER, `${PART_PREFIX}${sha256}`);
  makePrivateFile(part);
  await copyFile(original, part);
  if (
    createHash('sha256')
      .update(await readFile(part))
      .digest('hex') !== sha256
  ) {
    rmSync(part);
    return false;
  }
  await sync(part);
  await rename(part, kept);
  return true;
}

function removeParts(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(PART_PREFIX)) rmSync(join(folder, name));
}
