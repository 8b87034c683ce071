import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { listEverything } from '../../support/list-everything.ts';
import { makeOperator } from '../../support/run-czujka.ts';
import { countEntries } from '../../support/stored-entries.ts';

describe('seed', () => {
  it('makes the same entries for the same number, in the shares that such a database has', async () => {
    const [one, same, other] = [makeOperator(), makeOperator(), makeOperator()];
    expect(await one.json('seed', '--count', '300', '--seed', '7')).toEqual({
      scammers: 240,
      servers: 36,
      legit: 24,
    });
    await same.do('seed', '--count', '300', '--seed', '7');
    await other.do('seed', '--count', '300', '--seed', '8');
    expect(same.read(listEverything)).toEqual(one.read(listEverything));
    expect(other.read(listEverything)['scammers az']).not.toEqual(one.read(listEverything)['scammers az']);
  });

  it('fills one list when it is asked to', async () => {
    const operator = makeOperator();
    expect(await operator.do('seed', '--count', '20', '--list', 'servers')).toBe(
      'sample entries: servers 20\n',
    );
    expect(LIST_KINDS.map((list) => countEntries(operator, list))).toEqual([0, 20, 0]);
  });

  it('makes the entries of the demo without a count, and again only where the data is invented', async () => {
    const operator = makeOperator();
    const counts = await operator.json<Record<ListKind, number>>('seed');
    expect(Object.keys(counts)).toEqual([...LIST_KINDS]);
    expect(await operator.json('seed')).toEqual(counts);
    expect(LIST_KINDS.map((list) => countEntries(operator, list))).toEqual(Object.values(counts));
  });

  it('refuses a database with real entries', async () => {
    const operator = makeOperator();
    await operator.do('entry', 'add', '1', '--list', 'legit', '--name', 'real', '--reason', 'x');
    const { code, stderr } = await operator.run(['seed', '--count', '10']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `${operator.databasePath} holds real entries; sample data goes only into an empty or a sample database\n`,
    });
    expect(LIST_KINDS.map((list) => countEntries(operator, list))).toEqual([0, 0, 1]);
  });

  it('refuses a sample database into which something real was imported', async () => {
    const operator = makeOperator();
    await operator.do('seed', '--count', '10');
    const record = JSON.stringify({ id: '1', name: 'real', reason: 'x', verified: true });
    const file = join(operator.folder, 'real.ndjson');
    writeFileSync(file, record);
    await operator.do('import', file, '--list', 'scammers');
    expect((await operator.run(['seed', '--count', '10'])).code).toBe(1);
  });

  it.each([
    ['--count', '0'],
    ['--count', 'many'],
    ['--seed', '-1'],
    ['--list', 'friends'],
  ])('refuses %s %s', async (...option) => {
    expect((await makeOperator().run(['seed', ...option])).code).toBe(1);
  });
});
