import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openDatabase, type Database } from '#src/db/database.ts';
import { appliedMigrations, migrationNames } from '#src/db/migrate.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { readState } from '../../support/read-model.ts';
import { makeEarlierDatabase } from '../../support/temporary-database.ts';
import { trials } from '../../support/trials.ts';

/** Making the copy and the commit take about as long. */
const KILLED_WITHIN_MS = 150;
const KILLS = trials(8, 60);

it('a database of Czujka 1.0.0 is the old one or the new one after a kill, and can be brought over then', async () => {
  const random = new Random(20261125);
  const operator = makeCommandLine();
  const { databasePath } = operator;
  const copyFolder = join(dirname(databasePath), 'before-0006');
  const look = (db: Database) => ({ state: readState(db), migrations: appliedMigrations(db.connection) });
  mkdirSync(dirname(databasePath));
  makeEarlierDatabase(databasePath);
  const earlier = operator.read(look);
  const brought = { ...earlier, migrations: migrationNames() };
  for (let kill = 0; kill < KILLS; kill += 1) {
    rmSync(dirname(databasePath), { recursive: true });
    mkdirSync(dirname(databasePath));
    makeEarlierDatabase(databasePath);
    const child = operator.start(['migrate']);
    const ended = once(child, 'exit');
    while (!existsSync(copyFolder) && child.exitCode === null) await setTimeout(1);
    await setTimeout(random.below(KILLED_WITHIN_MS));
    child.kill('SIGKILL');
    await ended;
    const left = operator.read(look);
    const copy = join(copyFolder, 'czujka.db');
    expect([earlier, brought]).toContainEqual(left);
    if (left.migrations.includes('0001_schema')) expect(existsSync(copy)).toBe(true);
    if (existsSync(copy)) {
      using kept = openDatabase(copy, 'read');
      expect(look(kept)).toEqual(earlier);
    }
    await operator.succeed('migrate');
    expect(operator.read(look)).toEqual(brought);
  }
});
