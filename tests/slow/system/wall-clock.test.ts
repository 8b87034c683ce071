// Needs: faketime
/** The worker under a wall clock that somebody sets: libfaketime changes it, the monotonic clock goes on. */
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { startProcess } from '../../support/start-process.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const FIXTURE = join(import.meta.dirname, '../../support/worker-process.ts');
const [LIBRARY = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

it.each(['-2h', '+2h'])('jobs go on when the wall clock jumps by %s', async (offset) => {
  const db = await makeDatabase();
  db.connection.exec('CREATE TABLE runs (pid INTEGER, job TEXT); CREATE TABLE permits (job TEXT)');
  const clock = `${db.path}.clock`;
  writeFileSync(clock, '+0');
  startProcess(FIXTURE, {
    cwd: join(db.path, '..'),
    args: [db.path, '15000'],
    settings: {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  });
  const reader = openDatabase(db.path, 'read');
  const ticks = (): number =>
    reader.statement<{ ticks: number }>("SELECT count(*) AS ticks FROM runs WHERE job = 'tick'").get()
      ?.ticks ?? 0;
  await vi.waitFor(() => expect(ticks()).toBeGreaterThanOrEqual(3), { timeout: 30_000 });
  writeFileSync(clock, offset);
  const before = ticks();
  await vi.waitFor(() => expect(ticks()).toBeGreaterThanOrEqual(before + 5), { timeout: 15_000 });
  // One a second: what was passed over is not made good one by one.
  expect(ticks()).toBeLessThan(before + 25);
  reader.close();
  db.close();
});
