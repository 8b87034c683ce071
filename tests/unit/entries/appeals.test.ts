import { expect, it } from 'vitest';
import { findAppeal, listOverdueAppeals } from '#src/entries/appeals.ts';
import { openAppeal } from '#src/entries/write-appeal.ts';
import { makeLists } from '../../support/make-entries.ts';

const reportId = 'R-1';
const at = (time: string): number => Date.parse(`${time}+01:00`);
const REPORTED = at('2026-11-03T18:00:00');

async function open(day: string | undefined, now: number) {
  const db = await makeLists({ scammers: [{ reportId, reportedAt: REPORTED }] });
  db.write((tx) => openAppeal(tx, reportId, { by: undefined, now }, day));
  return { db, appeal: findAppeal(db, 1) };
}

it.each([
  ['today, while it is yesterday in UTC', '2026-11-05', '2026-11-05T00:30:00', '2026-11-05T00:30:00'],
  ['the day of the report', '2026-11-03', '2026-11-05T00:30:00', '2026-11-03T18:00:00'],
  ['a day between', '2026-11-04', '2026-11-05T00:30:00', '2026-11-04T01:00:00'],
  ['no day', undefined, '2026-11-05T00:30:00', '2026-11-05T00:30:00'],
])('an appeal may have come on %s', async (_what, day, now, expected) => {
  expect((await open(day, at(now))).appeal?.openedAt).toBe(at(expected));
});

it.each(['2026-11-06', '2026-11-02'])('an appeal cannot have come on %s', async (day) => {
  const opened = open(day, at('2026-11-05T23:30:00'));
  await expect(opened).rejects.toThrow('from the report on 2026-11-03 until now');
});

it('an appeal waits too long from the midnight in Poland after its last day on', async () => {
  const { db } = await open(undefined, at('2026-11-05T12:00:00'));
  expect(listOverdueAppeals(db, 14, at('2026-11-19T23:59:59'))).toEqual([]);
  expect(listOverdueAppeals(db, 14, at('2026-11-20T00:00:00'))).toMatchObject([{ reportId }]);
});
