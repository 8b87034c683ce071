/**
 * Replaces the database by a backup while the server runs. A backup is data from outside: a file of its own is checked,
 * migrated, rendered again, and loses everything that was withdrawn since. Readers see the old state or the prepared one.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Selectable } from 'kysely';
import { emptyNotRestored, findFileProblem, findRowProblem } from '../backups/check-database.ts';
import { readLogHead, renewLogId } from '../changes/change-log.ts';
import { removedKeyPath } from '../removals/removed-key.ts';
import {
  readRemovedFile,
  RemovedFileError,
  removedPath,
  updateRemovedFile,
} from '../removals/removed-file.ts';
import {
  replaceRemovalEvents,
  adoptTombstones,
  appendRemovalEvents,
  listLogs,
  listRemovalEvents,
  listTombstoneRows,
  newestRemovalEvents,
  unknownRemovalEvents,
  type RemovalEvent,
} from '../removals/removals.ts';
import type { Config } from '../config.ts';
import { sqlBuilder, param, makePrivateFile, openDatabase, type Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import { RETENTION_PROPERTY } from '../db/retention-time.ts';
import { RESTORE_PREFIX, useOwnFolder } from '../db/own-folder.ts';
import { writeFileAtomic } from '../db/write-file-atomic.ts';
import { parseAccountKey } from '../donations/account-key.ts';
import { readAddressFile } from '../donations/address-file.ts';
import { keepAddressesUnique, listKeyIndexes } from '../donations/write-donation.ts';
import { applyRemovals, type AppliedRemovals } from '../removals/apply-removals.ts';
import { makeMissingPictures } from '../proofs/store-proofs.ts';
import {
  checkProofsBelong,
  listMissingOriginals,
  listOriginals,
  originalPath,
  sweepAfterWork,
  writeProofFile,
} from '../proofs/proof-files.ts';
import { createIndexUpdater } from '../lists/update-list-indexes.ts';
import { renderAsWritten } from '../text/render-markdown.ts';
import { countEntries } from '../entries/entry-statistics.ts';
import { BadInputError, OperatorError } from '../operator-error.ts';
import { openOperatorDatabase } from './console/operator-database.ts';
import type { CliStreams } from './console/cli.ts';
import { DATABASE_NAME, findSource, type BackupSource } from './backup-source.ts';
import { renderEntries, replaceShown } from './rebuild-database.ts';

export type RestoreReport = Awaited<ReturnType<typeof restoreDatabase>>;

export type RevertedEntry = ReturnType<typeof listReverted>[number];

export interface RestoreOptions {
  /** Nothing has changed when it throws. @param replaced entries in the database that is replaced */
  readonly approve: (
    replaced: number,
    withdrawn: AppliedRemovals,
    reverted: readonly RevertedEntry[],
  ) => void | Promise<void>;
  /** Donation addresses to skip when it is unknown which were used since the backup. */
  readonly skipAddresses: number;
  /** A file of removals that this machine does not know of. */
  readonly removed?: string;
  /** Restores although the removals since the backup are unknown. */
  readonly withoutRemoved?: boolean;
  /** Gets a progress bar. */
  readonly stderr?: CliStreams['stderr'];
}

/** More incidents and imports than there are between two daily backups. */
const UNKNOWN_NUMBERS = 1_000;

const PICTURE = ['original_sha256', 'width', 'height', 'format', 'sha256'] as const;

/** As many as better-sqlite3 copies by default before it lets others run. */
const PAGES_COPIED = 100;
const RETRY_MS = 100;
const LOCK_WAIT_MS = 60_000;

