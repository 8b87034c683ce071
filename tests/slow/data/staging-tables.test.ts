import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLogHead } from '#src/changes/change-log.ts';
import { openDatabase, type Database } from '#src/db/database.ts';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { toWrite, type EntryRow } from '#src/entries/entry-row.ts';
import { findEntryRowByChatId } from '#src/entries/find-entry-rows.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { writeEntries } from '#src/entries/staging-tables.ts';
import { removeEntry } from '../../support/change-log.ts';
import { importRecords, makeRecord, NOW, prepareImport } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { trials } from '../../support/trials.ts';

const FIRST_ID = 200_000_000_000_000_000n;
/** Numbers of the records that are in the lists at the beginning. */
const PRESENT: Readonly<Record<ListKind, readonly [number, number]>> = {
  scammers: [1, 150],
  servers: [10_001, 10_030],
  legit: [20_001, 20_010],
};
const ADDED_LAST = 350;
const ADDED_LAST_LARGE = 900;
const PROOFS = { private: false, items: [{ text: 'Dowód', url: 'https://example.com/' }] };

/** Records whose chat ID and report number follow from a number: the same in every database. */
function numberedRecords(
  first: number,
  last: number,
  facts: (number: number) => Partial<ImportRecordInput> = () => ({}),
): ImportRecordInput[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const number = first + index;
    return makeRecord({
      id: String(FIRST_ID + BigInt(number)),
      reportId: `R-${String(number).padStart(10, '0')}`,
      name: `${'żółw zebra ćma Ósmy ą'.split(' ')[number % 5]} ${(number * 7919) % 1009}`,
      reason: `Powód ${number}.`,
      reportedAt: NOW - number * 1000,
      ...facts(number),
    });
  });
}

/** Some of those that are there are left alone, renamed, given proofs or freed of them; the rest is added. */
const recordsTo = (last: number) =>
  numberedRecords(51, last, (number) => ({
    ...(number % 3 === 0 && { name: `inny ${number}` }),
    ...(number % 4 === 0 && { reason: `Inny powód ${number}.`, proofs: PROOFS }),
    ...(number % 8 === 1 && { proofs: { private: true, items: PROOFS.items } }),
    ...(number % 8 === 2 && { proofs: { private: false, items: [] } }),
    ...(number % 5 === 0 && { views: number }),
    ...(number % 7 === 0 && { verified: false }),
  }));
const IMPORTED = recordsTo(ADDED_LAST);
const GONE = IMPORTED[9]?.id ?? '';

/** Another handle is another process, as far as SQLite can tell. */
function openFast(path: string): Database {
  const db = openDatabase(path, 'write');
  onTestFinished(() => db.close());
  db.connection.pragma('synchronous = OFF');
  return db;
}

async function makeLists(): Promise<Database> {
  using made = await makeDatabase();
  const db = openFast(made.path);
  for (const list of LIST_KINDS) {
    const records = numberedRecords(...PRESENT[list], (number) =>
      number % 6 === 0 ? { proofs: PROOFS } : {},
    );
    await importRecords(db, list, records);
  }
  return db;
}

const STATE = {
  entries: `SELECT entries.*, NULL AS row, reason, card, json, (SELECT json_group_array(json_array(text, url, caption) ORDER BY position) FROM proof_items
        WHERE proof_items.row = entries.row) AS items
    FROM entries JOIN contents USING (row) LEFT JOIN published USING (row) ORDER BY list, entry_id`,
  changes: 'SELECT at, op, list, entry_id FROM changes ORDER BY list, entry_id, seq',
  tombstones: 'SELECT entry_id, report_id, list, removed_at, reason_code FROM tombstones ORDER BY entry_id',
  proofs: 'SELECT entry_id, at, proofs, items FROM proof_changes ORDER BY entry_id, change',
};

/** All that counts, without the numbers that differ between databases of the same contents. */
function readState(db: Database): Record<string, unknown[]> {
  return db.read(() =>
    Object.fromEntries(Object.entries(STATE).map(([name, sql]) => [name, db.statement(sql).all()])),
  );
}

/** @returns what makes the import, which has no files, count */
async function stageImport(
  db: Database,
  list: ListKind,
  records: readonly ImportRecordInput[],
): Promise<() => void> {
  const commit = await prepareImport(db, list, records, NOW + 1);
  return () => db.write(commit);
}

function expectSound(db: Database): void {
  expect(db.connection.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.connection.pragma('foreign_key_check')).toEqual([]);
  expect(db.connection.pragma('foreign_keys', { simple: true })).toBe(1);
}

/** Others may write to the lists that are not imported, and count views of all. */
const opArbitrary = fc.oneof(
  fc.record({
    kind: fc.constant('views'),
    list: fc.constantFrom(...LIST_KINDS),
    at: fc.nat(400),
    count: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    kind: fc.constantFrom('write', 'remove', 'add'),
    list: fc.constantFrom('servers', 'legit'),
    at: fc.nat(400),
    count: fc.constantFrom(1, 3, 60),
  }),
);
type Op = typeof opArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

function chatIdOf(list: ListKind, at: number): string {
  const [first, last] = PRESENT[list];
  return String(FIRST_ID + BigInt(first + (at % (last - first + 1))));
}

