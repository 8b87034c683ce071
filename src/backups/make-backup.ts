/** Makes a backup, and unpacks it for comparison. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { copyDatabase } from '../db/copy-database.ts';
import { build, openDatabase } from '../db/database.ts';
import { syncPath, writeFileAtomic } from '../db/write-file-atomic.ts';
import { originalPath } from '../proofs/proof-files.ts';
import {
  backupName,
  backupOf,
  databaseFile,
  listBackups,
  manifestFile,
  PART_FILE,
  PART_PREFIX,
  PROOF_FILE,
  PROOF_PART_FILE,
  proofFile,
  PROOFS_FOLDER,
  type Manifest,
} from './backup-files.ts';
import { findFolderProblem } from './check-backup-folder.ts';
import { selectRetained } from './select-retained.ts';
import { compressFile, decompressFile } from './compressed-database.ts';

export interface BackupTask {
  readonly databasePath: string;
  readonly dataFolder: string;
  readonly folder: string;
  readonly now: number;
}

export interface BackupOutcome {
  readonly name: string;
  readonly entries: number;
  readonly bytes: number;
  readonly lostProofs: number;
  readonly removed: number;
}

export async function makeBackup(task: BackupTask): Promise<BackupOutcome> {
  const { databasePath, dataFolder, folder, now } = task;
  const proofsFolder = join(folder, PROOFS_FOLDER);
  const problem = findFolderProblem(folder, dataFolder);
  if (problem !== undefined) throw new Error(problem);
  mkdirSync(proofsFolder, { recursive: true, mode: 0o700 });
  removeFiles(folder, (file) => PART_FILE.test(file));
  removeFiles(proofsFolder, (file) => PROOF_PART_FILE.test(file));
  const name = backupName(now);
  const copy = join(folder, `${PART_PREFIX}${name}.db`);
  const packed = join(folder, `${PART_PREFIX}${name}.db.zst`);
  try {
    copyDatabase(databasePath, copy);
    const { entries, proofs } = verifyCopy(copy);
    const sha256 = await compressFile(copy, packed);
    const copyBytes = (await stat(copy)).size;
    rmSync(copy);
    if ((await decompressFile(packed, copy, copyBytes)) !== sha256)
      throw new Error('the backup is not what was written; is the disk damaged?');
    rmSync(copy);
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
      proofs,
    };
    writeFileAtomic(manifestFile(folder, name), JSON.stringify(manifest));
    await syncPath(folder);
    return { name, entries, bytes: size, lostProofs, removed: rotateBackups(folder, now) };
  } finally {
    rmSync(copy, { force: true });
    rmSync(packed, { force: true });
  }
}

function rotateBackups(folder: string, now: number): number {
  const backups = listBackups(folder);
  const kept = selectRetained(
    backups.map(({ madeAt }) => madeAt),
    now,
  );
  const staying = backups.filter(({ madeAt }) => kept.has(madeAt));
  const names = new Set(staying.map(({ name }) => name));
  removeFiles(folder, (file) => {
    const name = backupOf(file);
    return name !== undefined && !names.has(name);
  });
  const used = new Set(staying.flatMap(({ manifest }) => manifest.proofs));
  removeFiles(join(folder, PROOFS_FOLDER), (file) => PROOF_FILE.test(file) && !used.has(file));
  return backups.length - staying.length;
}

function verifyCopy(path: string): Pick<Manifest, 'entries' | 'proofs'> {
  using db = openDatabase(path, 'read');
  const outcome = db.connection.pragma('integrity_check', { simple: true });
  if (outcome !== 'ok') throw new Error(`the copy of the database is damaged: ${String(outcome)}`);
  const counted = build.selectFrom('entries').select(({ fn }) => fn.countAll<number>().as('entries'));
  const files = build
    .selectFrom('proof_items')
    .innerJoin('entries', 'entries.row', 'proof_items.row')
    .select('file_sha256')
    .distinct()
    .where('file_sha256', 'is not', null)
    .orderBy('file_sha256')
    .$narrowType<{ file_sha256: string }>();
  const proofs = db.all(files).map((file) => file.file_sha256);
  return { entries: db.first(counted)?.entries ?? 0, proofs };
}

async function keepProof(dataFolder: string, folder: string, sha256: string): Promise<boolean> {
  const kept = proofFile(folder, sha256);
  if (existsSync(kept)) return true;
  const original = originalPath(dataFolder, sha256);
  if (!existsSync(original)) return false;
  const bytes = await readFile(original);
  if (hash('sha256', bytes) !== sha256) return false;
  const part = join(folder, PROOFS_FOLDER, `${PART_PREFIX}${sha256}`);
  await writeFile(part, bytes, { flag: 'wx', mode: 0o600, flush: true });
  await rename(part, kept);
  return true;
}

/** The backup writes plain files only, and the folder may hold foreign ones. */
function removeFiles(folder: string, isPast: (file: string) => boolean): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile() && isPast(entry.name)) rmSync(join(folder, entry.name));
}
