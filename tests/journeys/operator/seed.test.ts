import { expect, it } from 'vitest';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { countEntries } from '../../support/stored-entries.ts';

it('makes the entries of the demo without a count, also beside other invented ones', async () => {
  const operator = makeCommandLine();
  await operator.succeed('seed', '--count', '2', '--list', 'legit');
  const { scammers, servers, legit } = await operator.json<Record<ListKind, number>>('seed');
  expect(LIST_KINDS.map((list) => countEntries(operator, list))).toEqual([scammers, servers, legit + 2]);
});

it('has the shares that such a database has', async () => {
  const counts = { scammers: 40, servers: 6, legit: 4 };
  expect(await makeCommandLine().json('seed', '--count', '50', '--seed', '7')).toEqual(counts);
});

it.each(['import', 'entry add'])('refuses a database with a real entry of "%s"', async (verb) => {
  const operator = makeCommandLine();
  expect(await operator.succeed('seed', '--count', '3', '--list', 'servers')).toBe(
    'sample entries: servers 3\n',
  );
  const record = makeRecord();
  const facts = ['--name', record.name, '--reason', record.reason];
  const given = verb === 'import' ? [operator.file('real.ndjson', [record])] : [record.id, ...facts];
  await operator.succeed(...verb.split(' '), ...given, '--list', 'scammers');
  expect(await operator.fail('seed', '--count', '10')).toBe(
    `${operator.databasePath} holds real entries; sample data goes only into an empty or a sample database\n`,
  );
  expect(LIST_KINDS.map((list) => countEntries(operator, list))).toEqual([1, 3, 0]);
});
