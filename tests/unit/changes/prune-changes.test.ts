import { expect, it } from 'vitest';
import { LOG_DAYS, pruneChanges } from '#src/changes/prune-changes.ts';
import { type LogChange, appendChange } from '../../support/change-log.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { NOW } from '../../support/make-entries.ts';

it('only updates that are old and were followed by another change go', async () => {
  const db = await makeDatabase();
  const old = NOW - LOG_DAYS * 86_400_000 - 1;
  const append = (at: number, op: LogChange['op'], entry_id: string): number =>
    appendChange(db, { at, op, list: 'scammers', entry_id });
  append(old, 'added', 'changed'); // 1
  append(old, 'updated', 'changed'); // 2: goes
  append(old, 'updated', 'changed'); // 3: goes
  append(old, 'added', 'removed'); // 4
  append(old, 'updated', 'removed'); // 5: goes
  append(old, 'removed', 'removed'); // 6
  append(old, 'added', 'quiet'); // 7
  append(old, 'updated', 'quiet'); // 8: its last
  append(old + 1, 'updated', 'changed'); // 9: not old enough
  append(NOW, 'updated', 'changed'); // 10
  expect(await pruneChanges(db, (change) => db.write(change), NOW)).toBe(3);
  const left = db.statement<{ seq: number }>('SELECT seq FROM changes ORDER BY seq').all();
  expect(left.map(({ seq }) => seq)).toEqual([1, 4, 6, 7, 8, 9, 10]);
  expect(await pruneChanges(db, (change) => db.write(change), NOW)).toBe(0);
});
