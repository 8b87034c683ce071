/** The check by nick over the index that the worker makes, whatever has changed since, against a naive one. */
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { createNameCheck } from '#src/entries/check-by-name.ts';
import type { NameCheck } from '#src/entries/check-by-name.ts';
import { CHANGES_HELD_MAX } from '#src/entries/changed-names.ts';
import { keepNameIndex } from '#src/entries/keep-name-index.ts';
import { nameIndexPath, readNameIndexHeader } from '#src/entries/name-index-file.ts';
import { keepEntryFile } from '#src/entries/entry-file/keep-entry-file.ts';
import { createReadyEntries, findReadyEntry } from '#src/entries/entry-file/ready-entries.ts';
import type { ReadyEntries } from '#src/entries/entry-file/ready-entries.ts';
import { LIST_KINDS, toListEntry } from '#src/entries/entry.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { findEntryByRow } from '#src/entries/read-entry.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { readLogHead, renewHistory } from '#src/changes/log-head.ts';
import { Random } from '../../scripts/sample/random.ts';
import { sampleName } from '../../scripts/sample/sample-name.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { naiveCheck } from '../support/naive-lists.ts';
import type { NaiveEntry } from '../support/naive-lists.ts';
import { makeDatabase } from '../support/temporary-database.ts';

const SEED = 20261121;
const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

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

function naiveAnswer(db: Database, search: string) {
  const results = LIST_KINDS.map((kind) => ({ kind, ids: naiveCheck(readAll(db, kind), search) }));
  const found = results.filter(({ ids }) => ids.length > 0);
  return found.some(({ kind }) => kind !== 'legit') ? found.filter(({ kind }) => kind !== 'legit') : found;
}

/** Questions that were answered without a look at the database. */
let answeredByFile = 0;

/** Asked for entries of the database, and for those of the entry file: the same. */
async function answer(db: Database, names: NameCheck, entries: ReadyEntries, search: string) {
  const results = await names.find(search, (row) => findEntryByRow(db, row));
  const filed = entries.filed();
  const ready =
    (filed && names.findFiled(search, filed)) ?? (await names.find(search, (row) => findReadyEntry(db, row)));
  if (ready.some(({ found }) => found.some(({ tag }) => tag !== undefined))) answeredByFile += 1;
  expect(
    ready.map(({ kind, found }) => ({ kind, found: found.map(({ json }) => json.toString()) })),
    JSON.stringify(search),
  ).toEqual(
    results.map(({ kind, found }) => ({
      kind,
      found: found.map(({ entry }) => JSON.stringify(toListEntry(entry))),
    })),
  );
  return results.map(({ kind, found }) => ({ kind, ids: found.map(({ entryId }) => entryId) }));
}

