/** Checks of the database, its files and the settings, which need no service. */
import { chmodSync, chownSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { makeBackup } from '#src/backups/make-backup.ts';
import { parseConfig } from '#src/config.ts';
import { DATA_FILES } from '#src/data-files.ts';
import type { Database } from '#src/db/database.ts';
import { monotonicMs } from '#src/db/monotonic-ms.ts';
import { lockForProcess, workerLock } from '#src/db/process-lock.ts';
import { checkDatabase } from '#src/operator/doctor/database-check.ts';
import { checkRights } from '#src/operator/doctor/disk-check.ts';
import { checkSettings } from '#src/operator/doctor/settings-check.ts';
import { removedKeyPath } from '#src/removals/removed-key.ts';
import { WRITE_COUNTS_MS } from '#src/status/check-database.ts';
import { writeProbe } from '#src/status/record-sample.ts';
import { removeEntry } from '../../../support/change-log.ts';
import { makeLists, NOW } from '../../../support/make-entries.ts';
import { makeDatabase, makeFolder } from '../../../support/temporary-database.ts';

let db: Database;
const wrongIn = async (settings: Readonly<Record<string, string>> = {}) => {
  const findings = await checkDatabase(parseConfig({ DATABASE_PATH: db.path, ...settings }));
  return findings.filter(({ state }) => state === 'wrong').map(({ about, says }) => `${about}: ${says}`);
};

beforeEach(async () => {
  db = await makeLists({ scammers: [{ id: '7' }] });
});

it('names a worker that acts and cannot write', async () => {
  const release = lockForProcess(workerLock(db.path));
  db.write((tx) => writeProbe(tx, NOW, monotonicMs() - WRITE_COUNTS_MS - 1));
  expect(await wrongIn()).toContainEqual(expect.stringMatching(/^worker: acts, and wrote nothing to /));
  db.write((tx) => writeProbe(tx, NOW));
  expect((await wrongIn()).filter((says) => says.startsWith('worker'))).toEqual([]);
  release?.();
});

it('names a lost and a malformed key of removed IDs, and no missing one that nothing needs', async () => {
  const key = removedKeyPath(db.path);
  const named = async () =>
    (await wrongIn()).filter((says) => says.startsWith(`removals: ${key} is missing`));
  expect(await named()).toEqual([]);
  removeEntry(db, 'scammers', '7', 'request', NOW);
  expect(await named()).toEqual([]);
  renameSync(key, `${key}.away`);
  expect(await named()).toHaveLength(1);
  writeFileSync(key, 'no key');
  expect(await named()).toHaveLength(1);
});

it('names a backup folder of another service', async () => {
  const folder = makeFolder();
  const other = await makeDatabase();
  await makeBackup({ databasePath: other.path, folder, now: NOW });
  const says = `backup: BACKUP_FOLDER=${folder}: czujka-`;
  expect(await wrongIn({ BACKUP_FOLDER: folder })).toContainEqual(expect.stringContaining(says));
});

it.each([...DATA_FILES, 'proofs/a', 'czujka.db-wal'])('names a %s that the service cannot write', (name) => {
  const dataFolder = makeFolder();
  const file = join(dataFolder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '', { mode: 0o600 });
  const config = parseConfig({ DATABASE_PATH: join(dataFolder, 'czujka.db') });
  expect(checkRights(config)).toMatchObject([{ state: 'fine' }]);
  // Only root may give a file away, and only others are kept from one by its mode.
  if (process.getuid?.() === 0) chownSync(file, 12_345, 12_345);
  else chmodSync(file, 0);
  const [found] = checkRights(config);
  expect([found?.state, found?.says.endsWith(basename(file))]).toEqual(['wrong', true]);
});

it.each<[string, boolean]>([
  ['0.0.0.0/0', true],
  ['10.0.0.1,128.0.0.0/1', true],
  ['::/0', true],
  ['2000::/3', true],
  ['::ffff:0:0/96', true],
  ['loopback,10.0.0.0/8,104.16.0.0/13,2400:cb00::/32,fc00::/7,::ffff:a00:0/104', false],
])('says whether TRUST_PROXY=%s lets visitors choose their address: %s', (range, isWide) => {
  const findings = checkSettings(parseConfig({ TRUST_PROXY: range }), new Set(), []);
  expect(findings.some(({ says }) => says.includes('visitors may choose'))).toBe(isWide);
});
