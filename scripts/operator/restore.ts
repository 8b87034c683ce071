/**
 * Puts a backup in the place of the database, while the server runs. It is prepared in a file of its own: checked,
 * migrated, and rid of all that was withdrawn since it was made. Readers see the old state or the prepared one.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { databaseFile, listBackups, proofFile, readManifest } from '#src/backups/backup-files.ts';
import { decompressFile } from '#src/backups/compressed-database.ts';
import { readLogHead, renewHistory } from '#src/changes/log-head.ts';
import {
  readRemovedFile,
  RemovedFileError,
  removedPath,
  rewriteRemovedFile,
} from '#src/changes/removed-file.ts';
import { adoptRemovals, listRemovals, newestRemovals, readLineage } from '#src/changes/removals.ts';
import type { Removal } from '#src/changes/removals.ts';
import type { Config } from '#src/config.ts';
import { makePrivateFile, openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { readSchemaState, schemaProblem } from '#src/db/migrate.ts';
import { RESTORE_PREFIX } from '#src/db/remove-old-folders.ts';
import { parseAccountKey } from '#src/donations/account-key.ts';
import { keepAddressesUnique, listKeyIndexes } from '#src/donations/write-donation.ts';
import type { SkippedAddresses } from '#src/donations/write-donation.ts';
import { applyRemovals } from '#src/entries/apply-removals.ts';
import type { AppliedRemovals } from '#src/entries/apply-removals.ts';
import { makeMissingPictures } from '#src/proofs/keep-proof-files.ts';
import { originalPath, publicPath, sweepProofFiles } from '#src/proofs/proof-files.ts';
import { checkIntegrity, countEntries, DATABASE_NAME, PROOFS_FOLDER } from './backup.ts';
import type { BackupReport } from './backup.ts';
import { openOperatorDatabase } from './operator-database.ts';
import { BadInputError } from './outcome.ts';

export interface RestoreReport extends BackupReport {
  /** Of donations: they may have been given out since the backup, and are not given out again. */
  readonly skippedAddresses: readonly SkippedAddresses[];
  /** What the backup still had and nobody gets any more. */
  readonly withdrawn: AppliedRemovals;
  /** Files of proofs that the backup does not have. */
  readonly lostProofs: number;
}

export interface RestoreOptions {
  /** Replaces a database that holds entries. */
  readonly replace: boolean;
  /** So many addresses of donations are passed over where nobody knows what was given out since the backup. */
  readonly skipAddresses: number;
  /** Removals that this machine does not know of. */
  readonly removedFile: string | undefined;
  /** Goes on where nobody knows what was removed since the backup. */
  readonly withoutRemoved: boolean;
}

/** What the database that is replaced tells; of none there is nothing to tell. */
interface Replaced {
  readonly entries: number;
  readonly givenOut: ReturnType<typeof listKeyIndexes>;
  readonly removals: readonly Removal[];
  readonly lineage: ReturnType<typeof readLineage>;
  readonly knows: (history: string) => boolean;
}

interface Source {
  /** Puts the database of the backup into this new file. */
  readonly unpack: (file: string) => Promise<void>;
  readonly proofFileOf: (sha256: string) => string;
  /** Of the pictures that visitors get; a backup without them has them made again. */
  readonly pictureOf: ((sha256: string, format: string) => string) | undefined;
}

