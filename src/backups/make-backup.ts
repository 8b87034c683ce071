/** Makes a backup, and unpacks it for comparison. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { besideDatabase } from '../data-files.ts';
import { readLogHead } from '../changes/change-log.ts';
import { openDatabase, removeDatabaseFile, copyDatabase } from '../db/database.ts';
import { isDiskFull } from '../db/disk-room.ts';
import { lockForProcess } from '../db/process-lock.ts';
import type { RetentionTime } from '../db/retention-time.ts';
import { countEntries } from '../entries/entry-statistics.ts';
import { isBeingWritten, writeFileAtomic } from '../db/write-file-atomic.ts';
import { listOriginals } from '../proofs/proof-files.ts';
import {
  backupName,
  backupOf,
  databaseFile,
  listBackups,
  madeAtOf,
  manifestFile,
  PART_FILE,
  PART_PREFIX,
  PROOF_FILE,
  PROOF_PART_FILE,
  PROOFS_FOLDER,
  readManifest,
  type Manifest,
} from './backup-files.ts';
import { findFileProblem, findRowProblem } from './check-database.ts';
import { findFolderProblem } from './check-backup-folder.ts';
import { copyProofs } from './copy-proofs.ts';
import { selectRetained } from './select-retained.ts';
import { compressFile, decompressFile } from './compressed-database.ts';

export interface BackupTask {
  readonly databasePath: string;
  readonly folder: string;
  readonly now: number;
}

export type BackupOutcome = Awaited<ReturnType<typeof makeBackup>>;

/** @returns `problem`: why `restore` would refuse it, as the end of a sentence */
export async function makeBackup(task: BackupTask) {
  const { databasePath, folder, now } = task;
  const proofsFolder = join(folder, PROOFS_FOLDER);
  const folderProblem = findFolderProblem(folder, dirname(databasePath));
  if (folderProblem !== undefined) throw new Error(folderProblem);
  // Two at once would delete each other's parts.
  const release = lockForProcess(backupLock(databasePath));
  if (!release) throw new Error('another backup is being made: try again when it is there');
  const name = backupName(now);
  const copy = join(folder, `${PART_PREFIX}${name}.db`);
  const packed = join(folder, `${PART_PREFIX}${name}.db.zst`);
  using ends = new DisposableStack();
  ends.defer(release);
  ends.defer(() => rmSync(packed, { force: true }));
  ends.defer(() => removeDatabaseFile(copy));
  mkdirSync(proofsFolder, { recursive: true, mode: 0o700 });
  removeFiles(folder, (file) => PART_FILE.test(file) && !isBeingWritten(file));
  removeFiles(proofsFolder, (file) => PROOF_PART_FILE.test(file));
  copyDatabase(databasePath, copy);
  const contents = readContents(copy);
  const sha256 = await compressFile(copy, packed);
  const copyBytes = (await stat(copy)).size;
  rmSync(copy);
  if ((await decompressFile(packed, copy, copyBytes)) !== sha256)
    throw new Error('the backup is not what was written; is the disk damaged?');
  // A copy that a restore would refuse is better than none.
  const problem = await findCopyProblem(copy);
  const copied = await copyProofs(task, contents.proofs, now);
  await rename(packed, databaseFile(folder, name));
  const bytes = await writeManifest(folder, name, { ...contents, sha256, problem });
  removeDatabaseFile(copy);
  await mendManifests(folder, copy);
  return { name, entries: contents.entries, bytes, ...copied, problem };
}

export function backupLock(databasePath: string): string {
  return besideDatabase(databasePath, 'backup.lock');
}

/** Does nothing while one is being made. @returns how many it deleted */
export function rotateBackups(
  { folder, databasePath }: Pick<BackupTask, 'folder' | 'databasePath'>,
  time: RetentionTime,
): number {
  const isUsable =
    existsSync(join(folder, PROOFS_FOLDER)) && findFolderProblem(folder, dirname(databasePath)) === undefined;
  const release = isUsable ? lockForProcess(backupLock(databasePath)) : undefined;
  if (!release) return 0;
  using ends = new DisposableStack();
  ends.defer(release);
  const backups = listBackups(folder);
  const times = backups.map(({ madeAt }) => madeAt);
  const kept = selectRetained(times, time);
  const sound = backups.filter(({ manifest }) => manifest.problem === undefined);
  const restorable = sound.find(({ madeAt }) => madeAt <= time.latest) ?? sound[0];
  const staying = backups.filter((backup) => kept.has(backup.madeAt) || backup === restorable);
  const gone = new Set(backups.filter((backup) => !staying.includes(backup)).map(({ name }) => name));
  removeFiles(folder, (file) => gone.has(backupOf(file) ?? ''));
  const used = new Set(staying.flatMap(({ manifest }) => manifest.proofs));
  // The images of a backup without a manifest are unknown until the next backup mends it.
  if (listUnknown(folder).length === 0)
    removeFiles(join(folder, PROOFS_FOLDER), (file) => PROOF_FILE.test(file) && !used.has(file));
  return gone.size;
}

/** @param made of its database, and the reason why `restore` would refuse it @returns the size of the compressed file */
async function writeManifest(
  folder: string,
  name: string,
  made: Pick<Manifest, 'entries' | 'proofs' | 'logId' | 'sha256' | 'problem'>,
): Promise<number> {
  const { size: bytes } = await stat(databaseFile(folder, name));
  const madeAt = new Date(madeAtOf(name)).toISOString();
  const manifest: Manifest = { formatVersion: 1, madeAt, bytes, ...made };
  writeFileAtomic(manifestFile(folder, name), JSON.stringify(manifest));
  return bytes;
}

/** Writes damaged and lost manifests again, and removes what is no whole database with its manifest. */
async function mendManifests(folder: string, copy: string): Promise<void> {
  for (const name of listUnknown(folder)) {
    try {
      const sha256 = await decompressFile(databaseFile(folder, name), copy, Infinity);
      const contents = readContents(copy);
      await writeManifest(folder, name, { ...contents, sha256, problem: await findCopyProblem(copy) });
    } catch (error) {
      if (isDiskFull(error)) throw error;
      removeFiles(folder, (file) => backupOf(file) === name);
    } finally {
      removeDatabaseFile(copy);
    }
  }
}

/** Names of backups of which the manifest or the database is damaged or lost. */
function listUnknown(folder: string): string[] {
  const names = new Set(readdirSync(folder).flatMap((file) => backupOf(file) ?? []));
  return [...names].filter((name) => !readManifest(folder, name));
}

async function findCopyProblem(copy: string): Promise<string | undefined> {
  const problem = findFileProblem(copy, 'it', true);
  if (problem !== undefined) return problem;
  using db = openDatabase(copy, 'read');
  return findRowProblem(db);
}

function readContents(path: string): Pick<Manifest, 'entries' | 'proofs' | 'logId'> {
  using db = openDatabase(path, 'read');
  // A row with another name is one that findRowProblem names.
  const proofs = listOriginals(db).filter((name) => PROOF_FILE.test(name));
  return { entries: countEntries(db), proofs, logId: readLogHead(db).logId };
}

/** The backup writes plain files only, and the folder may hold foreign ones. */
function removeFiles(folder: string, isPast: (file: string) => boolean): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile() && isPast(entry.name)) rmSync(join(folder, entry.name));
}
