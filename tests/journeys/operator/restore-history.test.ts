/** A restored backup begins a history of its own: nobody goes on with numbers that were given to other changes. */
import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readLogHead } from '#src/changes/log-head.ts';
import { openDatabase } from '#src/db/database.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';

it('restore gives the change log a new name, backup keeps it', async () => {
  const operator = makeCommandLine();
  await operator.succeed('seed', '--count', '20', '--list', 'scammers');
  const before = operator.read((db) => readLogHead(db));
  await operator.succeed('backup', 'saved');
  expect(operator.read((db) => readLogHead(db))).toEqual(before);
  await operator.succeed('restore', 'saved', '--yes');
  const after = operator.read((db) => readLogHead(db));
  expect(after.seq).toBe(before.seq);
  expect(after.history).not.toBe(before.history);
});

it('restores from a copied folder also what is not in the database file yet', async () => {
  const operator = makeCommandLine();
  await operator.succeed('seed', '--count', '3', '--list', 'scammers');
  const reader = openDatabase(operator.databasePath, 'read');
  reader.read(() => reader.statement('SELECT count(*) FROM entries').get());
  await operator.succeed(
    'entry',
    'add',
    '280864204968068869',
    '--list',
    'scammers',
    '--name',
    'late',
    '--reason',
    'r',
    '--risk',
  );
  const copied = join(operator.folder, 'copied');
  mkdirSync(copied);
  for (const name of ['czujka.db', 'czujka.db-wal'])
    copyFileSync(join(operator.folder, 'data', name), join(copied, name));
  reader.close();
  expect(statSync(join(copied, 'czujka.db-wal')).size).toBeGreaterThan(0);
  await operator.succeed('entry', 'edit', '280864204968068869', '--list', 'scammers', '--name', 'later');
  await operator.succeed('restore', 'copied', '--yes');
  expect(await operator.json('entry', 'show', '280864204968068869')).toMatchObject([{ name: 'late' }]);
});
