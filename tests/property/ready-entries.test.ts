/** Entries by ID out of the file that the worker makes, whatever has changed since, against a naive look at the tables. */
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { renewHistory } from '#src/changes/log-head.ts';
import type { Database } from '#src/db/database.ts';
import { entryFilePath, readEntryFileHeader } from '#src/entries/entry-file/entry-file.ts';
import { keepEntryFile } from '#src/entries/entry-file/keep-entry-file.ts';
import { CHANGES_HELD_MAX, createReadyEntries } from '#src/entries/entry-file/ready-entries.ts';
import type { ReadyEntries } from '#src/entries/entry-file/ready-entries.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { Random } from '../../scripts/sample/random.ts';
import { sampleName } from '../../scripts/sample/sample-name.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';

const SEED = 20261122;
const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

describe('entries by ID', () => {
  let db: Database;
  let entries: ReadyEntries;
  const failures: unknown[] = [];
  const random = new Random(SEED);
  /** Of every entry that there ever was. */
  const ids = new Set<string>();
  const open = (): ReadyEntries =>
    createReadyEntries(
      db,
      () => db.statement<{ seq: number }>('SELECT max(seq) AS seq FROM changes').get()?.seq ?? 0,
      (error) => failures.push(error),
    );
  const keep = (erasedTo?: number): Promise<object> =>
    keepEntryFile({ db, signal, erasedTo, now: Date.now() + HOUR_MS });

  /** What the tables hold, row by row. */
  const naiveAnswer = (id: string): Record<string, unknown> => {
    const rows = db.all(db.sql.selectFrom('entries').selectAll()).filter((row) => row.chat_id === id);
    const visible = rows.filter(({ list, verified }) => list !== 'legit' || verified === 1);
    return Object.fromEntries(
      visible.map((row) => [
        row.list,
        JSON.stringify({
          _id: row.entry_id,
          name: row.name,
          id: row.chat_id,
          descHtml: db.first(
            db.sql.selectFrom('contents').select('desc_html').where('content', '=', row.content),
          )?.desc_html,
          verified: row.verified === 1,
          proofsId: row.proofs_id,
          reportId: row.report_id,
        }),
      ]),
    );
  };
  const answer = (id: string): Record<string, unknown> =>
    Object.fromEntries(entries.findById(id).map(({ list, json }) => [list, json.toString()]));
  const assertSame = (questions: Iterable<string>): void => {
    for (const id of questions) expect(answer(id), id).toEqual(naiveAnswer(id));
  };
  /** How many of all IDs were answered without a look at the database. */
  const countFiled = (): number =>
    [...ids].filter((id) => {
      const found = entries.findById(id);
      return found.length > 0 && found.every(({ tag }) => tag !== undefined);
    }).length;

  const draw = (list: ListKind, id?: string) => {
    const record = makeRecord({
      name: random.chance(0.1) ? `","id":"${id ?? 'x'}","` : sampleName(random, list),
      reason: `**Powód** ${random.below(1_000)} ${'ż'.repeat(random.below(50))}`,
      verified: list === 'legit' || random.chance(0.5),
      ...(id !== undefined && { id }),
    });
    ids.add(record.id);
    return record;
  };

  const change = async (): Promise<void> => {
    const list = random.pick(LIST_KINDS);
    const id = random.pick([...ids]);
    const isThere = naiveAnswer(id)[list] !== undefined;
    if (isThere && random.chance(0.5)) removeEntry(db, list, id, 'other', NOW);
    // One that is there is changed; one that was removed may get the number of a row that another had.
    else await importRecords(db, list, [draw(list, id), ...(random.chance(0.5) ? [draw(list)] : [])]);
  };

  beforeAll(async () => {
    db = await makeDatabase();
    for (const list of LIST_KINDS) {
      const shared = [...ids].slice(0, 30);
      const records = Array.from({ length: 150 }, (_, at) => draw(list, shared[at]));
      await importRecords(db, list, records);
    }
    // The rule holds for entries that were not imported by this version too.
    db.connection.exec("UPDATE entries SET verified = 0 WHERE list = 'legit' AND row % 3 = 0");
    entries = open();
    return () => entries.close();
  });

  it('are read from the tables as long as there is no file', () => {
    assertSame(ids);
    expect(countFiled()).toBe(0);
  });

  it('come out of the file when it has been made', async () => {
    expect(await keep()).toMatchObject({ made: 'missing' });
    await entries.refresh();
    assertSame(ids);
    assertSame(['', '0', 'id', '100000000000000000']);
    expect(countFiled()).toBe([...ids].filter((id) => Object.keys(naiveAnswer(id)).length > 0).length);
  });

  it('are right after every change that the file does not know of', async () => {
    let erased = 0;
    for (let step = 0; step < 60; step += 1) {
      await change();
      if (step % 7 === 0) {
        const report = (await keep()) as { made?: string; erased?: number };
        expect(report.made).toBeUndefined();
        erased += report.erased ?? 0;
      }
      assertSame([...ids].slice(-20));
      assertSame(Array.from({ length: 20 }, () => random.pick([...ids])));
    }
    assertSame(ids);
    expect(countFiled()).toBeGreaterThan(200);
    expect(erased).toBeGreaterThan(10);
  });

  it('are right over a file from which old texts were erased', async () => {
    await keep();
    const before = entries;
    entries = open();
    await entries.refresh();
    assertSame(ids);
    expect(countFiled()).toBeGreaterThan(200);
    before.close();
  });

  it('are not taken from the file of another history', async () => {
    renewHistory(db);
    await change();
    assertSame(ids);
    expect(await keep()).toMatchObject({ made: 'another history' });
    await entries.refresh();
    assertSame(ids);
    expect(countFiled()).toBeGreaterThan(200);
  });

  it('are right while the file is damaged or gone, and after it was made again', async () => {
    const path = entryFilePath(db.path);
    const { recordBytes } = readEntryFileHeader(path);
    const bytes = readFileSync(path);
    // Texts, and the table of slots: one seen at the first look, the other when it is opened.
    for (const at of [1_024 + 700, 1_024 + recordBytes + 50]) {
      const broken = Buffer.from(bytes);
      for (let byte = at; byte < at + 400; byte += 1) broken.writeUInt8(broken.readUInt8(byte) ^ 1, byte);
      writeFileSync(path, broken);
      const again = open();
      await again.refresh();
      const before = entries;
      entries = again;
      assertSame(ids);
      entries = before;
      again.close();
    }
    truncateSync(path, bytes.length - 8);
    entries.close();
    entries = open();
    await entries.refresh();
    assertSame(ids);
    rmSync(path);
    assertSame(ids);
    expect(await keep(0)).toMatchObject({ made: 'missing' });
    await entries.refresh();
    assertSame(ids);
    expect(countFiled()).toBeGreaterThan(200);
    expect(failures.length).toBeGreaterThan(0);
  });

  it('are right after more changes than are held, before and after the file is made anew', async () => {
    const times = Math.ceil(CHANGES_HELD_MAX / 300);
    // As if an import had touched every entry again and again.
    db.connection.exec(`INSERT INTO changes (at, op, list, entry_id)
      WITH RECURSIVE times (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM times WHERE n < ${times})
      SELECT 0, 'updated', list, entry_id FROM entries, times`);
    assertSame(ids);
    expect(countFiled()).toBe(0);
    expect(await keep(0)).toMatchObject({ made: 'changes' });
    await entries.refresh();
    assertSame(ids);
    expect(countFiled()).toBeGreaterThan(200);
  });

  it('leave no old text in the file once they are changed or removed', async () => {
    const path = entryFilePath(db.path);
    for (const name of ['markername', 'otherwise']) {
      await importRecords(db, 'scammers', [makeRecord({ id: '100000000000000007', name })]);
      await importRecords(db, 'servers', [makeRecord({ id: '100000000000000007', name })]);
      rmSync(path, { force: true });
      await keep();
      expect(readFileSync(path).includes(name)).toBe(true);
      const { seq, made } = readEntryFileHeader(path);
      removeEntry(db, 'scammers', '100000000000000007', 'request', NOW);
      await importRecords(db, 'servers', [makeRecord({ id: '100000000000000007', name: 'new' })]);
      expect(await keep(seq)).toEqual({ erased: 2 });
      expect(readFileSync(path).includes(name)).toBe(false);
      expect(readEntryFileHeader(path).made).toBe(made);
      expect(answer('100000000000000007')).toEqual(naiveAnswer('100000000000000007'));
    }
  });
});
