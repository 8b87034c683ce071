/** Daily jobs at the starts of a worker. */
import { expect, it } from 'vitest';
import { isMissed, recordRun } from '#src/worker/daily-jobs.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const HOUR_MS = 3_600_000;
const job = { name: 'daily', schedule: '0 0 3 * * *', isDaily: true, deadlineMs: 1_000, run: () => {} };

it('run again only when a day has passed or the clock was set back, and others at every start', async () => {
  const db = await makeDatabase();
  expect(isMissed(db, job)).toBe(true);
  recordRun(db, job);
  const now = Date.now();
  expect(isMissed(db, job)).toBe(false);
  expect(isMissed(db, job, now + 23 * HOUR_MS)).toBe(false);
  expect(isMissed(db, job, now + 24 * HOUR_MS)).toBe(true);
  expect(isMissed(db, job, now - HOUR_MS)).toBe(true);
  expect(isMissed(db, { ...job, isDaily: false })).toBe(true);
});
