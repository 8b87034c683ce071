/** A backup is a compressed database and a manifest, which is written last. Proof files are shared by all backups. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const PROOFS_FOLDER = 'proofs';
export const PART_PREFIX = '.part-';
/** SQLite appends `-journal`, `-wal` or `-shm`. A number is that of the process that writes the file. */
export const PART_FILE =
  /^\.part-(?:czujka-\d{8}T\d{6}Z\.db(?:\.zst|-journal|-wal|-shm)?|\d+-(?:czujka-\d{8}T\d{6}Z\.json|removed\.ndjson))$/;
export const PROOF_PART_FILE = /^\.part-[0-9a-f]{64}$/;
export const PROOF_FILE = /^[0-9a-f]{64}$/;

const manifest = z.object({
  formatVersion: z.literal(1),
  madeAt: z.iso.datetime(),
  entries: z.number().int(),
  bytes: z.number().int(),
  /** SHA-256 of the database before compression. */
  sha256: z.string(),
  proofs: z.array(z.string()),
  /** Names the change log of its database. Earlier versions wrote none. */
  logId: z.string().optional(),
  /** The reason why `restore` would refuse it, as the end of a sentence. */
  problem: z.string().optional(),
});

export type Manifest = z.infer<typeof manifest>;

export type BackupFile = Readonly<ReturnType<typeof listBackups>[number]>;

export function backupName(madeAt: number): string {
  return `czujka-${new Date(madeAt).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')}`;
}

/** @param name as backupName makes it */
export function madeAtOf(name: string): number {
  return Date.parse(name.replace(/^czujka-(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'));
}

export function databaseFile(folder: string, name: string): string {
  return join(folder, `${name}.db.zst`);
}

export function manifestFile(folder: string, name: string): string {
  return join(folder, `${name}.json`);
}

export function proofFile(folder: string, sha256: string): string {
  return join(folder, PROOFS_FOLDER, sha256);
}

/** Newest first. A manifest lists all images, and is read when its turn comes. */
export function* eachBackup(folder: string) {
  if (!existsSync(folder)) return;
  const names = new Set(readdirSync(folder).flatMap((file) => backupOf(file) ?? []));
  // Names are times.
  for (const name of [...names].sort().reverse()) {
    const found = readManifest(folder, name);
    if (found) yield { name, madeAt: Date.parse(found.madeAt), manifest: found };
  }
}

export function listBackups(folder: string) {
  return [...eachBackup(folder)];
}

export function readManifest(folder: string, name: string): Manifest | undefined {
  if (!existsSync(databaseFile(folder, name)) || !existsSync(manifestFile(folder, name))) return undefined;
  try {
    return manifest.safeParse(JSON.parse(readFileSync(manifestFile(folder, name), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** @returns true also for what a backup that was broken off has left */
export function isFreeForBackup(folder: string): boolean {
  if (!existsSync(folder)) return true;
  if (!statSync(folder).isDirectory()) return false;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.every(
    (name) =>
      name === PROOFS_FOLDER || PART_FILE.test(name) || /^proofs\/(?:\.part-)?[0-9a-f]{64}$/.test(name),
  );
}

export function backupOf(file: string): string | undefined {
  return /^(czujka-\d{8}T\d{6}Z)\.(?:json|db\.zst)$/.exec(file)?.[1];
}