describe('the check by nick', () => {
  let db: Database;
  let names: NameCheck;
  let entries: ReadyEntries;
  const failures: unknown[] = [];
  const random = new Random(SEED);
  const keep = async (erasedTo?: number): Promise<object> => {
    const options = { db, signal, erasedTo, now: Date.now() + HOUR_MS };
    await keepEntryFile(options);
    await entries.refresh();
    return keepNameIndex(options);
  };

  const draw = (list: ListKind) =>
    makeRecord({
      name: sampleName(random, list),
      views: random.below(5),
      reportedAt: NOW - random.below(3) * 1_000,
      verified: list === 'legit' || random.chance(0.5),
    });

  /** Pieces of what is there, whole names, IDs, and what is nowhere. */
  const assertSame = async (questions: number): Promise<void> => {
    const all = LIST_KINDS.flatMap((list) => readAll(db, list));
    for (let question = 0; question < questions; question++) {
      const { name, id } = random.pick(all);
      const letters = [...name];
      const from = random.below(letters.length);
      const piece = letters
        .slice(from, from + 1 + random.below(4))
        .join('')
        .trim();
      for (const search of [piece, name, id, `${name}q${question}`]) {
        if (search === '' || !search.isWellFormed()) continue;
        expect(await answer(db, names, entries, search), JSON.stringify(search)).toEqual(
          naiveAnswer(db, search),
        );
      }
    }
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
        await importRecords(db, list, [{ ...draw(list), id, views }]);
        break;
      case 2:
        // The newest row's number is given again.
        removeEntry(db, list, present.at(-1)?.id ?? id, 'other', NOW);
        await importRecords(db, list, [draw(list)]);
        break;
      default:
        await importRecords(db, list, [draw(list), draw(list)]);
    }
  };

  beforeAll(async () => {
    db = await makeDatabase();
    for (const list of LIST_KINDS) {
      await importRecords(
        db,
        list,
        Array.from({ length: list === 'scammers' ? 350 : 80 }, () => draw(list)),
      );
    }
    // The rule holds for entries that were not imported by this version too.
    db.connection.exec("UPDATE entries SET verified = 0 WHERE list = 'legit' AND row % 3 = 0");
    names = createNameCheck(db, (error) => failures.push(error));
    entries = createReadyEntries(
      db,
      () => readLogHead(db).seq,
      (error) => failures.push(error),
    );
    return () => {
      names.close();
      entries.close();
    };
  });

  it('needs no index as long as the change log is short', async () => {
    await names.refresh();
    await assertSame(40);
  });

  it('agrees when the index has just been made', async () => {
    expect(await keep()).toMatchObject({ made: 'missing' });
    await names.refresh();
    expect(answeredByFile).toBe(0);
    await assertSame(40);
    expect(answeredByFile).toBeGreaterThan(40);
  });

  it('agrees after every change that the index does not know of', async () => {
    answeredByFile = 0;
    for (let step = 0; step < 30; step++) {
      await change();
      await assertSame(2);
    }
    expect(answeredByFile).toBeGreaterThan(40);
    expect(await keep()).not.toHaveProperty('made');
    await assertSame(40);
  });

  it('agrees with a file from which names were erased', async () => {
    const again = createNameCheck(db, (error) => failures.push(error));
    await again.refresh();
    const before = names;
    names = again;
    await assertSame(30);
    before.close();
  });

  it('follows the views when they are said to have changed, and not before', async () => {
    db.connection.exec('UPDATE entries SET views = (row * 7919) % 11');
    expect(await keep()).not.toHaveProperty('made');
    db.connection.exec("INSERT OR REPLACE INTO properties (key, value) VALUES ('popularity', '1')");
    expect(await keep()).toMatchObject({ made: 'views' });
    await names.refresh();
    await assertSame(40);
  });

  it('does not take the index of another history for its own', async () => {
    renewHistory(db);
    await assertSame(20);
    expect(await keep()).toMatchObject({ made: 'another history' });
    await names.refresh();
    await assertSame(40);
  });

  it('makes a file again that is damaged or gone, and answers meanwhile', async () => {
    const path = nameIndexPath(db.path);
    const size = readFileSync(path).length;
    truncateSync(path, size - 8);
    await names.refresh();
    await assertSame(10);
    expect(await keep()).toMatchObject({ made: 'missing' });
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(size - 100) ^ 1, size - 100);
    writeFileSync(path, bytes);
    expect(await keep()).toMatchObject({ made: 'missing' });
    rmSync(path);
    await names.refresh();
    await assertSame(10);
    expect(await keep(0)).toMatchObject({ made: 'missing' });
    await names.refresh();
    await assertSame(10);
  });

  it('agrees after more changes than are held, before and after the index is made anew', async () => {
    // As if an import had touched every entry again and again.
    db.connection.exec(`INSERT INTO changes (at, op, list, entry_id)
      WITH RECURSIVE times (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM times WHERE n < ${CHANGES_HELD_MAX / 400})
      SELECT 0, 'updated', list, entry_id FROM entries, times`);
    await assertSame(10);
    expect(await keep(0)).toMatchObject({ made: 'changes' });
    await names.refresh();
    await assertSame(20);
  });

  it('overwrites the name of a removed entry in the file, and leaves no other copy', async () => {
    await importRecords(db, 'scammers', [makeRecord({ id: 'marked', name: 'markernick' })]);
    const path = nameIndexPath(db.path);
    rmSync(path);
    await keep();
    expect(readFileSync(path).includes('markernick')).toBe(true);
    const { seq, made } = await readNameIndexHeader(path);
    removeEntry(db, 'scammers', 'marked', 'request', NOW);
    expect(await keep(seq)).toEqual({ erased: 1 });
    expect(readFileSync(path).includes('marker')).toBe(false);
    expect((await readNameIndexHeader(path)).made).toBe(made);
    expect(await answer(db, names, entries, 'markernick')).toEqual([]);
  });

  it('told of the files that could not be used, each once', () => {
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.length).toBeLessThan(5);
  });
});
