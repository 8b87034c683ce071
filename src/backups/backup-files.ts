/** A backup is a compressed database and a manifest, which is written last. Proof files are shared by all backups. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export const PROOFS_FOLDER = 'proofs';
export const PART_PREFIX = '.part-';
/** SQLite appends `-journal`, `-wal` or `-shm`; earlier versions put a number before the manifest's name. */
export const PART_FILE =
  /^\.part-(?:czujka-\d{8}T\d{6}Z\.db(?:\.zst|-journal|-wal|-shm)?|(?:\d+-)?czujka-\d{8}T\d{6}Z\.json)$/;
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
});

export type Manifest = z.infer<typeof manifest>;

interface BackupFile {
  readonly name: string;
  readonly madeAt: number;
  readonly manifest: Manifest;
}

export function backupName(madeAt: number): string {
  return `czujka-${new Date(madeAt).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')}`;
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

export function listBackups(folder: string): BackupFile[] {
  if (!existsSync(folder)) return [];
  const names = new Set(readdirSync(folder).flatMap((file) => backupOf(file) ?? []));
  return [...names]
    .flatMap((name) => {
      const found = readManifest(folder, name);
      return found ? [{ name, madeAt: Date.parse(found.madeAt), manifest: found }] : [];
    })
    .toSorted((one, other) => other.madeAt - one.madeAt);
}

export function readManifest(folder: string, name: string): Manifest | undefined {
  if (!existsSync(databaseFile(folder, name)) || !existsSync(manifestFile(folder, name))) return undefined;
  try {
    return manifest.safeParse(JSON.parse(readFileSync(manifestFile(folder, name), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

export function backupOf(file: string): string | undefined {
  return /^(czujka-\d{8}T\d{6}Z)\.(?:json|db\.zst)$/.exec(file)?.[1];
}
