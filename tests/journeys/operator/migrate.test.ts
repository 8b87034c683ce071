import { describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { makeOperator } from '../../support/run-czujka.ts';

describe('migrate', () => {
  it('makes a database where there is none, and says so again', async () => {
    const operator = makeOperator();
    const text = `${operator.databasePath} is of this version\n`;
    expect(await operator.do('migrate')).toBe(text);
    expect(await operator.do('migrate')).toBe(text);
    expect(await operator.json('migrate')).toEqual({ database: operator.databasePath, current: true });
  });

  it.each(['migrate', 'rebuild', 'seed', 'export --list legit', 'entry list --list legit'])(
    'does not touch a newer database, like %s',
    async (verb) => {
      const operator = makeOperator();
      await operator.do('migrate');
      const db = openDatabase(operator.databasePath, 'write');
      db.connection.exec("INSERT INTO kysely_migration VALUES ('9999_future', '2030-01-01')");
      db.close();
      const { code, stderr } = await operator.run(verb.split(' '));
      expect(code).toBe(2);
      expect(stderr).toContain('is newer than this version: update Czujka');
    },
  );

  it('ends with 2 when the file is no database', async () => {
    const operator = makeOperator();
    operator.file('data/czujka.db', 'This is a text and no database at all. '.repeat(100));
    expect(await operator.run(['migrate'])).toMatchObject({
      code: 2,
      stderr: `could not run: ${operator.databasePath}: file is not a database\n`,
    });
  });
});
