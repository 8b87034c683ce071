/** The database, the worker, the read model and the files beside them. The checks change nothing. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql, type ExpressionBuilder } from 'kysely';
import { readLogHead } from '../../changes/change-log.ts';
import { listLogs } from '../../removals/removals.ts';
import { findOwnerProblem } from '../../backups/check-backup-folder.ts';
import type { Config } from '../../config.ts';
import { sqlBuilder, openDatabase, type Database } from '../../db/database.ts';
import { listFailingFollowers } from '../../db/readiness.ts';
import { missingProblem, readSchemaState, schemaProblem } from '../../db/migrate.ts';
import type { Tables } from '../../db/tables.ts';
import { checkFile, checkTables } from '../../db/check-file.ts';
import { unreadDonations } from '../../donations/evaluate-donations.ts';
import { listOverdueAppeals } from '../../entries/appeals.ts';
import { freeBytes, FULL_BYTES, isDiskFull, readRoom } from '../../db/disk-room.ts';
import { isWorkerActing } from '../../db/process-lock.ts';
import { findEdge, isNear } from '../../db/retention-time.ts';
import { msSinceWrite, WRITE_COUNTS_MS } from '../../status/check-database.ts';
import { isVacuumDue, vacuumRoom } from '../../worker/vacuum-job.ts';
import { listPictureless } from '../../proofs/store-proofs.ts';
import { checkProofsBelong, listOriginals, originalPath } from '../../proofs/proof-files.ts';
import { joinSome } from '../../text/shorten.ts';
import { findIndexState } from '../../lists/list-indexes.ts';
import { findSearchState, openSearchFile, searchPath } from '../../search/search-file.ts';
import { findPathProblem } from '../console/operator-database.ts';
import { counted } from '../console/outcome.ts';
import { checkImages, reportImages } from './backup-check.ts';
import { fine, lookAll, messageOf, notice, wrong, type Found } from './finding.ts';
import { checkRemovals, checkRemovedKey } from './removals-check.ts';
import { DAY_MS } from '../../text/calendar.ts';

/** A worker follows a change within a second. */
const PATIENCE_MS = 3_000;
const REBUILD =
  'a search that meets the damage has the worker make it again; to have it now, delete it; searches answer 503 until then';
const START = 'start the service, or look into its log for why the worker ends';
const MAKE_ROOM = 'the disk is full: make room on it, and ask doctor again';

/** Tolerated milliseconds of what lies in the future. */
const CLOCK_OFF_MAX_MS = 60_000;
const HIJACKED_DAYS = 30;
/** The service writes them by its clock. */
const WRITTEN_AT = {
  change: ['changes', 'at'],
  removal: ['tombstones', 'removed_at'],
  import: ['imports', 'at'],
  incident: ['incidents', 'opened_at'],
  donation: ['donations', 'created_at'],
} as const;

export async function checkDatabase(
  { databasePath, dataFolder, operator, backups }: Config,
  now = Date.now(),
): Promise<Found[]> {
  const isFull = existsSync(dataFolder) && freeBytes(dataFolder) < FULL_BYTES;
  if (!existsSync(databasePath))
    return [wrong(missingProblem(databasePath), 'is DATABASE_PATH right, and its disk mounted?')];
  const folderProblem = findPathProblem(databasePath);
  if (folderProblem !== undefined) return [wrong(folderProblem, 'mend DATABASE_PATH')];
  /** Reports an error of the file itself; others are thrown again. */
  const explain = (does: string, error: unknown): Found[] => {
    const says = `${databasePath} cannot be ${does}: ${messageOf(error)}`;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (isFull || isDiskFull(error)) return [wrong(says, MAKE_ROOM)];
    if (/^SQLITE_(?:CORRUPT|NOTADB|IOERR)/.test(code)) return [wrong(says, restoreAdvice(databasePath))];
    if (code === 'SQLITE_CANTOPEN') return [wrong(says, 'look at the rights of the file and its folder')];
    throw error;
  };
  const checkWhole = (db: Database): Found[] => {
    try {
      const damage = checkFile(db).join('; ');
      if (damage === '') return [fine('is whole')];
      const todo = isFull ? MAKE_ROOM : restoreAdvice(databasePath);
      return [wrong(`${databasePath} is damaged: ${damage}`, todo)];
    } catch (error) {
      return explain('read', error);
    }
  };
  let does = 'opened';
  try {
    using db = openDatabase(databasePath, 'read');
    does = 'read';
    const state = readSchemaState(db);
    if (state !== 'current') {
      const says = schemaProblem(databasePath, state, db);
      return [wrong(says, 'use the version that fits the database')];
    }
    return await lookAll([
      ['database', () => checkWhole(db)],
      ['database', () => checkVacuum(db)],
      ['clock', () => checkTimes(db, now)],
      ['entries', () => checkReportedAt(db, now)],
      ['entries', () => checkUnconfirmed(db, operator.riskReviewDays, now)],
      ['entries', () => checkHijacked(db, now)],
      ['appeals', () => checkAppeals(db, operator.appealsAnswerDays, now)],
      ['database', () => checkRemovals(db)],
      ['donations', () => checkDonations(db)],
      ['proofs', () => checkProofs(db, now)],
      ['backup', () => checkBackupOwner(db, backups?.folder)],
      ['removals', () => checkRemovedKey(db)],
      ['worker', () => checkWorker(db)],
      ['sorted lists', () => checkLists(db)],
      ['search', () => checkSearch(db)],
    ]);
  } catch (error) {
    return explain(does, error);
  }
}