/** @throws {BadInputError} when there is no sound backup, or something must be said that was not */
export async function restoreDatabase(
  config: Config,
  path: string,
  { replace, skipAddresses, removedFile, withoutRemoved }: RestoreOptions,
): Promise<RestoreReport> {
  const source = findSource(path);
  const given = removedFile === undefined ? [] : readRemovals(removedFile);
  const replaced = existsSync(config.databasePath) ? await readReplaced(config) : undefined;
  if (replaced && replaced.entries > 0 && !replace) {
    throw new BadInputError(
      `${config.databasePath} holds ${replaced.entries} entries; repeat with --yes to replace them`,
    );
  }
  mkdirSync(config.dataFolder, { recursive: true });
  const folder = mkdtempSync(join(config.dataFolder, RESTORE_PREFIX));
  try {
    const file = join(folder, DATABASE_NAME);
    await source.unpack(file);
    checkBackup(file, path);
    const prepared = await openOperatorDatabase(file);
    try {
      const written = removedPath(config.databasePath);
      const removals = newestRemovals([
        ...listRemovals(prepared),
        ...given,
        ...(existsSync(written) ? readRemovals(written) : []),
        ...(replaced?.removals ?? []),
      ]);
      const { history } = readLogHead(prepared);
      const isKnown =
        removedFile !== undefined ||
        (replaced ? replaced.knows(history) : existsSync(written)) ||
        removals.some((removal) => removal.history === history);
      if (!isKnown && !withoutRemoved) throw new BadInputError(UNKNOWN_REMOVALS);
      const lineages = [readLineage(prepared), ...(replaced ? [replaced.lineage] : [])];
      const withdrawn = applyRemovals(prepared, removals, Date.now());
      renewHistory(prepared);
      adoptRemovals(prepared, removals, lineages);
      const skippedAddresses = keepAddressesUnique(prepared, {
        before: replaced?.givenOut ?? [],
        skip: skipAddresses,
        newKeyId: replaced ? undefined : findKeyId(config),
      });
      const entries = countEntries(prepared);
      const proofs = copyProofs(prepared, source, config.dataFolder);
      makePrivateFile(config.databasePath);
      await prepared.connection.backup(config.databasePath);
      // Until now nothing referred to them, and another command may have swept them away.
      copyProofs(prepared, source, config.dataFolder);
      await finish(config, removals);
      return { entries, ...proofs, skippedAddresses, withdrawn };
    } finally {
      prepared.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const UNKNOWN_REMOVALS =
  'nothing here knows what was removed since this backup was made, and it would come back. ' +
  'Give the removed.ndjson of the machine that it comes from (it lies beside the database there, and a copy beside ' +
  'the daily backups): --removed FILE; or say --without-removed';

/** In the live file: what was removed while the backup was prepared, the list of removals, the files of proofs. */
async function finish(config: Config, removals: readonly Removal[]): Promise<void> {
  const restored = await openOperatorDatabase(config.databasePath);
  try {
    const written = removedPath(config.databasePath);
    const late = existsSync(written) ? readRemovals(written) : [];
    applyRemovals(restored, late, Date.now());
    rewriteRemovedFile(restored, [...removals, ...late]);
    // Files of the replaced entries, and pictures that an older backup has not.
    sweepProofFiles(restored, config.dataFolder);
    await makeMissingPictures(restored, config.dataFolder);
  } finally {
    restored.close();
  }
}

/** @throws {BadInputError} */
function findSource(path: string): Source {
  if (existsSync(join(path, DATABASE_NAME)))
    return {
      unpack: async (file) => {
        copyPrivately(join(path, DATABASE_NAME), file);
        // A folder that somebody copied may hold changes that are not in the database file yet.
        const wal = join(path, `${DATABASE_NAME}-wal`);
        if (existsSync(wal)) copyPrivately(wal, `${file}-wal`);
      },
      proofFileOf: (sha256) => join(path, PROOFS_FOLDER, 'originals', sha256),
      pictureOf: (sha256, format) => join(path, PROOFS_FOLDER, 'public', `${sha256}.${format}`),
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
        : `${path} holds no backup`,
    );
  }
  return {
    unpack: async (file) => {
      makePrivateFile(file);
      const sha256 = await decompressFile(path, file).catch((error: unknown) => {
        throw new BadInputError(`${path} is damaged: ${(error as Error).message}`, { cause: error });
      });
      if (sha256 !== manifest.sha256) throw new BadInputError(`${path} is damaged: its checksum is wrong`);
    },
    proofFileOf: (sha256) => proofFile(folder, sha256),
    pictureOf: undefined,
  };
}

async function readReplaced({ databasePath }: Config): Promise<Replaced> {
  const db = await openOperatorDatabase(databasePath);
  try {
    const lineage = readLineage(db);
    return {
      entries: countEntries(db),
      givenOut: listKeyIndexes(db),
      removals: listRemovals(db),
      lineage,
      knows: (history) => history in lineage,
    };
  } finally {
    db.close();
  }
}

/** @throws {BadInputError} */
function readRemovals(path: string): Removal[] {
  if (!existsSync(path)) throw new BadInputError(`there is no file ${path}`);
  try {
    return readRemovedFile(path);
  } catch (error) {
    if (error instanceof RemovedFileError) throw new BadInputError(error.message, { cause: error });
    throw error;
  }
}

/** @throws {BadInputError} when it is no sound database of this version or an older one */
function checkBackup(file: string, path: string): void {
  let db: Database;
  try {
    db = openDatabase(file, 'read');
  } catch (error) {
    throw new BadInputError(`${path} holds no sound database: ${(error as Error).message}`, {
      cause: error,
    });
  }
  try {
    const state = readSchemaState(db);
    if (state === 'newer') throw new BadInputError(schemaProblem(path, state));
    checkIntegrity(db, path);
  } finally {
    db.close();
  }
}

/** What entries still refer to: originals, and pictures of what is public. */
function copyProofs(
  db: Database,
  { proofFileOf, pictureOf }: Source,
  dataFolder: string,
): { readonly files: number; readonly lostProofs: number } {
  const used = db
    .statement<{ sha256: string }>(
      'SELECT DISTINCT file_sha256 AS sha256 FROM proof_items WHERE file_sha256 IS NOT NULL',
    )
    .all();
  let [files, lostProofs] = [0, 0];
  for (const { sha256 } of used) {
    const to = originalPath(dataFolder, sha256);
    if (copyMissing(proofFileOf(sha256), to)) files += 1;
    else if (!existsSync(to)) lostProofs += 1;
  }
  if (!pictureOf) return { files, lostProofs };
  for (const { sha256, format } of db.statement<{ sha256: string; format: string }>(PUBLIC_PICTURES).all())
    if (copyMissing(pictureOf(sha256, format), publicPath(dataFolder, sha256, format))) files += 1;
  return { files, lostProofs };
}

const PUBLIC_PICTURES = `SELECT DISTINCT sha256, format FROM proof_images WHERE original_sha256 IN (
  SELECT file_sha256 FROM proof_items JOIN entries USING (content) WHERE proofs = 'public')`;

/** @returns false when there is nothing to copy */
function copyMissing(from: string, to: string): boolean {
  if (!existsSync(from)) return false;
  if (!existsSync(to)) copyPrivately(from, to);
  return true;
}

function copyPrivately(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  makePrivateFile(to);
  copyFileSync(from, to);
}

/** Of the account key in the settings; a wrong one is the matter of those who make donations. */
function findKeyId({ donations, litecoin }: Config): string | undefined {
  if (donations.accountKey === undefined) return undefined;
  const parsed = parseAccountKey(donations.accountKey, litecoin.network);
  return parsed.ok ? parsed.key.keyId : undefined;
}
