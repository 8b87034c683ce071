/** The check by nick over the name index of the web process, whatever has changed since, against a naive one. */
import { copyFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { renewHistory } from '#src/changes/log-head.ts';
import type { Database } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { createNameCheck } from '#src/serving/check-names.ts';
import type { NameCheck } from '#src/serving/check-names.ts';
import { createSearchPool } from '#src/serving/search-pool.ts';
import type { SearchPool } from '#src/serving/search-pool.ts';
import { createServing } from '#src/serving/serving.ts';
import type { Serving } from '#src/serving/serving.ts';
import { listServingFiles, openToRead, removeServingFile, servingFolder } from '#src/serving/serving-file.ts';
import { ServingReader } from '#src/serving/serving-reader.ts';
import { eraseRemoved } from '#src/worker/erase-removed.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { sampleName } from '../../../scripts/sample/sample-name.ts';
import { keepServing } from '../../support/keep-serving.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import { naiveCheck } from '../../support/naive-lists.ts';
import type { NaiveEntry } from '../../support/naive-lists.ts';
import { compareNicks, readState } from '../../support/read-model.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { trials } from '../../support/trials.ts';

const SEED = 20261121;
/** Longer than a reader takes what it has seen for fresh; and what it knows of files. */
const LOOK_MS = 15;
const CHOOSE_MS = 1_050;
/** As many changes as an index may be behind, and one more than are held beside it. */
const CHANGES_HELD_MAX = 20_000;
const CHANGES_MAX = 2_000;
/** Of a random history. */
const CHANGES = trials(10, 30);
const asker = { client: '10.0.0.1', signal: new AbortController().signal };

/** What the database holds, read without a look at any folded form or index. */
function readAll(db: Database, list: ListKind): NaiveEntry[] {
  return db
    .all(db.sql.selectFrom('entries').selectAll().where('list', '=', list))
    .filter(({ verified }) => list !== 'legit' || verified === 1)
    .map((row) => ({
      _id: row.entry_id,
      id: row.chat_id,
      name: row.name,
      reason: '',
      verified: row.verified === 1,
      reportedAt: row.reported_at,
      views: row.views,
      visibleText: '',
    }));
}

function naiveAnswer(all: Readonly<Record<ListKind, NaiveEntry[]>>, search: string) {
  const results = LIST_KINDS.map((kind) => ({ kind, ids: naiveCheck(all[kind], search) }));
  const found = results.filter(({ ids }) => ids.length > 0);
  return found.some(({ kind }) => kind !== 'legit') ? found.filter(({ kind }) => kind !== 'legit') : found;
}

function toSorted({ kind, ids }: { readonly kind: string; readonly ids: readonly string[] }) {
  return { kind, ids: ids.toSorted() };
}

describe('the check by nick', () => {
  let db: Database;
  let serving: Serving;
  /** The index alone: it says when it cannot answer. */
  let names: NameCheck;
  let searches: SearchPool;
  let failures: unknown[];
  let random: Random;
  const bring = (list: ListKind, records: Parameters<typeof importRecords>[2]): Promise<void> =>
    importRecords(db, list, records);

  const draw = (list: ListKind) =>
    makeRecord({
      name: sampleName(random, list),
      views: random.below(5),
      reportedAt: NOW - random.below(3) * 1_000,
      verified: list === 'legit' || random.chance(0.5),
    });

  const open = (): void => {
    const onFailure = (error: unknown): void => void failures.push(error);
    serving = createServing(db, searches, onFailure);
    names = createNameCheck(db, new ServingReader(db, onFailure), onFailure);
  };
  const reopen = async (): Promise<void> => {
    serving.close();
    names.close();
    open();
    await Promise.all([serving.refresh(), names.refresh()]);
  };

  /**
   * Pieces of what is there, whole names, IDs, and what is nowhere.
   * @param isOrdered false: where all that is found is shown, in whatever order
   * @returns how many the index answered
   */
  const assertSame = async (questions: number, isOrdered = true): Promise<number> => {
    const all = Object.fromEntries(LIST_KINDS.map((list) => [list, readAll(db, list)])) as Record<
      ListKind,
      NaiveEntry[]
    >;
    const everybody = Object.values(all).flat();
    await pause(LOOK_MS);
    let byIndex = 0;
    for (let question = 0; question < questions; question++) {
      const { name, id } = random.pick(everybody);
      const letters = [...name];
      const from = random.below(letters.length);
      const piece = letters
        .slice(from, from + 1 + random.below(4))
        .join('')
        .trim();
      for (const search of [piece, name, id, `${name}q${question}`]) {
        if (search === '' || !search.isWellFormed()) continue;
        const expected = naiveAnswer(all, search);
        const answered = await serving.checkNick(search, 'body', asker);
        const indexed = await names.find(search, 'summary');
        if (indexed) byIndex += 1;
        for (const results of indexed ? [answered, indexed] : [answered]) {
          const ids = results.map(({ kind, found }) => ({
            kind,
            ids: found.map(({ text }) => /[0-9a-f]{24}/.exec(text.toString())?.[0] ?? ''),
          }));
          if (isOrdered) expect(ids, JSON.stringify(search)).toEqual(expected);
          else if (results.every(({ hasMore }) => !hasMore))
            expect(ids.map(toSorted), JSON.stringify(search)).toEqual(expected.map(toSorted));
        }
      }
    }
    if (isOrdered) await compareNicks(serving, readState(db), ['a', random.pick(everybody).name]);
    return byIndex;
  };

  const change = async (): Promise<void> => {
    const list = random.pick(LIST_KINDS);
    const present = readAll(db, list);
    const { id, views } = random.pick(present);
    switch (random.below(4)) {
      case 0:
        removeEntry(db, list, id, 'other', NOW);
        break;
      case 1:
        await bring(list, [{ ...draw(list), id, views }]);
        break;
      case 2:
        // The newest row's number is given again.
        removeEntry(db, list, present.at(-1)?.id ?? id, 'other', NOW);
        await bring(list, [draw(list)]);
        break;
      default:
        await bring(list, [draw(list), draw(list)]);
    }
  };

  /** The worker has followed, and this process reads what it made. */
  const keepAndReopen = async (): Promise<void> => {
    keepServing(db);
    await reopen();
  };

  beforeEach(async () => {
    db = await makeDatabase();
    failures = [];
    random = new Random(SEED);
    for (const list of LIST_KINDS)
      await bring(
        list,
        Array.from({ length: list === 'scammers' ? 120 : 40 }, () => draw(list)),
      );
    // The rule holds for entries that were not imported by this version too.
    db.connection.exec("UPDATE entries SET verified = 0 WHERE list = 'legit' AND row % 3 = 0");
    searches = createSearchPool({ databasePath: db.path, onThreadEnd: (error) => failures.push(error) });
    open();
    return async () => {
      serving.close();
      names.close();
      await searches.close();
      db.close();
      expect(failures).toEqual([]);
    };
  });

  it('needs no index: the thread looks at every name', async () => {
    await serving.refresh();
    expect(await assertSame(10)).toBe(0);
  });

  it('agrees with a new index, and after changes that the file or the index does not know of', async () => {
    await keepAndReopen();
    expect(await assertSame(20)).toBeGreaterThan(50);
    for (let step = 0; step < CHANGES; step++) {
      await change();
      expect(await assertSame(2)).toBeGreaterThan(4);
    }
    for (let step = 0; step < CHANGES; step++) {
      await change();
      if (step % 3 > 0) await change();
      keepServing(db);
      await pause(LOOK_MS);
      if (step % 4 === 0) await change();
      expect(await assertSame(2)).toBeGreaterThan(4);
    }
    await serving.refresh();
    await assertSame(10);
  });

  it('follows the views when the worker has', async () => {
    await keepAndReopen();
    db.connection.exec('UPDATE entries SET views = (row * 7919) % 11');
    db.connection.exec("INSERT OR REPLACE INTO properties (key, value) VALUES ('popularity', '1')");
    keepServing(db);
    await assertSame(20);
  });

  it('finds nothing of a name that was erased', async () => {
    await bring('scammers', [
      makeRecord({ id: 'marked', name: 'markernick' }),
      makeRecord({ name: 'markernicki' }),
    ]);
    await keepAndReopen();
    expect((await serving.checkNick('markernick', 'body', asker))[0]?.found).toHaveLength(2);
    removeEntry(db, 'scammers', 'marked', 'request', NOW);
    await eraseRemoved(db, dirname(db.path));
    await pause(LOOK_MS);
    const [result] = await serving.checkNick('markernick', 'body', asker);
    expect(result?.found.map(({ text }) => (JSON.parse(text.toString()) as { name: string }).name)).toEqual([
      'markernicki',
    ]);
    expect(await serving.checkNick('marked', 'body', asker)).toEqual([]);
    expect(await assertSame(10)).toBeGreaterThan(20);
  });

  it('does not forget whom an older file, put back in the place of a newer one, does not know', async () => {
    keepServing(db);
    const [path = ''] = listServingFiles(db.path);
    const older = `${db.path}.older`;
    const file = openToRead(path);
    file.connection.prepare('VACUUM INTO ?').run(older);
    file.close();
    for (let step = 0; step < 12; step++) await change();
    await keepAndReopen();
    await assertSame(5);
    removeServingFile(path);
    copyFileSync(older, path);
    await pause(CHOOSE_MS);
    // Its order is older than the index.
    await assertSame(20, false);
    keepServing(db);
    await pause(LOOK_MS);
    expect(await assertSame(20)).toBeGreaterThan(30);
  });

  it('agrees when the file is gone, and with another history', async () => {
    await keepAndReopen();
    rmSync(servingFolder(db.path), { recursive: true });
    await change();
    await pause(CHOOSE_MS);
    expect(await assertSame(10)).toBe(0);
    renewHistory(db);
    keepServing(db);
    await pause(CHOOSE_MS);
    await assertSame(10);
    await Promise.all([serving.refresh(), names.refresh()]);
    expect(await assertSame(10)).toBeGreaterThan(20);
  });

  it.each([CHANGES_MAX + 500, CHANGES_HELD_MAX + 500])(
    'agrees after %d changes, more than are looked through or held, before and after the index is made anew',
    async (changes) => {
      await keepAndReopen();
      // As if an import had touched every entry again and again.
      db.connection.exec(`INSERT INTO changes (at, op, list, entry_id)
        WITH RECURSIVE times (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM times WHERE n < ${Math.ceil(changes / 200)})
        SELECT 0, 'updated', list, entry_id FROM entries, times`);
      await assertSame(5);
      keepServing(db);
      await pause(LOOK_MS);
      await assertSame(5);
      await Promise.all([serving.refresh(), names.refresh()]);
      expect(await assertSame(10)).toBeGreaterThan(20);
    },
  );
});
