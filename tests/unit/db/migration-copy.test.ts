import {
  existsSync,
  mkdirSync,
  readdirSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { appliedMigrations, migrateDatabase } from '#src/db/migrate.ts';
import { openOperatorDatabase } from '#src/operator/console/operator-database.ts';
import {
  KEEPS_EARLIER_OUT,
  makeDatabase,
  makeEarlierDatabase,
  makeFolder,
  makeLaterMigrations,
  makeNewer,
} from '../../support/temporary-database.ts';

const BEFORE = '0309_no_status_samples';

it('is made for the service alone when earlier versions can no longer read the database, and not otherwise', async () => {
  const path = makeEarlierDatabase();
  (await openOperatorDatabase(path)).close();
  const folder = join(dirname(path), 'before-0006');
  expect(readdirSync(folder)).toEqual(['.made-by-czujka', 'czujka.db']);
  const modes = ['', 'czujka.db'].map((name) => statSync(join(folder, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
  using copy = openDatabase(join(folder, 'czujka.db'), 'read');
  expect(appliedMigrations(copy.connection).at(-1)).toBe(BEFORE);
  const fresh = join(makeFolder(), 'czujka.db');
  for (const _ of ['made', 'opened again']) (await openOperatorDatabase(fresh)).close();
  using db = openDatabase(fresh, 'write');
  const migrate = (sql: string) => migrateDatabase(db, { folder: makeLaterMigrations(sql), makesCopy: true });
  expect(() => migrate(`${KEEPS_EARLIER_OUT} wrong`)).toThrow();
  migrate('CREATE TABLE added (x TEXT) STRICT');
  expect(readdirSync(dirname(fresh)).filter((name) => name.startsWith('before'))).toEqual([]);
});

it('is not made, nor the database migrated, where the disk has no room for both', async () => {
  const path = makeEarlierDatabase();
  const { bavail, bsize } = statfsSync(dirname(path));
  // A sparse file takes no room, and SQLite reads only the pages of its header.
  truncateSync(path, bavail * bsize);
  await expect(openOperatorDatabase(path)).rejects.toThrow(/needs \d+ MB on its disk.*; \d+ MB are free/);
  expect(existsSync(join(dirname(path), 'before-0006'))).toBe(false);
  using db = openDatabase(path, 'read');
  expect(appliedMigrations(db.connection).at(-1)).toBe(BEFORE);
});

it('is named by the version before, with the way back', async () => {
  const db = await makeDatabase();
  makeNewer(db);
  db.close();
  const folder = join(dirname(db.path), 'before-9999');
  const newer = 'is newer than this version: update Czujka, or';
  const restore = `${newer} restore a backup made by this version`;
  await expect(openOperatorDatabase(db.path)).rejects.toThrow(restore);
  mkdirSync(folder);
  writeFileSync(join(folder, 'czujka.db'), '');
  await expect(openOperatorDatabase(db.path)).rejects.toThrow(
    `${newer} go back to the copy from before the update: stop Czujka, move ${db.path}* away and run ` +
      `"czujka restore ${folder} --without-removed"`,
  );
});
