import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { listEverything } from '../../support/list-everything.ts';
import { makeOperator } from '../../support/run-czujka.ts';

describe('rebuild', () => {
  it('makes rendered forms and the read model anew and leaves the rest', async () => {
    const operator = makeOperator();
    await operator.do('seed', '--count', '900', '--list', 'scammers');
    const before = operator.read(listEverything);
    const readUpdates = (): unknown[] =>
      operator.read((read) => read.statement('SELECT row, updated_at FROM entries').all());
    const updates = readUpdates();
    const db = openDatabase(operator.databasePath, 'write');
    db.connection.exec("UPDATE contents SET desc_html = '<script>' WHERE content % 3 = 0");
    db.close();
    // Of the read model, and of versions that had none.
    const derived = ['serving', 'indexes', 'search'].map((name) =>
      join(dirname(operator.databasePath), name),
    );
    for (const folder of derived) {
      mkdirSync(folder);
      writeFileSync(join(folder, 'x'), 'x');
    }
    const { entries, changed } = await operator.json<{ entries: number; changed: number }>('rebuild');
    expect(entries).toBe(900);
    expect(changed).toBe(300);
    expect(derived.filter((folder) => existsSync(folder))).toEqual([]);
    expect(operator.read(listEverything)).toEqual(before);
    expect(readUpdates()).toEqual(updates);
    operator.read((read) => {
      expect(read.statement('SELECT count(*) AS count FROM contents').get()).toEqual({ count: 900 });
    });
    expect(await operator.do('rebuild')).toBe('looked at 900 entries, made 0 anew; 0 images got pictures\n');
  });
});
