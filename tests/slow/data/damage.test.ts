/**
 * A serving file that is not what was written: what is answered is right, or that it has to be asked again later, and in
 * searches hits may be missing; the process goes on, and the file is made anew.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { SORTS } from '#src/entries/list-query.ts';
import type { ListQuery } from '#src/entries/list-query.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { checkServing } from '#src/serving/keep-serving.ts';
import { NotReadyError, SearchEngine } from '#src/serving/search-engine.ts';
import { OverloadedError } from '#src/turns/overloaded-error.ts';
import type { SearchPool } from '#src/serving/search-pool.ts';
import { createServing } from '#src/serving/serving.ts';
import type { Serving } from '#src/serving/serving.ts';
import {
  isDamage,
  isMarkedDamaged,
  listServingFiles,
  openToRead,
  openToWrite,
  removeServingFile,
  servingFolder,
} from '#src/serving/serving-file.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { keepServing } from '../../support/keep-serving.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import {
  ALL,
  ask,
  assertSound,
  compareIds,
  compareLists,
  compareNicks,
  compareSearches,
  listAll,
  readState,
  toAnswer,
} from '../../support/read-model.ts';
import type { State } from '../../support/read-model.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { trials } from '../../support/trials.ts';

const SEED = 20261123;
/** Pages that are damaged in turn, each in another table or index as long as there are such. */
const PLACES = trials(4, 64);
/** As numbers of bytes, as shares of the file, and from its end. */
const LENGTHS = [0, 8_192, 0.5, -1, 1, 100, 4_096, 12_000, 65_536, 0.9].slice(0, trials(4, 10));
/** Longer than a reader takes what it has seen for fresh. */
const PAUSE_MS = 12;
const SEARCHES = ['powód', 'nick 1', 'żółw', 'a', 'w2', '1000', 'nigdzie', 'po'];

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** Searches in this thread, answered as the other one does: a thread for each file would take the time of the test. */
function createPool(db: Database): SearchPool {
  const engine = new SearchEngine(db, () => {});
  return {
    find: async (task) => {
      try {
        return engine.answer(task, () => {});
      } catch (error) {
        if (error instanceof NotReadyError || isDamage(error)) throw new OverloadedError(1);
        throw error;
      }
    },
    start() {},
    load: 0,
    close: async () => {},
  };
}

async function open(db: Database): Promise<Serving> {
  const serving = createServing(db, createPool(db), () => {});
  opened.push(serving);
  await serving.refresh();
  return serving;
}

/** Asks; undefined when it was told to come again later. */
async function unlessLater<T>(question: () => Promise<T>): Promise<T | undefined> {
  try {
    return await question();
  } catch (error) {
    if (error instanceof OverloadedError) return undefined;
    throw error;
  }
}

/** Nothing wrong in any answer. @returns whether every search was answered in full */
async function assertNothingWrong(serving: Serving, now: State): Promise<boolean> {
  const ids = LIST_KINDS.flatMap((list) => now[list].filter((_, at) => at % 40 === 0).map(({ id }) => id));
  await compareIds(serving, now, [...ids, 'nobody']);
  for (const [at, sort] of SORTS.entries()) {
    for (const [list, skip] of [
      ['scammers', 0],
      ['scammers', 97 + at * 20],
      ['servers', at * 7],
    ] as const) {
      const query: ListQuery = { ...ALL, sort, skip, status: at % 2 ? 'all' : 'verified' };
      const column = at % 2 ? 'body' : 'summary';
      const answer = await unlessLater(() => ask(serving, list, query, column));
      const right = toAnswer(listAll(now[list], list, query), query, column);
      if (answer) expect(answer, JSON.stringify({ list, ...query })).toEqual(right);
    }
  }
  await unlessLater(() => compareNicks(serving, now, ['nick 12', 'ick', 'żółw', '10000000000', 'c']));
  let isFull = true;
  for (const search of SEARCHES) {
    const query = { ...ALL, search };
    const answer = await unlessLater(() => ask(serving, 'scammers', query, 'body'));
    if (answer) assertSound(answer, now.scammers, search, search);
    isFull &&= answer?.total === listAll(now.scammers, 'scammers', query).length;
  }
  return isFull;
}

async function assertAllRight(db: Database, now: State): Promise<void> {
  const serving = await open(db);
  await compareLists(serving, now, undefined, [0, 11]);
  await compareIds(serving, now, ['nobody', ...now.scammers.slice(0, 20).map(({ id }) => id)]);
  await compareNicks(serving, now, ['nick 12', 'żółw', 'c']);
  await compareSearches(
    serving,
    now,
    undefined,
    undefined,
    SEARCHES.map((search) => ({ list: 'scammers', query: { ...ALL, search } })),
  );
}

