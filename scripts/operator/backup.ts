/** A copy of the database and the proof files, and the way back. Both work while the server runs. */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renewHistory } from '#src/changes/log-head.ts';
import type { Config } from '#src/config.ts';
import { makePrivateFile, openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { readSchemaState, schemaProblem } from '#src/db/migrate.ts';
import { parseAccountKey } from '#src/donations/account-key.ts';
import { keepAddressesUnique, listKeyIndexes } from '#src/donations/write-donation.ts';
import type { SkippedAddresses } from '#src/donations/write-donation.ts';
import { makeMissingPictures } from '#src/proofs/keep-proof-files.ts';
import { sweepProofFiles } from '#src/proofs/proof-files.ts';
import { openOperatorDatabase } from './operator-database.ts';
import { BadInputError } from './outcome.ts';

const DATABASE_NAME = 'czujka.db';
const PROOFS_FOLDER = 'proofs';

export interface BackupReport {
  readonly entries: number;
  readonly files: number;
}

export interface RestoreReport extends BackupReport {
  /** Of donations: they may have been given out since the backup, and are not given out again. */
  readonly skippedAddresses: readonly SkippedAddresses[];
}

export interface RestoreOptions {
  /** Replaces a database that holds entries. */
  readonly replace: boolean;
  /** So many addresses of donations are passed over where nobody knows what was given out since the backup. */
  readonly skipAddresses: number;
}

/**
 * One moment of the database (VACUUM INTO reads in one transaction), checked before the folder gets its name.
 * @param folder must not exist
 */
export async function backupDatabase(
  db: Database,
  dataFolder: string,
  folder: string,
): Promise<BackupReport> {
  if (existsSync(folder)) throw new BadInputError(`${folder} exists; name a new folder`);
  const temporary = `${resolve(folder)}.part`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  try {
    makePrivateFile(join(temporary, DATABASE_NAME));
    db.connection.prepare('VACUUM INTO ?').run(join(temporary, DATABASE_NAME));
    const copy = openDatabase(join(temporary, DATABASE_NAME), 'read');
    const entries = checkIntegrity(copy);
    copy.close();
    const files = copyFiles(join(dataFolder, PROOFS_FOLDER), join(temporary, PROOFS_FOLDER));
    renameSync(temporary, folder);
    return { entries, files };
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/**
 * SQLite's own page-by-page copy into the live file: readers see the old state or the new one.
 * @throws {BadInputError} when the folder holds no sound backup, or entries would be replaced without `replace`
 */
export async function restoreDatabase(
  config: Config,
  folder: string,
  { replace, skipAddresses }: RestoreOptions,
): Promise<RestoreReport> {
  const source = join(folder, DATABASE_NAME);
  if (!existsSync(source)) throw new BadInputError(`${folder} holds no ${DATABASE_NAME}: it is no backup`);
  const hadDatabase = existsSync(config.databasePath);
  const db = await openOperatorDatabase(config.databasePath);
  const present = countEntries(db);
  const givenOut = listKeyIndexes(db);
  db.close();
  if (present > 0 && !replace) {
    throw new BadInputError(
      `${config.databasePath} holds ${present} entries; repeat with --yes to replace them`,
    );
  }
  const backup = openBackup(source);
  try {
    const state = readSchemaState(backup);
    if (state === 'newer') throw new BadInputError(schemaProblem(source, state));
    const entries = checkIntegrity(backup);
    const files = copyFiles(join(folder, PROOFS_FOLDER), join(config.dataFolder, PROOFS_FOLDER));
    await backup.connection.backup(config.databasePath);
    const restored = await openOperatorDatabase(config.databasePath);
    try {
      renewHistory(restored);
      const skippedAddresses = keepAddressesUnique(restored, {
        before: givenOut,
        skip: skipAddresses,
        newKeyId: hadDatabase ? undefined : findKeyId(config),
      });
      // Files of the replaced entries, and pictures that an older backup has not.
      sweepProofFiles(restored, config.dataFolder);
      await makeMissingPictures(restored, config.dataFolder);
      return { entries, files, skippedAddresses };
    } finally {
      restored.close();
    }
  } finally {
    backup.close();
  }
}

/** Of the account key in the settings; a wrong one is the matter of those who make donations. */
function findKeyId({ donations, litecoin }: Config): string | undefined {
  if (donations.accountKey === undefined) return undefined;
  const parsed = parseAccountKey(donations.accountKey, litecoin.network);
  return parsed.ok ? parsed.key.keyId : undefined;
}

/** @throws {BadInputError} when the file is no database */
function openBackup(path: string): Database {
  try {
    return openDatabase(path, 'read');
  } catch (error) {
    throw new BadInputError(`${path} is no sound database: ${(error as Error).message}`, { cause: error });
  }
}

/** @returns the number of entries */
function checkIntegrity(db: Database): number {
  const outcome = db.connection.pragma('integrity_check', { simple: true });
  if (outcome !== 'ok') throw new BadInputError(`${db.path} is damaged: ${String(outcome)}`);
  return countEntries(db);
}

function countEntries(db: Database): number {
  return db.statement<{ count: number }>('SELECT count(*) AS count FROM entries').get()?.count ?? 0;
}

function copyFiles(from: string, to: string): number {
  if (!existsSync(from)) return 0;
  cpSync(from, to, { recursive: true });
  return readdirSync(to, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length;
}
