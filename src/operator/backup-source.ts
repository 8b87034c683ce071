/** Where a restore gets the database and the original images from: a folder that `backup` wrote, or a daily backup. */
import { copyFileSync, existsSync, lstatSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { databaseFile, listBackups, proofFile, readManifest } from '../backups/backup-files.ts';
import { decompressFile } from '../backups/compressed-database.ts';
import { makePrivateFile } from '../db/database.ts';
import { freeBytes, isDiskFull } from '../db/disk-room.ts';
import { readProofFile } from '../proofs/read-proof-file.ts';
import { BadInputError } from '../operator-error.ts';

/** Names in a plain folder, such as the copy from before an update. */
export const DATABASE_NAME = 'czujka.db';
const ORIGINALS_FOLDER = 'proofs/originals';

export interface BackupSource {
  /** Puts the database into this new file. */
  readonly unpack: (file: string) => Promise<void>;
  /** @returns undefined when the backup lacks the file. @throws {BadInputError} when it is another file */
  readonly readOriginal: (sha256: string) => Promise<Buffer | undefined>;
}

/** @throws {BadInputError} */
export function findSource(path: string): BackupSource {
  if (existsSync(join(path, DATABASE_NAME)))
    return {
      unpack: async (file) => {
        copyPrivately(join(path, DATABASE_NAME), file);
        // A copied folder may hold changes that are only in the WAL.
        const wal = join(path, `${DATABASE_NAME}-wal`);
        if (existsSync(wal)) copyPrivately(wal, `${file}-wal`);
      },
      readOriginal: (sha256) => readOriginal(join(path, ORIGINALS_FOLDER, sha256), sha256),
    };
  const backups = existsSync(path) && statSync(path).isDirectory() ? listBackups(path) : [];
  if (backups.length === 1) return findSource(databaseFile(path, backups[0]?.name ?? ''));
  const folder = dirname(path);
  const name = basename(path, '.db.zst');
  const manifest = path.endsWith('.db.zst') ? readManifest(folder, name) : undefined;
  if (!manifest) {
    const [newest] = backups;
    throw new BadInputError(
      newest
        ? `${path} holds daily backups; name one, for example the newest: ${databaseFile(path, newest.name)}`
        : `${path} ${existsSync(path) ? 'holds no backup' : 'is not there'}`,
    );
  }
  return {
    unpack: async (file) => {
      // The database that takes the place needs as much again.
      const room = freeBytes(dirname(file)) / 2;
      const sha256 = await decompressFile(path, file, room).catch((error: unknown) => {
        if (isDiskFull(error)) throw error;
        throw new BadInputError(`${path} is damaged: ${(error as Error).message}`, { cause: error });
      });
      if (sha256 !== manifest.sha256) throw new BadInputError(`${path} is damaged: its checksum is wrong`);
    },
    readOriginal: (sha256) => readOriginal(proofFile(folder, sha256), sha256),
  };
}

function copyPrivately(from: string, to: string): void {
  if (!lstatSync(from).isFile()) throw new BadInputError(`${from} is a link or no file`);
  makePrivateFile(to);
  copyFileSync(from, to);
}

async function readOriginal(path: string, sha256: string): Promise<Buffer | undefined> {
  if (!lstatSync(path, { throwIfNoEntry: false })) return undefined;
  const read = await readProofFile(path, { followsLink: false });
  if (read.ok && read.sha256 === sha256) return read.bytes;
  throw new BadInputError(`${path} is not the file that its name says; take it out to restore without it`);
}
