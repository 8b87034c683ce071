/** A restored backup begins a history of its own: nobody goes on with numbers that were given to other changes. */
import { expect, it } from 'vitest';
import { readLogHead } from '#src/changes/log-head.ts';
import { makeOperator } from '../support/run-czujka.ts';

it('restore gives the change log a new name, backup keeps it', async () => {
  const operator = makeOperator();
  await operator.do('seed', '--count', '20', '--list', 'scammers');
  const before = operator.read((db) => readLogHead(db));
  await operator.do('backup', 'saved');
  expect(operator.read((db) => readLogHead(db))).toEqual(before);
  await operator.do('restore', 'saved', '--yes');
  const after = operator.read((db) => readLogHead(db));
  expect(after.seq).toBe(before.seq);
  expect(after.history).not.toBe(before.history);
});
