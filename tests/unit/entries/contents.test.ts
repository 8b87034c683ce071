import { expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { insertContent, pruneContents } from '#src/entries/contents.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function leaveText(db: Database): void {
  insertContent(db, { reason: 'x', descHtml: '<p>x</p>', proofItems: [] });
}

function countTexts(db: Database): number {
  return db.statement<{ count: number }>('SELECT count(*) AS count FROM contents').get()?.count ?? 0;
}

it('hourly visits remove a text without entry after five hours at the earliest and eight at the latest', async () => {
  for (const minutesAfterVisit of [0, 1, 30, 59]) {
    const db = await makeDatabase();
    await importRecords(db, 'scammers', [makeRecord()]);
    pruneContents(db, NOW);
    leaveText(db);
    const left = NOW + minutesAfterVisit * MINUTE_MS;
    for (let hour = 1; countTexts(db) > 1; hour += 1) {
      // A visit begins some milliseconds sooner or later than the one before.
      const now = NOW + hour * HOUR_MS - (hour % 2) * 20;
      const removed = pruneContents(db, now);
      expect(now - left).toBeLessThanOrEqual(8 * HOUR_MS);
      if (removed > 0) expect(now - left).toBeGreaterThan(5 * HOUR_MS);
    }
    expect(countTexts(db)).toBe(1);
  }
});

it('visits by a worker that starts again and again neither hasten nor delay it, nor heap up', async () => {
  const db = await makeDatabase();
  leaveText(db);
  let removedAfter = 0;
  for (let minute = 0; minute <= 24 * 60; minute += 1) {
    if (pruneContents(db, NOW + minute * MINUTE_MS) > 0) removedAfter = minute;
  }
  expect(removedAfter).toBe(5.5 * 60);
  const kept = db
    .statement<{ visits: number }>(
      "SELECT json_array_length(value) AS visits FROM properties WHERE key = 'contents_visits'",
    )
    .get();
  expect(kept?.visits).toBeLessThanOrEqual(13);
});

it('goes on after a clock that was set back', async () => {
  const db = await makeDatabase();
  pruneContents(db, NOW + 1_000 * HOUR_MS);
  leaveText(db);
  pruneContents(db, NOW);
  expect(pruneContents(db, NOW + 5 * HOUR_MS)).toBe(0);
  expect(pruneContents(db, NOW + 6 * HOUR_MS)).toBe(1);
});
