import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLogHead, formatCursor, isCursorValid, parseCursor } from '#src/changes/change-log.ts';
import { appendChange } from '../../support/change-log.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const SEED = 20261121;

it('comes back from its text, whatever the log and its length', () => {
  const cursor = fc.record({
    logId: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 16, maxLength: 16 }),
    seq: fc.nat(1e15 - 1),
  });
  fc.assert(
    fc.property(cursor, (given) => {
      expect(parseCursor(formatCursor(given))).toEqual(given);
    }),
    { seed: SEED },
  );
});

it.each([
  '9eb2aeb05ab2834f-',
  '9eb2aeb05ab2834f-01',
  '9eb2aeb05ab2834f-1 ',
  '9EB2AEB05AB2834F-1',
  '9eb2aeb05ab2834-1',
  '9eb2aeb05ab2834f-9999999999999999',
])('is not read from %j', (text) => expect(parseCursor(text)).toBeUndefined());

it('lives in its log up to the newest change', async () => {
  const db = await makeDatabase();
  for (const entry_id of ['a', 'b', 'c'])
    appendChange(db, { at: 1000, op: 'added', list: 'scammers', entry_id });
  const { logId } = readLogHead(db);
  const alive = [0, 1, 3, 4].filter((seq) => isCursorValid(db, { logId, seq }));
  expect(alive).toEqual([0, 1, 3]);
  expect(isCursorValid(db, { logId: '9eb2aeb05ab2834f', seq: 1 })).toBe(false);
});