function restoreAdvice(databasePath: string): string {
  const folder = join(dirname(databasePath), 'damaged');
  return (
    'keep what is damaged, with its -wal, because it holds what was written since the newest backup: stop the service ' +
    `(systemctl stop czujka.socket czujka), mkdir ${folder} && mv ${databasePath}* ${folder}/, restore the newest ` +
    'backup, start the service; and look at the disk (dmesg, smartctl)'
  );
}

function checkVacuum(db: Database): Found[] {
  if (!isVacuumDue(db)) return [];
  const { free, reusable } = readRoom(db);
  const [needed, found] = [vacuumRoom(db), free + reusable];
  if (found >= needed) return [];
  const says = `the nightly VACUUM is left out for lack of room (${needed} bytes, ${found} are free): traces of removed entries may stay in the file`;
  return [wrong(says, 'make room on the disk; the next night makes up for it')];
}

function checkTimes(db: Database, now: number): Found[] {
  const edge = findEdge(db)?.edge;
  const isBelieved = edge !== undefined && isNear(edge, now);
  const ahead = Object.entries(WRITTEN_AT).flatMap(([what, [table, column]]) => {
    const newest = db.statement<number | null>(`SELECT max(${column}) FROM ${table}`).pluck().get() ?? 0;
    return newest > now + CLOCK_OFF_MAX_MS ? [`the newest ${what} is of ${iso(newest)}`] : [];
  });
  const apart = edge === undefined || isBelieved ? [] : [`the time by which old data goes is ${iso(edge)}`];
  const found = [...ahead, ...apart];
  if (found.length === 0) return [];
  const says = `says ${iso(now)}, and ${found.join(', ')}`;
  const todo =
    'set the clock; where it is right, it was wrong then, or the machine was off: that time follows by itself';
  return [ahead.length > 0 && !isBelieved ? wrong(says, todo) : notice(says, todo)];
}

function checkReportedAt(db: Database, now: number): Found[] {
  const ahead = sqlBuilder
    .selectFrom('entries')
    .select(['report_id', 'list', sql<number>`count(*) OVER ()`.as('count')]);
  const entry = db.first(ahead.where('reported_at', '>', now + DAY_MS).limit(1));
  if (!entry) return [];
  const todo = `czujka entry edit ${entry.report_id} --list ${entry.list} --reported-at TIME`;
  return [wrong(`${counted(entry.count, 'entry', 'entries')} reported in the future`, todo)];
}

function checkUnconfirmed(db: Database, days: number, now: number): Found[] {
  const old = sqlBuilder
    .selectFrom('entries')
    .select(['list', ({ fn }) => fn.countAll<number>().as('count')])
    .where('list', '!=', 'legit')
    .where('verified', '=', 0)
    .where('reported_at', '<', now - days * DAY_MS)
    .groupBy('list');
  return db.all(old).map(({ list, count }) => {
    const says = `${counted(count, 'report')} in ${list} unconfirmed for more than ${days} days`;
    return notice(says, `look at: czujka entry list --list ${list} --risk --older-than ${days}`);
  });
}

/** Without a date, the last change of the entry counts. */
function checkHijacked(db: Database, now: number): Found[] {
  const since = ({ fn }: ExpressionBuilder<Tables, 'entries'>) => fn.coalesce('account_since', 'updated_at');
  const old = sqlBuilder
    .selectFrom('entries')
    .select(['list', 'report_id'])
    .where('account', '=', 'hijacked')
    .where(since, '<', now - HIJACKED_DAYS * DAY_MS)
    .orderBy(since);
  return [...Map.groupBy(db.all(old), ({ list }) => list)].map(([list, entries]) => {
    const names = joinSome(entries.map((entry) => entry.report_id));
    const says = `${counted(entries.length, 'account')} in ${list} hijacked for more than ${HIJACKED_DAYS} days: ${names}`;
    const todo = `ask the owners; where one is back: czujka entry remove ID --list ${list} --reason recovered, or for a trusted one: entry edit ID --list ${list} --own`;
    return notice(says, todo);
  });
}

