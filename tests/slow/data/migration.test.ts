/** A database of the schema before `published`, with rows of every kind, is brought over; also when that is killed. */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { appliedMigrations } from '#src/db/migrate.ts';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { makeOldDatabase, readOldState } from '../../support/old-database.ts';
import { readState, type State } from '../../support/read-model.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { trials } from '../../support/trials.ts';

const ENTRIES = 400;
const COPY = 'before-0300';
const LAST_OLD = '0200_removals';
/** Migrating takes about as long. */
const KILLED_WITHIN_MS = 900;
const KILLS = trials(8, 60);

/** Facts of the public entries, by row; unit/db/migrate compares their HTML. */
function byRow(state: State): Record<string, unknown> {
  const facts = (list: ListKind): object[] =>
    state[list]
      .toSorted((one, other) => one.row - other.row)
      .map((entry) => ({ ...entry, descHtml: undefined, visibleText: undefined }));
  return Object.fromEntries(LIST_KINDS.map((list) => [list, facts(list)]));
}

describe('a database of an earlier version', () => {
  it('is the old one or the new one after a kill, and can be brought over then', async () => {
    const random = new Random(20261123);
    const operator = makeCommandLine();
    await makeOldDatabase(operator.databasePath, ENTRIES);
    const state = operator.read(readOldState);
    const source = openDatabase(operator.databasePath, 'read');
    const old = source.connection.serialize();
    source.close();
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (const suffix of ['', '-wal', '-shm']) rmSync(operator.databasePath + suffix, { force: true });
      rmSync(join(dirname(operator.databasePath), COPY), { recursive: true, force: true });
      operator.file('data/czujka.db', old);
      const child = operator.start(['migrate']);
      const ended = once(child, 'exit');
      await setTimeout(random.below(KILLED_WITHIN_MS));
      child.kill('SIGKILL');
      await ended;
      const last = operator.read((db) => appliedMigrations(db.connection).at(-1)) ?? '';
      const copy = join(dirname(operator.databasePath), COPY, 'czujka.db');
      if (last === LAST_OLD) expect(operator.read((db) => readOldState(db))).toEqual(state);
      // The copy is whole before anything is migrated.
      else expect(existsSync(copy)).toBe(true);
      if (existsSync(copy)) {
        const kept = openDatabase(copy, 'read');
        expect(readOldState(kept)).toEqual(state);
        kept.close();
      }
      await operator.succeed('migrate');
      expect(operator.read((db) => byRow(readState(db)))).toEqual(byRow(state));
    }
  });
});
