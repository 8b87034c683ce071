/** A database of the schema before `published`, with rows of every kind, is brought over; also when that is killed. */
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { appliedMigrations } from '#src/db/migrate.ts';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { PROOFS_FILTERS, SORTS, STATUSES } from '#src/entries/list-query.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { makeOldDatabase, readOldState, readUnchanged } from '../../support/old-database.ts';
import { listPlainly } from '../../support/plain-lists.ts';
import { ALL, readState, textOf, type State } from '../../support/read-model.ts';
import { makeCommandLine, type Operator } from '../../support/run-czujka.ts';
import { startTestSite } from '../../support/test-site.ts';
import { trials } from '../../support/trials.ts';
import type { ListResponse } from '../../support/responses.ts';

const ENTRIES = 400;
const COPY = 'before-0300';
const LAST_OLD = '0200_removals';
/** Migrating takes about as long. */
const KILLED_WITHIN_MS = 900;
const KILLS = trials(8, 60);
/** The migrations write these again in another form. */
const REWRITTEN = ['properties', 'view_batches'];

/** Makes an old database: the state that it describes, and its operator. */
async function makeOld(): Promise<{ operator: Operator; state: State; rows: Record<string, unknown> }> {
  const operator = makeCommandLine();
  await makeOldDatabase(operator.databasePath, ENTRIES);
  return { operator, ...operator.read((db) => ({ state: readOldState(db), rows: readUnchanged(db) })) };
}

/** Facts of the public entries, by row; the first test compares their HTML. */
function byRow(state: State): Record<string, unknown> {
  const facts = (list: ListKind): object[] =>
    state[list]
      .toSorted((one, other) => one.row - other.row)
      .map((entry) => ({ ...entry, descHtml: undefined, visibleText: undefined }));
  return Object.fromEntries(LIST_KINDS.map((list) => [list, facts(list)]));
}

function without(rows: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(rows).filter(([table]) => !REWRITTEN.includes(table)));
}

describe('a database of an earlier version', () => {
  it('answers the same when it was brought over, and its copy is as it was', async () => {
    const { operator, state, rows } = await makeOld();
    await operator.succeed('migrate');
    const { state: migrated, rows: kept } = operator.read((db) => ({
      state: readState(db),
      rows: readUnchanged(db),
    }));
    expect(byRow(migrated)).toEqual(byRow(state));
    expect(kept).toMatchObject(without(rows));

    const copy = openDatabase(join(dirname(operator.databasePath), COPY, 'czujka.db'), 'read');
    expect({ state: readOldState(copy), rows: readUnchanged(copy) }).toEqual({ state, rows });
    copy.close();

    const site = await startTestSite(operator.databasePath);
    for (const list of LIST_KINDS)
      for (const sort of SORTS)
        for (const status of STATUSES)
          for (const proofs of PROOFS_FILTERS) {
            const query = { ...ALL, sort, status, proofs, skip: 5 };
            const path = `/api/${list}?sort=${sort}&status=${status}&proofs=${proofs}&skip=5&limit=60`;
            const { data, total } = await site.json<ListResponse>(path);
            const expected = listPlainly(state[list], list, query);
            expect({ texts: data.map((entry) => JSON.stringify(entry)), total }, path).toEqual({
              texts: expected.entries.map((entry) => textOf(entry, 'json')),
              total: expected.total,
            });
          }
  });

  it('is the old one or the new one after a kill, and can be brought over then', async () => {
    const random = new Random(20261123);
    const { operator, state } = await makeOld();
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
