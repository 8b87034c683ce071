import { statfsSync, statSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '#src/config.ts';
import { DiskFullError } from '#src/db/disk-room.ts';
import { createIndexUpdater } from '#src/lists/update-list-indexes.ts';
import { VACUUM_JOB } from '#src/worker/vacuum-job.ts';
import { removeEntry } from '../../support/change-log.ts';
import { checkDatabase } from '#src/operator/doctor/database-check.ts';
import { cleanEnvironment } from '../../support/clean-environment.ts';
import { makeJobContext } from '../../support/job-context.ts';
import { makeLists } from '../../support/make-entries.ts';

it('runs once after a removal, and waits for room, which the doctor tells', async () => {
  const db = await makeLists({ scammers: [{ id: 'removed' }] });
  const vacuum = () => VACUUM_JOB.run(makeJobContext(db));
  const config = readConfig({}, cleanEnvironment({ DATABASE_PATH: db.path }));
  const tellsOfRoom = async (): Promise<boolean> =>
    (await checkDatabase(config)).some(({ says }) => says.includes('VACUUM is left out for lack of room'));
  const { size: first } = statSync(db.path);
  const { bavail, bsize } = statfsSync(dirname(db.path));
  /** A sparse file takes no room. */
  const lackRoom = (): void => truncateSync(db.path, bavail * bsize);
  lackRoom();
  await vacuum();
  truncateSync(db.path, first);
  removeEntry(db, 'scammers', 'removed', 'request', Date.now());
  await createIndexUpdater(db).catchUp();
  db.connection.pragma('wal_checkpoint(TRUNCATE)');
  const { size } = statSync(db.path);
  lackRoom();
  await expect(vacuum()).rejects.toThrow(DiskFullError);
  expect(await tellsOfRoom()).toBe(true);
  truncateSync(db.path, size);
  expect(await tellsOfRoom()).toBe(false);
  await vacuum();
  lackRoom();
  await vacuum();
  expect(await tellsOfRoom()).toBe(false);
});