/** @param made first number of the entries that are added */
async function apply(db: Database, op: Op, made: number): Promise<void> {
  const chatId = chatIdOf(op.list, op.at);
  if (op.kind === 'views') {
    db.statement('UPDATE entries SET views = views + ? WHERE chat_id = ?').run(op.count, chatId);
    return;
  }
  if (op.kind === 'remove') return void removeEntry(db, op.list, chatId, 'mistake', NOW);
  const number = Number(BigInt(chatId) - FIRST_ID);
  const [first, last] = op.kind === 'add' ? [made, made + op.count - 1] : [number, number];
  const records = numberedRecords(first, last, (each) => ({
    name: `${op.kind} ${(each * 31) % 97} ${each}`,
    reason: `${op.kind} ${each}.`,
  }));
  await importRecords(db, op.list, records);
}

describe('a large import', () => {
  it('counts as small ones do, in the order of its records', async () => {
    const records = recordsTo(ADDED_LAST_LARGE);
    const large = await makeLists();
    const { seq } = readLogHead(large);
    (await stageImport(large, 'scammers', records))();
    const small = await makeLists();
    for (let start = 0; start < records.length; start += 100) {
      (await stageImport(small, 'scammers', records.slice(start, start + 100)))();
    }
    expect(readState(large)).toEqual(readState(small));
    expectSound(large);
    const order = large.connection
      .prepare(
        `SELECT chat_id FROM changes JOIN entries USING (entry_id)
         WHERE seq > ? AND changes.list = 'scammers' ORDER BY seq`,
      )
      .pluck()
      .all(seq);
    expect(order).toEqual(records.map(({ id }) => id).filter((id) => order.includes(id)));
    expect(order.length).toBeGreaterThan(ADDED_LAST_LARGE - 100);
    const sizes = ['entries', 'contents', 'published'].map((table) =>
      large.connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
    );
    expect(new Set(sizes).size).toBe(1);
  });

  it('loses nothing that others write while it is staged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(opArbitrary, { maxLength: 8 }), async (ops) => {
        const db = await makeLists();
        const other = openFast(db.path);
        const commit = await stageImport(db, 'scammers', IMPORTED);
        for (const [at, op] of ops.entries()) await apply(other, op, 1_000_000 + at * 1_000);
        commit();
        expectSound(db);

        const expected = await makeLists();
        for (const [at, op] of ops.entries()) await apply(expected, op, 1_000_000 + at * 1_000);
        (await stageImport(expected, 'scammers', IMPORTED))();
        expect(readState(db)).toEqual(readState(expected));
      }),
      { numRuns: trials(6, 40), seed: 20261122 },
    );
  });

  it.each<[string, (other: Database) => unknown]>([
    ['one of them is removed', (other) => removeEntry(other, 'scammers', GONE, 'mistake', NOW)],
    [
      'one of these IDs is added with another report number',
      (other) => importRecords(other, 'scammers', [makeRecord({ id: IMPORTED.at(-1)?.id ?? '' })]),
    ],
    [
      'an entry of another list takes one of its report numbers',
      (other) => apply(other, { kind: 'add', list: 'servers', at: 0, count: 1 }, ADDED_LAST),
    ],
  ])('changes nothing when meanwhile %s', async (_what, meddle) => {
    const db = await makeLists();
    const commit = await stageImport(db, 'scammers', IMPORTED);
    await meddle(openFast(db.path));
    const before = readState(db);
    expect(commit).toThrow(
      /^the entry \d+ of \w+ was changed meanwhile at 2026-\S+Z by somebody; nothing was written; look at it with "entry show" or "proofs show" before you repeat the command$/,
    );
    expect(readState(db)).toEqual(before);
    expectSound(db);
  });
});

describe('one write', () => {
  it('takes back a removal when it has the same report number', async () => {
    const db = await makeLists();
    const [record, other] = [makeRecord({ reportId: 'R-BACK', proofs: PROOFS }), makeRecord()];
    await importRecords(db, 'legit', [record, other]);
    for (const { id } of [record, other]) removeEntry(db, 'legit', id, 'mistake', NOW);
    await importRecords(db, 'legit', [record]);
    const state = readState(db);
    expect(state['tombstones']).toEqual([expect.not.objectContaining({ report_id: 'R-BACK' })]);
    expect(state['proofs']).toContainEqual(expect.objectContaining({ proofs: 'public', items: 1 }));
  });

  it('leaves the last change and the views as they are where it says so', async () => {
    const db = await makeLists();
    db.statement("UPDATE entries SET views = 7 WHERE list = 'legit'").run();
    const before = findEntryRowByChatId(db, 'legit', chatIdOf('legit', 0)) as EntryRow;
    const written = { name: 'inaczej', proofs: 'none', reported_at: NOW, updated_at: 5 } as const;
    const options = { comparedAtSeq: readLogHead(db).seq, now: NOW + 1 };
    writeEntries(db, [{ ...toWrite(before), ...written }], options);
    expect(findEntryRowByChatId(db, 'legit', before.chat_id)).toEqual({
      ...before,
      ...written,
      proofs_id: null,
    });
  });
});