/** @throws {BadInputError} when there is no sound backup, or something must be said that was not */
export async function restoreDatabase(
  config: Config,
  path: string,
  { approve, skipAddresses, removed, withoutRemoved = false, stderr }: RestoreOptions,
) {
  const source = findSource(path);
  const given = removed === undefined ? [] : readRemovals(removed);
  const replaced = existsSync(config.databasePath) ? await readReplacedDatabase(config) : undefined;
  mkdirSync(config.dataFolder, { recursive: true });
  const folder = mkdtempSync(join(config.dataFolder, RESTORE_PREFIX));
  using ends = new DisposableStack();
  ends.defer(useOwnFolder(folder));
  ends.defer(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, DATABASE_NAME);
  const [key, preparedKey] = [config.databasePath, file].map(removedKeyPath) as [string, string];
  // Entries that are removed from the backup now are known again by the key of this machine.
  if (existsSync(key)) copyFileSync(key, preparedKey);
  await source.unpack(file);
  const problem = findFileProblem(file, path);
  if (problem !== undefined) throw new BadInputError(problem);
  using prepared = await openOperatorDatabase(file, { makesCopy: false });
  emptyNotRestored(prepared);
  const wrong = findRowProblem(prepared);
  if (wrong !== undefined) throw new BadInputError(`${path} is refused: ${wrong}`);
  const written = removedPath(config.databasePath);
  const inBackup = listRemovalEvents(prepared);
  const here = [...(existsSync(written) ? readRemovals(written) : []), ...(replaced?.removals ?? [])];
  const removals = newestRemovalEvents([...inBackup, ...given, ...here]);
  const { logId } = readLogHead(prepared);
  const backupLogs = listLogs(prepared);
  // Where nothing was removed since a restore, the right file has events of earlier logs only.
  const known = new Set([...backupLogs, ...inBackup.map((removal) => removal.logId)]);
  /** Whether the backup is an earlier state of the replaced database. */
  const isEarlier = replaced?.logs.includes(logId) === true;
  const isKnown =
    (replaced ? isEarlier : existsSync(written)) ||
    here.some((removal) => removal.logId === logId) ||
    given.some((removal) => known.has(removal.logId));
  if (!isKnown && !withoutRemoved)
    throw new BadInputError(removed === undefined ? UNKNOWN_REMOVALS : `${removed} ${OTHER_REMOVALS}`);
  const logs = [...backupLogs, ...(replaced?.logs ?? [])];
  const withdrawn = prepared.write((tx) => applyRemovals(tx, removals, Date.now()));
  const reverted = replaced ? listReverted(prepared, config) : [];
  await approve(replaced?.entries ?? 0, withdrawn, reverted);
  prepared.write((tx) => {
    renewLogId(tx);
    replaceRemovalEvents(tx, removals, logs);
    adoptTombstones(tx, replaced?.tombstones ?? []);
  });
  checkProofsBelong(prepared, config.databasePath);
  // Refuses wrong files before any is copied.
  for (const sha256 of listMissingOriginals(prepared, config.databasePath)) await source.readOriginal(sha256);
  for await (const { rendered } of renderEntries(prepared, stderr, renderAsWritten))
    prepared.write((tx) => rendered.forEach(({ row, content }) => replaceShown(tx, row, content)));
  await createIndexUpdater(prepared).catchUp();
  replacePictures(prepared, replaced?.pictures ?? []);
  const entries = countEntries(prepared);
  const proofs = await copyProofs(prepared, source, config.databasePath);
  makePrivateFile(config.databasePath);
  if (!existsSync(key) && existsSync(preparedKey)) writeFileAtomic(key, readFileSync(preparedKey));
  const skippedAddresses = await replaceDatabase(prepared, config.databasePath, () => {
    using before = replaced && openDatabase(config.databasePath, 'read');
    raiseNumbers(prepared, before, isEarlier);
    if (before) {
      const retention = findProperty(before, RETENTION_PROPERTY);
      prepared.write((tx) => {
        setProperty(tx, RETENTION_PROPERTY, retention);
        adoptTombstones(tx, listTombstoneRows(before, replaced?.removals.at(-1)?.removal));
      });
    }
    return keepAddressesUnique(prepared, {
      before: [...(before ? listKeyIndexes(before) : []), ...readAddressFile(config.databasePath)],
      skip: skipAddresses,
      newKeyId: replaced ? undefined : findKeyId(config),
    });
  });
  // Until now nothing referred to them, so another command may have deleted them.
  await copyProofs(prepared, source, config.databasePath);
  await finish(config);
  return { entries, ...proofs, skippedAddresses, withdrawn, reverted, knowsCorrections: isEarlier };
}

const UNKNOWN_REMOVALS =
  'nothing here knows what was removed since this backup was made, and it would come back. ' +
  'Give the removed.ndjson of the machine that it comes from (it lies beside the database there, and a copy beside ' +
  'the daily backups): --removed FILE; or say --without-removed';

const OTHER_REMOVALS =
  'lists no removal of the database that this backup is of: is it the file of another machine? ' +
  'Give the right one, or say --without-removed, too';

/**
 * Numbers and addresses that were given out are carried over under the lock of the replaced database: SQLite calls back
 * when it holds it and before it copies a page, and readers still see what was written last.
 */
async function replaceDatabase<T>(prepared: Database, path: string, carryOver: () => T): Promise<T> {
  let carried: { readonly result: T } | undefined;
  const progress = (): number => {
    carried ??= { result: carryOver() };
    return PAGES_COPIED;
  };
  for (let waitedMs = 0; waitedMs < LOCK_WAIT_MS; waitedMs += RETRY_MS) {
    await prepared.connection.backup(path, { progress });
    if (carried) return carried.result;
    // Another process was writing: SQLite could not lock the database, and copied nothing.
    await setTimeout(RETRY_MS);
  }
  throw new OperatorError('busy', `${path} is locked by another process; nothing was restored; try again`);
}

