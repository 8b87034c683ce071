/** The worker's daily backup, and what a restore of it brings back, here and on another machine. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findNewestBackup } from '#src/backups/newest-backup.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makePhoto } from '../../support/make-image.ts';
import { listEverything } from '../../support/list-everything.ts';
import { makeCommandLine, makeMigratedCommandLine, type Operator } from '../../support/run-czujka.ts';
import { startProcess } from '../../support/start-process.ts';

const WORKER = join(import.meta.dirname, '../../../src/worker/main.ts');

it('is made by the worker for its user alone, and brings nothing back that was removed since', async () => {
  const operator = makeCommandLine();
  const folder = join(operator.folder, 'backups');
  operator.file('shot.jpg', await makePhoto());
  const record = makeRecord({ proofs: { private: false, items: [{ file: 'shot.jpg' }] } });
  await operator.fill('scammers', record);
  await operator.fill('servers', makeRecord({ id: '77', reason: 'stary', verified: false }));
  const worker = startProcess(WORKER, {
    cwd: operator.folder,
    settings: { DATABASE_PATH: operator.databasePath, BACKUP_FOLDER: folder, LOG_LEVEL: 'debug' },
  });
  expect(await worker.logged({ job: 'backup', msg: 'job ended' })).toMatchObject({
    entries: 2,
    lostProofs: 0,
    removed: 0,
  });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((name) => name.isFile());
  for (const { name, parentPath } of files)
    expect(statSync(join(parentPath, name)).mode & 0o077, name).toBe(0);
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.db.zst'));
  expect(name).toMatch(/^czujka-\d{8}T\d{6}Z\.db\.zst$/);
  const file = join(folder, name);
  expect(Math.abs(Date.now() - Number(operator.read(findNewestBackup)))).toBeLessThan(120_000);

  await operator.succeed('entry', 'edit', '77', '--list', 'servers', '--redact', '--reason', 'nowy');
  await operator.succeed('entry', 'remove', record.id, '--list', 'scammers', '--reason', 'request');
  const removed = join(folder, 'removed.ndjson');
  await expect
    .poll(() => (existsSync(removed) ? readFileSync(removed, 'utf8') : ''), { timeout: 20_000 })
    .toBe(readFileSync(join(operator.folder, 'data/removed.ndjson'), 'utf8'));
  worker.child.kill('SIGTERM');
  await worker.ended;

  const expectWithdrawn = (place: Operator): void => {
    const text = JSON.stringify(place.read(listEverything));
    expect(text).not.toContain(record.id);
    expect(text).not.toContain('stary');
    expect(text).toContain('Opis tego wpisu nie zachował się');
  };
  expect((await operator.run(['restore', file, '--yes'])).stderr).toContain('not brought back: 1 entry');
  expectWithdrawn(operator);
  expect(readdirSync(join(operator.folder, 'data/proofs/originals'))).toEqual([]);

  const [machine, fresh, careless] = [makeCommandLine(), await makeMigratedCommandLine(), makeCommandLine()];
  const refused = await machine.run(['restore', file]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('--removed FILE');
  expect(existsSync(machine.databasePath)).toBe(false);
  await machine.succeed('restore', file, '--removed', removed);
  expectWithdrawn(machine);
  // Its own list has the removals by now.
  await machine.succeed('restore', file, '--yes');
  expectWithdrawn(machine);

  // A database that was just made is not the old one.
  expect(await fresh.run(['restore', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing here knows what was removed') as string,
  });

  await careless.succeed('restore', file, '--without-removed');
  expect(JSON.stringify(careless.read(listEverything))).toContain(record.id);
  expect(readdirSync(join(careless.folder, 'data/proofs/public')).length).toBeGreaterThan(0);
});

it('is refused when it is damaged, and when the list of removals is', async () => {
  const operator = await makeMigratedCommandLine();
  await operator.fill('scammers', makeRecord());
  const { file } = await operator.json<{ file: string }>('backup', 'saved');
  const path = join(operator.folder, file);
  const machine = makeCommandLine();
  machine.file('removed.ndjson', '{"what":"everything"}\n');
  expect(await machine.run(['restore', path, '--removed', 'removed.ndjson'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('removed.ndjson:1: is no removal') as string,
  });
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  writeFileSync(path, bytes.fill(0x55, middle, middle + 64));
  expect(await machine.run(['restore', path, '--without-removed'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is damaged') as string,
  });
  expect(existsSync(machine.databasePath)).toBe(false);
});
