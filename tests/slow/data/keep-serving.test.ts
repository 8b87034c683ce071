import { closeSync, existsSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { openDatabase } from '#src/db/database.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { createServingKeeper, eraseFromServing } from '#src/serving/keep-serving.ts';
import type { Serving } from '#src/serving/serving.ts';
import {
  copyServingFile,
  findState,
  isMarkedDamaged,
  listServingFiles,
  openToRead,
  openToWrite,
  servingFolder,
} from '#src/serving/serving-file.ts';
import { keepServing } from '../../support/keep-serving.ts';
import { openServing } from '../../support/open-serving.ts';
import type { OpenServing } from '../../support/open-serving.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import { insertManyEntries } from '../../support/many-entries.ts';
import {
  compareIds,
  compareLists,
  compareNicks,
  compareSearches,
  readState,
  ALL,
} from '../../support/read-model.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

/** Longer than a reader takes what it has seen for fresh. */
const LOOK_MS = 15;

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function open(db: Database): Promise<OpenServing> {
  const one = openServing(db);
  opened.push(one);
  await one.serving.refresh();
  return one;
}

async function assertAllRight(db: Database, serving: Serving): Promise<void> {
  const now = readState(db);
  await compareLists(serving, now, undefined, [0, 2]);
  await compareIds(serving, now, ['nobody', ...now.scammers.slice(0, 9).map(({ id }) => id)]);
  await compareNicks(serving, now, ['nick', 'k 1', 'żółw']);
  const queries = ['nick', 'powód', 'o', 'k1'].map((search) => ({
    list: 'scammers' as const,
    query: { ...ALL, search },
  }));
  await compareSearches(serving, now, undefined, undefined, queries);
}

const filePath = (db: Database): string => listServingFiles(db.path)[0] ?? '';

describe('the keeper of the serving file', () => {
  it('follows when the row of an entry was given again before the batch that tells of its removal', async () => {
    const db = await makeDatabase();
    const records = Array.from({ length: 5 }, (_, at) =>
      makeRecord({ reportId: `R-${at}`, verified: at < 4 }),
    );
    await importRecords(db, 'scammers', records);
    keepServing(db);
    const [moved, last] = [records[3], records[4]];
    if (!moved || !last) throw new Error('there are five');
    // More changes than one batch has, of an entry that then gets the row of another one.
    db.connection.exec(`INSERT INTO changes (at, op, list, entry_id)
      WITH RECURSIVE times (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM times WHERE n < 10000)
      SELECT 0, 'updated', 'scammers', entry_id FROM times, entries WHERE report_id = 'R-3'`);
    for (const { id } of [moved, last]) removeEntry(db, 'scammers', id, 'other', NOW);
    await importRecords(db, 'scammers', [makeRecord()]);
    await importRecords(db, 'scammers', [moved]);
    expect(db.statement('SELECT row FROM entries WHERE report_id = ?').pluck().get('R-3')).toBe(5);
    const path = filePath(db);
    keepServing(db);
    expect(filePath(db)).toBe(path);
    await assertAllRight(db, (await open(db)).serving);
  });

  it.each(['follows an import', 'makes a new file'])(
    'bounds the bytes of a batch when it %s',
    async (work) => {
      const db = await makeDatabase();
      if (work === 'follows an import') {
        await importRecords(db, 'scammers', [makeRecord()]);
        keepServing(db);
      }
      const long = Array.from({ length: 12 }, () => makeRecord({ reason: 'słowo '.repeat(700) }));
      await importRecords(db, 'scammers', long);
      const reasonBytes = Buffer.byteLength(long[0]?.reason ?? '');
      const countAll = (): { ready: number; searched: number } => {
        if (filePath(db) === '') return { ready: 0, searched: 0 };
        const file = openToRead(filePath(db));
        const rows = file.statement('SELECT row FROM ready').pluck().all() as number[];
        const queued = new Set(file.statement('SELECT row FROM text_queue').pluck().all());
        const through = findState(file)?.textThrough ?? Number.POSITIVE_INFINITY;
        file.close();
        return {
          ready: rows.length,
          searched: rows.filter((row) => row <= through && !queued.has(row)).length,
        };
      };
      const keeper = createServingKeeper(db, undefined, 3.5 * reasonBytes);
      opened.push(keeper);
      const counts = [countAll()];
      while (keeper.step()) counts.push(countAll());
      for (const what of ['ready', 'searched'] as const) {
        const steps = counts.slice(1).map((count, at) => count[what] - (counts[at]?.[what] ?? 0));
        expect(Math.max(...steps), `${what}: ${steps.join(' ')}`).toBeLessThanOrEqual(3);
      }
      await assertAllRight(db, (await open(db)).serving);
    },
  );

  it('keeps its file, and readers theirs, when it is the database that cannot be read', async () => {
    const db = await makeDatabase();
    await importRecords(
      db,
      'scammers',
      Array.from({ length: 40 }, (_, at) => makeRecord({ reason: `Powód ${at}. `.repeat(200) })),
    );
    keepServing(db);
    const { serving } = await open(db);
    const now = readState(db);
    const [edited] = now.scammers;
    if (!edited) throw new Error('there are forty');
    await importRecords(db, 'scammers', [makeRecord({ id: edited.id, reason: 'Inaczej. '.repeat(900) })]);
    const page = db.connection
      .prepare("SELECT max(pageno) FROM dbstat WHERE name = 'contents' AND pagetype = 'leaf'")
      .pluck()
      .get() as number;
    db.connection.pragma('wal_checkpoint(TRUNCATE)');
    const file = openSync(db.path, 'r+');
    writeSync(file, Buffer.alloc(4_096), 0, 4_096, (page - 1) * 4_096);
    closeSync(file);
    const damaged = openDatabase(db.path, 'read');
    opened.push(damaged);
    const keeper = createServingKeeper(damaged);
    expect(() => keeper.step()).toThrow('the database cannot be read');
    keeper.close();
    const path = filePath(db);
    expect(existsSync(path)).toBe(true);
    expect(isMarkedDamaged(path)).toBe(false);
    await pause(LOOK_MS);
    const other = openServing(damaged);
    opened.push(other);
    expect(() =>
      other.serving.list('scammers', ALL, 'body', { client: '', signal: new AbortController().signal }),
    ).toThrow('the database cannot be read');
    expect(isMarkedDamaged(path)).toBe(false);
    expect(serving).toBeDefined();
  });

  it('removes what belongs to no file: copies that were not finished, and logs of files that are gone', async () => {
    const db = await makeDatabase();
    await importRecords(db, 'scammers', [makeRecord()]);
    keepServing(db);
    const folder = servingFolder(db.path);
    for (const name of [
      '5.db.part',
      '5.db.part-journal',
      '6.db-wal',
      '6.db-shm',
      '6.db-journal',
      '7.db.damaged',
    ])
      writeFileSync(join(folder, name), 'nick');
    keepServing(db);
    expect(readdirSync(folder).map((name) => join(folder, name))).toEqual([filePath(db)]);
    writeFileSync(join(folder, '5.db.part'), 'nick');
    await eraseFromServing(db);
    expect(existsSync(join(folder, '5.db.part'))).toBe(false);
  });

  it('copies a file with gaps, which readers go over to', async () => {
    const db = await makeDatabase();
    insertManyEntries(db, 3_000);
    keepServing(db);
    const { serving, failures } = await open(db);
    const before = filePath(db);
    const file = openToWrite(before);
    copyServingFile(file, db.path);
    file.close();
    const after = filePath(db);
    expect(after).not.toBe(before);
    keepServing(db);
    expect(listServingFiles(db.path)).toEqual([after]);
    expect(readdirSync(servingFolder(db.path)).filter((name) => name.includes('.part'))).toEqual([]);
    const copy = openToRead(after);
    expect(copy.connection.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(findState(copy)?.textThrough).toBeNull();
    copy.close();
    await pause(1_050);
    expect(serving.popularity()).toContain(after);
    removeEntry(db, 'scammers', readState(db).scammers[7]?.id ?? '', 'other', NOW);
    keepServing(db);
    await pause(LOOK_MS);
    const now = readState(db);
    await compareIds(serving, now, ['nobody', now.scammers[8]?.id ?? '']);
    expect(serving.count('scammers')).toBe(2_999);
    expect(failures).toEqual([]);
  });

  it('takes one removed entry out of a large file without making it anew', async () => {
    const db = await makeDatabase();
    insertManyEntries(db, 2_000);
    keepServing(db);
    const path = filePath(db);
    removeEntry(db, 'scammers', readState(db).scammers[100]?.id ?? '', 'other', NOW);
    keepServing(db);
    expect(filePath(db)).toBe(path);
    await assertAllRight(db, (await open(db)).serving);
  });

  it('hears of names that cannot be read', async () => {
    const db = await makeDatabase();
    insertManyEntries(db, 2_000);
    keepServing(db);
    const path = filePath(db);
    const file = openToWrite(path);
    const page = file.connection
      .prepare("SELECT max(pageno) FROM dbstat WHERE name = 'placed' AND pagetype = 'leaf'")
      .pluck()
      .get() as number;
    file.connection.pragma('wal_checkpoint(TRUNCATE)');
    file.close();
    const bytes = openSync(path, 'r+');
    writeSync(bytes, Buffer.alloc(8_192), 0, 8_192, (page - 1) * 8_192);
    closeSync(bytes);
    const { serving, failures } = await open(db);
    expect(failures).toHaveLength(1);
    expect(isMarkedDamaged(path)).toBe(true);
    await compareNicks(serving, readState(db), ['nick 12', 'ck 77']);
    keepServing(db);
    expect(listServingFiles(db.path)).not.toContain(path);
    await assertAllRight(db, (await open(db)).serving);
  });
});