function checkAppeals(db: Database, days: number | undefined, now: number): Found[] {
  const [oldest, ...others] = days === undefined ? [] : listOverdueAppeals(db, days, now);
  if (!oldest) return [];
  const says = `${counted(others.length + 1, 'appeal')} open for more than ${days} days, first that against ${oldest.reportId}`;
  const todo = 'look at: czujka appeal list; uphold the entry, or remove it with --reason appeal';
  return [wrong(says, todo)];
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

function checkDonations(db: Database): Found[] {
  const unread = db.all(unreadDonations.select('id'));
  if (unread.length === 0) return [];
  const names = joinSome(unread.map(({ id }) => id));
  const says = `${counted(unread.length, 'donation')} may have been paid in blocks that the node has pruned: ${names}`;
  const todo =
    'have the worker read them from another source: LITECOIN_RPC_URL of an unpruned node, or LITECOIN_ESPLORA_URL ' +
    'without LITECOIN_RPC_URL for a day; where the wallet shows no payment: czujka donation cancel ID';
  return [wrong(says, todo)];
}

async function checkProofs(db: Database, now: number): Promise<Found[]> {
  try {
    checkProofsBelong(db);
  } catch (error) {
    return [wrong(messageOf(error), 'images are neither added nor deleted until then')];
  }
  const pathOf = (sha256: string): string => originalPath(db.path, sha256);
  const pictureless = listPictureless(db).map(pathOf);
  const mend =
    'with BACKUP_FOLDER the next backup mends them from there; otherwise look for copies, and keep what is left';
  const lacks = 'of public proofs without all pictures, so that visitors see less';
  return [
    ...(await checkImages(listOriginals(db).map(pathOf), now, 'cannot be found', mend)),
    ...reportImages(pictureless, lacks, 'run "czujka rebuild", which makes them again'),
  ];
}

function checkBackupOwner(db: Database, folder: string | undefined): Found[] {
  const problem = folder === undefined ? undefined : findOwnerProblem(folder, listLogs(db));
  const todo =
    'no backups are made until then. Where another service uses the folder, name another one; where that database is lost, ' +
    'restore the backup, or move what is there into a folder of its own';
  return problem === undefined ? [] : [wrong(problem, todo)];
}

async function checkWorker(db: Database): Promise<Found[]> {
  if (!isWorkerActing(db.path))
    return [wrong('no worker acts: changes, measurements, donations and backups wait', START)];
  // The worker may be about to write for the first time.
  if (msSinceWrite(db) > WRITE_COUNTS_MS) await setTimeout(PATIENCE_MS);
  if (msSinceWrite(db) > WRITE_COUNTS_MS) {
    const says = `acts, and wrote nothing to ${db.path} for more than ${WRITE_COUNTS_MS / 1_000} s: removals may fail, too`;
    const todo =
      'look into its log for "job failed", and at the disk: is it full, or was it made read-only after an error (dmesg, findmnt)?';
    return [wrong(says, todo)];
  }
  const failing = listFailingFollowers(db);
  if (failing.length === 0) return [fine('acts')];
  const says = `${failing.join(', ')} failed three times in a row: what they make of the lists is old`;
  return [wrong(says, 'look into its log for "job failed"; is there room on the disk, and memory?')];
}

async function checkLists(db: Database): Promise<Found[]> {
  // The worker may be about to follow.
  let behind = countBehind(db);
  if (behind !== 0) {
    await setTimeout(PATIENCE_MS);
    behind = countBehind(db);
  }
  if (behind !== undefined && behind <= 0) return [fine('are as new as the database')];
  const says =
    behind === undefined
      ? 'are not stored: each start of the service sorts them'
      : `are ${behind} changes behind: they lack what was added since`;
  return [wrong(says, START)];
}

/** @returns undefined when there are none that fit the database */
function countBehind(db: Database): number | undefined {
  const [head, state] = [readLogHead(db), findIndexState(db)];
  return state?.logId === head.logId ? head.seq - state.seq : undefined;
}

function checkSearch(db: Database): Found[] {
  const path = searchPath(db.path);
  if (!existsSync(path)) return [wrong(`${path} is not there: searches answer 503`, START)];
  try {
    using file = openSearchFile(path, 'read');
    const damage = checkTables(file).join('; ');
    if (damage) return [wrong(`${path} is damaged: ${damage}`, REBUILD)];
    const isWhole = findSearchState(file)?.logId === readLogHead(db).logId;
    return [isWhole ? fine('is whole') : notice('is being made')];
  } catch (error) {
    return [wrong(`${path} is damaged, or may not be read: ${messageOf(error)}`, REBUILD)];
  }
}
