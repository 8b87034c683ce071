/** Daily jobs at the starts of a worker. */
import { expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { createLog } from '#src/log.ts';
import { isMissed, rememberRuns } from '#src/worker/daily-jobs.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const HOUR_MS = 3_600_000;
const job = { name: 'daily', schedule: '0 0 3 * * *', isDaily: true, deadlineMs: 1_000, run: () => {} };

async function runOnce(db: Database): Promise<void> {
  const { signal } = new AbortController();
  await rememberRuns(job).run({
    db,
    write: (change) => db.write(change),
    signal,
    log: createLog('worker', 'silent'),
  });
}

it('run again only when a day has passed, and others at every start', async () => {
  const db = await makeDatabase();
  expect(isMissed(db, job)).toBe(true);
  await runOnce(db);
  const now = Date.now();
  expect(isMissed(db, job)).toBe(false);
  expect(isMissed(db, job, now + 23 * HOUR_MS)).toBe(false);
  expect(isMissed(db, job, now + 24 * HOUR_MS)).toBe(true);
  expect(isMissed(db, { ...job, isDaily: false })).toBe(true);
});

it('run at a start after the clock was set back behind their last run', async () => {
  const db = await makeDatabase();
  await runOnce(db);
  expect(isMissed(db, job, Date.now() - HOUR_MS)).toBe(true);
});