describe('a damaged serving file', () => {
  let db: Database;
  /** A whole one, without files beside it. */
  let whole: string;
  let now: State;
  let number = 1;

  /** The whole file again, under a name that none has had. */
  const putBack = (): string => {
    for (const path of listServingFiles(db.path)) removeServingFile(path);
    number += 1;
    const path = join(servingFolder(db.path), `${number}.db`);
    copyFileSync(whole, path);
    return path;
  };

  /** What finds it is the reader, the keeper, or the worker's daily check. */
  const assertMadeAnew = async (path: string): Promise<void> => {
    if (!isMarkedDamaged(path)) checkServing(db.path);
    keepServing(db);
    expect(await assertNothingWrong(await open(db), now), 'every search in full').toBe(true);
  };

  beforeAll(async () => {
    db = await makeDatabase();
    const random = new Random(SEED);
    for (const list of LIST_KINDS) {
      const records = Array.from({ length: list === 'scammers' ? 420 : 60 }, (_, at) =>
        makeRecord({
          name: at % 7 === 0 ? `żółw ${at}` : `nick ${at}`,
          reason: `Powód ${at}: ${Array.from({ length: 60 + (at % 100) * (at % 13 === 0 ? 20 : 1) }, () => `w${random.below(400)}`).join(' ')}`,
          verified: list === 'legit' || at % 3 > 0,
          views: at % 11,
        }),
      );
      await importRecords(db, list, records);
    }
    keepServing(db);
    // Something that changed after it was made: queues and leftovers hold rows then.
    removeEntry(db, 'scammers', readState(db).scammers[5]?.id ?? '', 'other', NOW);
    const edited = readState(db).scammers.slice(10, 40);
    await importRecords(
      db,
      'scammers',
      edited.map(({ id }) => makeRecord({ id, name: `nick ${id.slice(-3)}` })),
    );
    keepServing(db);
    now = readState(db);
    whole = `${db.path}.whole`;
    const [path = ''] = listServingFiles(db.path);
    const file = openToWrite(path);
    file.connection.pragma('wal_checkpoint(TRUNCATE)');
    file.close();
    renameSync(path, whole);
  });

  describe.each(['zeros', 'noise'] as const)('with a page of %s', (kind) => {
    it(`answers nothing wrong at ${PLACES} places in turn, and is made anew`, async () => {
      const random = new Random(SEED, kind === 'noise' ? 1 : 0);
      const probe = openToRead(putBack());
      const pageBytes = probe.connection.pragma('page_size', { simple: true }) as number;
      const pages = probe.connection.prepare<[], Page>('SELECT name, pageno FROM dbstat').all();
      probe.close();
      const silent: string[] = [];
      for (const [at, { name, pageno }] of choosePages(pages, random).entries()) {
        const path = putBack();
        const before = await open(db);
        await ask(before, 'scammers', ALL, 'body');
        await ask(before, 'scammers', { ...ALL, search: 'nick 1' }, 'summary');
        const bytes =
          kind === 'zeros'
            ? Buffer.alloc(pageBytes)
            : Buffer.from(Array.from({ length: pageBytes }, () => random.below(256)));
        const file = openSync(path, 'r+');
        writeSync(file, bytes, 0, pageBytes, (pageno - 1) * pageBytes);
        closeSync(file);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        try {
          await assertNothingWrong(before, now);
          const after = await open(db);
          const isFull = await assertNothingWrong(after, now);
          const isFound = isMarkedDamaged(path) || checkServing(db.path).length > 0;
          if (!isFound && !isFull) silent.push(`${name} ${pageno}`);
          if (at % 4 === 3) {
            await assertMadeAnew(path);
            await assertAllRight(db, now);
          }
        } catch (error) {
          throw new Error(`${kind} in page ${pageno}, ${name}: ${(error as Error).message}`, {
            cause: error,
          });
        }
        for (const one of opened.splice(0)) one.close();
      }
      expect(silent).toEqual([]);
    }, 300_000);
  });

  it.each([
    ['of a reason', 'Powód ', 'Powood '],
    ['of a name', '"name":"nick ', '"name":"Nick '],
    ['of what a row of a list shows', ',"nick ', ',"Nick '],
  ])('with another letter %s, in all entries', async (_what, from, to) => {
    const path = putBack();
    const before = await open(db);
    const bytes = readFileSync(path).toString('latin1');
    const inFile = (text: string): string => Buffer.from(text).toString('latin1');
    const changed = bytes.replaceAll(inFile(from), inFile(to));
    expect(changed.length).toBe(bytes.length);
    expect(changed).not.toBe(bytes);
    writeFileSync(path, changed, 'latin1');
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    await assertNothingWrong(before, now);
    await assertNothingWrong(await open(db), now);
    expect(isMarkedDamaged(path)).toBe(true);
    await assertMadeAnew(path);
  });

  it.each(LENGTHS)('that ends after %d bytes', async (length) => {
      const path = putBack();
      const { size } = statSync(path);
      const before = await open(db);
      await assertNothingWrong(before, now);
      const cut = `${db.path}.cut`;
      copyFileSync(path, cut);
      truncateSync(cut, length < 0 ? size + length : length < 1 ? Math.floor(size * length) : length);
      // Whoever has it open keeps the other one.
      renameSync(cut, path);
      await assertNothingWrong(before, now);
      await assertNothingWrong(await open(db), now);
      await assertMadeAnew(path);
  });

  it('of another history', async () => {
    const path = putBack();
    const file = openToWrite(path);
    file.statement("UPDATE state SET history = 'another'").run();
    file.close();
    await assertNothingWrong(await open(db), now);
    await assertMadeAnew(path);
    expect(existsSync(path)).toBe(false);
  });

  it('with the -wal of an earlier state of its own', async () => {
    const path = putBack();
    const reader = openToRead(path);
    const wal = `${db.path}.kept-wal`;
    // It stays as long as somebody reads.
    const copyWal = (): void => copyFileSync(`${path}-wal`, wal);
    const edited = now.scammers.slice(50, 60);
    for (const { id } of edited)
      await importRecords(db, 'scammers', [makeRecord({ id, name: `stary ${id}` })]);
    keepServing(db);
    copyWal();
    for (const { id } of edited) removeEntry(db, 'scammers', id, 'other', NOW);
    keepServing(db);
    reader.close();
    const file = openToWrite(path);
    file.connection.pragma('wal_checkpoint(TRUNCATE)');
    file.close();
    now = readState(db);
    expect(existsSync(`${path}-wal`)).toBe(false);
    renameSync(wal, `${path}-wal`);
    try {
      await assertNothingWrong(await open(db), now);
      keepServing(db);
      await assertAllRight(db, now);
    } finally {
      rmSync(whole);
      keepServing(db);
      const made = openToRead(listServingFiles(db.path)[0] ?? '');
      made.connection.prepare('VACUUM INTO ?').run(whole);
      made.close();
    }
  });

  it('with the -wal of another one', async () => {
    const other = await makeDatabase();
    await importRecords(
      other,
      'scammers',
      Array.from({ length: 300 }, (_, at) => makeRecord({ name: `nick ${at}` })),
    );
    keepServing(other);
    const [otherPath = ''] = listServingFiles(other.path);
    const reader = openToRead(otherPath);
    const edits = readState(other).scammers.slice(0, 200);
    await importRecords(
      other,
      'scammers',
      edits.map(({ id }) => makeRecord({ id })),
    );
    keepServing(other);
    const path = putBack();
    copyFileSync(`${otherPath}-wal`, `${path}-wal`);
    reader.close();
    await assertNothingWrong(await open(db), now);
    await assertMadeAnew(path);
  });

  it('beside a copy that was not finished', async () => {
    const path = putBack();
    const half = join(servingFolder(db.path), `${number + 1}.db`);
    copyFileSync(path, half);
    truncateSync(half, 100_000);
    writeFileSync(`${half}-journal`, Buffer.alloc(512));
    await assertNothingWrong(await open(db), now);
    keepServing(db);
    await assertAllRight(db, now);
    expect(readdirSync(servingFolder(db.path)).filter((name) => name.startsWith(String(number + 1)))).toEqual(
      [],
    );
  });

  it('that is a text', async () => {
    const path = putBack();
    const before = await open(db);
    rmSync(path);
    writeFileSync(path, 'To nie jest baza danych. '.repeat(2_000));
    await assertNothingWrong(before, now);
    await assertNothingWrong(await open(db), now);
    await assertMadeAnew(path);
    expect(
      readFileSync(listServingFiles(db.path)[0] ?? '')
        .subarray(0, 6)
        .toString(),
    ).toBe('SQLite');
  });
});

interface Page {
  readonly name: string;
  readonly pageno: number;
}

/** A page of each table and index in turn, in an order that is drawn. */
function choosePages(pages: readonly Page[], random: Random): readonly Page[] {
  const tables = Object.values(Object.groupBy(pages, ({ name }) => name))
    .map((own = []) => ({ own, place: random.unit() }))
    .toSorted((one, other) => one.place - other.place);
  return Array.from({ length: PLACES }, (_, at) => random.pick(tables[at % tables.length]?.own ?? []));
}
