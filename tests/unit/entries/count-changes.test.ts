import { expect, it } from 'vitest';
import { appendChange } from '#src/changes/append-change.ts';
import { countChangesSince } from '#src/entries/count-changes.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('counts the changes from a moment on', async () => {
  const db = await makeDatabase();
  expect(countChangesSince(db, 0)).toBe(0);
  const times = [10, 10, 20, 30, 30, 30, 40];
  db.write(() => {
    for (const at of times) appendChange(db, { at, op: 'updated', list: 'scammers', entryId: 'a' });
  });
  for (const since of [0, 10, 11, 20, 21, 30, 31, 40, 41])
    expect(countChangesSince(db, since), String(since)).toBe(times.filter((at) => at >= since).length);
  // Pruned: a gap before the moment changes nothing.
  db.write(() => db.statement('DELETE FROM changes WHERE seq IN (1, 3)').run());
  for (const since of [21, 30, 31, 40, 41])
    expect(countChangesSince(db, since), String(since)).toBe(times.filter((at) => at >= since).length);
});
