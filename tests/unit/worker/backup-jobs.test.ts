/** The worker's part in backups: when one is due, what it says of the newest, and the removals beside them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readLogHead } from '#src/changes/change-log.ts';
import { databaseFile, listBackups } from '#src/backups/backup-files.ts';
import { findNewestBackup, recordNewestBackup } from '#src/backups/newest-backup.ts';
import { readRemovedFile, REMOVED_FILE, removedPath } from '#src/removals/removed-file.ts';
import { listRemovalEvents, replaceRemovalEvents } from '#src/removals/removals.ts';
import { parseConfig } from '#src/config.ts';
import type { Database } from '#src/db/database.ts';
import { createBackupJob, createRemovedFileJob, lastDueTime } from '#src/worker/backup-jobs.ts';
import type { JobContext } from '#src/worker/job-runner.ts';
import { recordRemoval } from '../../support/change-log.ts';
import { makeJobContext } from '../../support/job-context.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';

const MINUTE_MS = 60_000;
const MIDNIGHT = Date.parse('2026-11-22T00:00:00Z');

it.each([
  ['now', MIDNIGHT + 90 * MINUTE_MS, 90, MIDNIGHT + 90 * MINUTE_MS],
  ['a millisecond later', MIDNIGHT + 90 * MINUTE_MS - 1, 90, MIDNIGHT + (90 - 24 * 60) * MINUTE_MS],
  ['at midnight', MIDNIGHT, 0, MIDNIGHT],
])('a backup that is due %s was due last', (_when, now, minuteOfDay, expected) => {
  expect(lastDueTime(now, minuteOfDay)).toBe(expected);
});

let db: Database;
let context: JobContext;
let folder: string;
const configOf = () => parseConfig({ DATABASE_PATH: db.path, BACKUP_FOLDER: folder });
const run = async (config = configOf()) => createBackupJob(config).run(context);
const follow = async (): Promise<void> => void (await createRemovedFileJob(configOf()).run(context));
const remove = (entry_id: string): void =>
  recordRemoval(db, { at: MIDNIGHT, list: 'scammers', entry_id, what: 'proofs', reason_code: null });

afterEach(() => void vi.useRealTimers());

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  db = await makeDatabase();
  folder = join(dirname(db.path), 'backups');
  context = makeJobContext(db);
});

it('a backup is made when it is due, the newest is known, and none is made twice', async () => {
  expect(await run()).toMatchObject({ lostProofs: 0 });
  const [made] = listBackups(folder);
  expect(findNewestBackup(db)).toBe(made?.madeAt);
  expect(await run()).toEqual({ removed: 0 });
  expect(listBackups(folder)).toHaveLength(1);
});

it('take no damaged one for a backup, though it has its size, and make another', async () => {
  await run();
  const [made] = listBackups(folder);
  const file = databaseFile(folder, made?.name ?? '');
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill((bytes.at(-20) ?? 0) ^ 1, bytes.length - 20, bytes.length - 19));
  // Within the same second it has the same name.
  vi.setSystemTime(Date.now() + MINUTE_MS);
  expect(await run()).toMatchObject({ lostProofs: 0 });
  expect(findNewestBackup(db)).toBeGreaterThan(made?.madeAt ?? Infinity);
});

it('call one that a restore would refuse no newest backup, and do not make it each hour', async () => {
  db.connection.exec("INSERT INTO incidents VALUES (7, 'evil', 5, 6, NULL, 6)");
  expect(await run()).toMatchObject({ problem: expect.any(String) as string });
  expect(findNewestBackup(db)).toBe('never');
  expect(await run()).toEqual({ removed: 0 });
});

it('forget the newest one where none are to be made', async () => {
  db.write((tx) => recordNewestBackup(tx, 'never'));
  await run(parseConfig({ DATABASE_PATH: db.path }));
  expect(findNewestBackup(db)).toBeUndefined();
});

it('keep the removals beside the database and beside the backups', async () => {
  const follower = createRemovedFileJob(configOf());
  const copy = join(folder, REMOVED_FILE);
  await follower.run(context);
  expect(existsSync(copy)).toBe(false);
  for (const entry_id of ['a', 'b', 'c']) {
    remove(entry_id);
    await follower.run(context);
    expect(existsSync(copy)).toBe(entry_id !== 'a');
    mkdirSync(folder, { recursive: true });
  }
  expect(readFileSync(copy)).toEqual(readFileSync(removedPath(db.path)));
});

it('lose no removal of a lost database when a new one takes its place', async () => {
  mkdirSync(folder, { recursive: true });
  const copy = join(folder, REMOVED_FILE);
  for (const entry_id of ['lost', 'new', 'later']) {
    if (entry_id === 'new') context = makeJobContext((db = await makeDatabase()));
    remove(entry_id);
    await follow();
  }
  expect(readRemovedFile(copy).map(({ entry_id }) => entry_id)).toEqual(['lost', 'new', 'later']);
  // The next removal is appended to both.
  expect(readFileSync(copy)).toEqual(readFileSync(removedPath(db.path)));
});

it('leave the folder of another database alone, until its backup is restored', async () => {
  await run();
  const before = readdirSync(folder);
  const { logId } = readLogHead(db);
  context = makeJobContext((db = await makeDatabase()));
  remove('a');
  vi.setSystemTime(Date.now() + 2 * 24 * 60 * MINUTE_MS);
  await expect(run()).rejects.toThrow(`${before[0]?.slice(0, -7)} is a backup of another database`);
  await follow();
  expect([findNewestBackup(db), ...readdirSync(folder)]).toEqual(['never', ...before]);
  db.write((tx) => replaceRemovalEvents(tx, listRemovalEvents(tx), [logId]));
  expect(await run()).toMatchObject({ lostProofs: 0 });
  await follow();
  expect(existsSync(join(folder, REMOVED_FILE))).toBe(true);
});

it('write nothing through a link', async () => {
  const target = makeFolder();
  symlinkSync(target, folder);
  remove('a');
  await follow();
  await expect(run()).rejects.toThrow('is a symbolic link');
  expect(readdirSync(target)).toEqual([]);
});
