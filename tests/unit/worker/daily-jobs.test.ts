/** Daily jobs at the starts of a worker. */
import { expect, it } from 'vitest';
import { hasRunWithinDay, recordRun } from '#src/worker/daily-jobs.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const HOUR_MS = 3_600_000;

it('run again only when a day has passed or the clock was set back', async () => {
  const db = await makeDatabase();
  expect(hasRunWithinDay(db, 'daily')).toBe(false);
  recordRun(db, 'daily');
  const now = Date.now();
  expect(hasRunWithinDay(db, 'daily')).toBe(true);
  expect(hasRunWithinDay(db, 'another')).toBe(false);
  expect(hasRunWithinDay(db, 'daily', now + 23 * HOUR_MS)).toBe(true);
  expect(hasRunWithinDay(db, 'daily', now + 24 * HOUR_MS)).toBe(false);
  expect(hasRunWithinDay(db, 'daily', now - HOUR_MS)).toBe(false);
});