/** Applies to the live file: removals during the preparation, the list of removals, the files of proofs. */
async function finish(config: Config): Promise<void> {
  using restored = await openOperatorDatabase(config.databasePath);
  const written = removedPath(config.databasePath);
  if (existsSync(written)) {
    const removals = readRemovals(written);
    restored.write((tx) => {
      const unknown = unknownRemovalEvents(tx, removals);
      applyRemovals(tx, unknown, Date.now());
      appendRemovalEvents(tx, unknown);
    });
  }
  updateRemovedFile(restored);
  // Pictures that an older backup has not, after the files of the replaced entries, which the next verb removes otherwise.
  sweepAfterWork(restored);
  await makeMissingPictures(restored);
}

/** Values that the replaced database hands on. */
async function readReplacedDatabase({ databasePath }: Config) {
  using db = await openOperatorDatabase(databasePath);
  return {
    entries: countEntries(db),
    removals: listRemovalEvents(db),
    tombstones: listTombstoneRows(db),
    /** Names of its change log and of that log's ancestors. */
    logs: listLogs(db),
    // A later version may have added columns.
    pictures: db.all(sqlBuilder.selectFrom('proof_images').select(PICTURE)),
  };
}

/** Entries that have another ID or account in the backup. */
function listReverted(prepared: Database, { databasePath }: Config) {
  using replaced = openDatabase(databasePath, 'read');
  return replaced.all(IDENTITIES).flatMap(({ id: idBefore, account: accountBefore, entry_id, ...entry }) => {
    const restored = prepared.first(IDENTITY, { entry_id });
    if (!restored || (restored.id === idBefore && restored.account === accountBefore)) return [];
    return [{ ...entry, idBefore, id: restored.id, accountBefore, account: restored.account }];
  });
}

const IDENTITIES = sqlBuilder
  .selectFrom('entries')
  .select(['entry_id', 'list', 'report_id as reportId', 'chat_id as id', 'account']);
const IDENTITY = IDENTITIES.where('entry_id', '=', param('entry_id')).compile();

/** @throws {BadInputError} */
function readRemovals(path: string): RemovalEvent[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new BadInputError(`there is no file ${path}`);
  try {
    return readRemovedFile(path);
  } catch (error) {
    if (error instanceof RemovedFileError)
      throw new BadInputError(`${error.message}; mend the line by another copy of the file`, {
        cause: error,
      });
    throw error;
  }
}

/**
 * Feeds name incidents, operators name imports, mirrors and derived data name changes and rows, so no number of the
 * replaced database is given again. Where a lost database may have given numbers, 1,000 are passed over.
 * @param isEarlier whether the backup is an earlier state of the replaced database, which was written to meanwhile
 */
// By hand here: sqlite_sequence is SQLite's own table.
function raiseNumbers(db: Database, replaced: Database | undefined, isEarlier: boolean): void {
  const numbered = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'";
  const [own, given] = [readNumbers(db), replaced ? readNumbers(replaced) : new Map<string, number>()];
  db.write(() => {
    db.statement('DELETE FROM sqlite_sequence').run();
    for (const table of db.statement<string>(numbered).pluck().all()) {
      const last = Math.max(own.get(table) ?? 0, given.get(table) ?? 0);
      const passedOver = isEarlier ? 0 : UNKNOWN_NUMBERS;
      db.statement('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, last + passedOver);
    }
  });
}

/** The largest number that each table gave to a row. */
function readNumbers(db: Database): ReadonlyMap<string, number> {
  return new Map(db.statement<[string, number]>('SELECT name, seq FROM sqlite_sequence').raw().all());
}

/** Deletes the backup's records of pictures. This machine has those of the replaced database; `finish` makes the others. */
function replacePictures(db: Database, pictures: readonly Selectable<Tables['proof_images']>[]): void {
  db.write((tx) => {
    tx.run(sqlBuilder.deleteFrom('proof_images'));
    for (const picture of pictures) tx.run(sqlBuilder.insertInto('proof_images').values(picture));
  });
}

async function copyProofs(db: Database, source: BackupSource, databasePath: string) {
  let lostProofs = 0;
  for (const sha256 of listMissingOriginals(db, databasePath)) {
    const bytes = await source.readOriginal(sha256);
    if (bytes) writeProofFile(originalPath(databasePath, sha256), bytes);
    else lostProofs += 1;
  }
  return { files: listOriginals(db).length - lostProofs, lostProofs };
}

/** The account key's fingerprint; a malformed key is reported where donations are made. */
function findKeyId({ donations, litecoin }: Config): string | undefined {
  if (donations.accountKey === undefined) return undefined;
  const parsed = parseAccountKey(donations.accountKey, litecoin.network);
  return parsed.ok ? parsed.key.keyId : undefined;
}
