import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { countYear } from '#src/entries/entry-statistics.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeMigratedCommandLine, type Operator } from '../../support/run-czujka.ts';

const MIGRATION = join(import.meta.dirname, '../../../db/migrations/0008_entry_counts.sql');
const DAY_MS = 86_400_000;
const ON = ['--list', 'scammers'] as const;
const reportedAt = '2026-01-01';
const count = (operator: Operator) => operator.read((db) => countYear(db, Date.now()));
const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

it('counts what was added, removed, appealed against and decided, and no import that was taken back', async () => {
  const operator = await makeMigratedCommandLine();
  const ids = ['1', '2', '3', '4', '5', '6', '7'];
  const records = [...ids, '8'].map((id) => makeRecord({ id, reportId: `R-${id}`, reportedAt }));
  await operator.fill('scammers', ...records);
  const empty = { removed: 0, granted: 0, open: 0, medianDays: undefined };
  expect(count(operator)).toMatchObject({ added: 8, ...empty });

  await operator.succeed('import', operator.file('b.ndjson', [makeRecord(), makeRecord()]), ...ON);
  await operator.succeed('import', '--undo', '--yes');
  expect(count(operator)).toMatchObject({ added: 8, ...empty });

  // Granted, though none was opened before.
  await operator.succeed('entry', 'remove', '8', ...ON, '--reason', 'appeal');
  expect(count(operator)).toMatchObject({ added: 8, removed: 1, granted: 1, decided: 1 });

  for (const id of ids)
    await operator.succeed('appeal', 'open', `R-${id}`, '--at', dayBefore(Number(id) + 0.5));
  for (const id of ['1', '2', '3']) await operator.succeed('appeal', 'uphold', `R-${id}`, '--note', 'powód');
  await operator.succeed('appeal', 'uphold', 'R-3', '--note', 'inny powód', '--replace');
  await operator.succeed('appeal', 'cancel', 'R-7');
  await operator.succeed('entry', 'remove', '4', ...ON, '--reason', 'appeal');
  const half = { removed: 2, granted: 2, decided: 5, open: 2, medianDays: undefined };
  expect(count(operator)).toMatchObject(half);
  // The appeal against 6 ends with it; that against 1 was decided before.
  for (const id of ['6', '1']) await operator.succeed('entry', 'remove', id, ...ON, '--reason', 'mistake');
  expect(count(operator)).toMatchObject({ removed: 4, granted: 2, decided: 6, open: 1, medianDays: 3 });

  // The migration counts the same of what was before it.
  const { added, removed, granted } = count(operator);
  operator.write((db) => db.connection.exec(`DROP TABLE entry_counts; ${readFileSync(MIGRATION, 'utf8')}`));
  expect(count(operator)).toMatchObject({ added, removed, granted });

  await operator.succeed('entry', 'add', '4', ...ON, '--name=x', '--reason=y', '--yes', '--odd-id');
  expect(count(operator)).toMatchObject({ added: 9, removed: 4 });

  const text = operator.read((db) => JSON.stringify(db.statement('SELECT * FROM entry_counts').all()));
  expect(text).not.toContain('R-');
});

it('leaves out what is older than a year', async () => {
  const operator = await makeMigratedCommandLine();
  await operator.succeed('import', operator.file('a.ndjson', [makeRecord()]), ...ON);
  const at = (days: number): number => operator.read((db) => countYear(db, Date.now() + days * DAY_MS).added);
  expect([at(365), at(366)]).toEqual([1, 0]);
});
