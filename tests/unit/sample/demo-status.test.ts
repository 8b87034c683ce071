import { expect, it } from 'vitest';
import { listIncidents } from '#src/status/incidents.ts';
import { DEMO_TROUBLES, fillDemoHistory } from '../../../scripts/sample/demo-status.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('has ninety days without a gap, and two incidents that are over and explained', async () => {
  const db = await makeDatabase();
  const now = Date.now();
  fillDemoHistory(db, now);
  const days = db
    .statement<{ parts: number }>(
      'SELECT count(*) AS parts FROM status_periods WHERE seconds = 86400 GROUP BY at ORDER BY at',
    )
    .all();
  expect(days.length).toBeGreaterThanOrEqual(90);
  expect(days.every(({ parts }) => parts === 7)).toBe(true);
  const incidents = listIncidents(db, 10).toReversed();
  expect(incidents).toMatchObject(DEMO_TROUBLES.map(({ part, note }) => ({ part, note })));
  expect(DEMO_TROUBLES).toHaveLength(2);
});
