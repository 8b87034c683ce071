import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLastChange } from '#src/changes/append-change.ts';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { migrateDatabase } from '#src/db/migrate.ts';
import { isCollationCurrent, rankAllNames } from '#src/entries/alphabet-rank.ts';
import { insertContent } from '#src/entries/contents.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { removeEntry, writeEntries } from '#src/entries/write-entries.ts';
import { NOW } from '../../support/make-entries.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const folder = makeFolder();
const collator = new Intl.Collator('pl');
let made = 0;

/** An empty database whose writes need not survive a power cut. */
async function makeFastDatabase(): Promise<Database> {
  const db = openDatabase(join(mkdtempSync(join(folder, 'alphabet-')), 'czujka.db'), 'write');
  onTestFinished(() => db.close());
  await migrateDatabase(db);
  db.connection.pragma('synchronous = OFF');
  return db;
}

/** Adds entries, or renames those whose chat ID is there already. @returns the number of rows that it touched */
function write(
  db: Database,
  entries: readonly { readonly chatId: string; readonly name: string }[],
  list: ListKind = 'scammers',
): number {
  const text = { reason: '', descHtml: '', visibleText: '', proofItems: [] };
  const writes = db.write(() =>
    entries.map(({ chatId, name }) => ({
      chatId,
      name,
      verified: true,
      reportedAt: NOW,
      views: 0,
      proofs: 'none' as const,
      reportId: `R-${(made += 1)}`,
      content: insertContent(db, text),
    })),
  );
  const before = countChangedRows(db);
  writeEntries(db, list, writes, readLastChange(db, list), NOW);
  return countChangedRows(db) - before;
}

function add(db: Database, names: readonly string[], list?: ListKind): number {
  return write(
    db,
    names.map((name) => ({ chatId: `chat ${(made += 1)}`, name })),
    list,
  );
}

function countChangedRows(db: Database): number {
  return db.statement<{ rows: number }>('SELECT total_changes() AS rows').get()?.rows ?? 0;
}

function expectAlphabetical(db: Database, list: ListKind = 'scammers'): void {
  const names = db
    .statement<{ name: string; entry_id: string }>(
      'SELECT name, entry_id FROM entries WHERE list = ? ORDER BY az_rank',
    )
    .all(list);
  const sorted = names.toSorted(
    (a, b) => collator.compare(a.name, b.name) || (a.entry_id < b.entry_id ? -1 : 1),
  );
  expect(names).toEqual(sorted);
  const unplaced = db.statement<{ count: number }>(
    'SELECT count(*) AS count FROM entries WHERE az_rank IS NULL',
  );
  expect(unplaced.get()?.count).toBe(0);
}

describe('the labels of a list', () => {
  it('follow the Polish alphabet, then _id', async () => {
    const db = await makeFastDatabase();
    add(db, [
      'źdźbło',
      'zebra',
      'Żółw',
      'łoś',
      'lis',
      'Lis',
      'ćma',
      'cma',
      'd',
      'ł',
      'z',
      'ż',
      'ź',
      '1',
      '🐢',
      'lis',
    ]);
    expectAlphabetical(db);
    const names = db.statement('SELECT name FROM entries ORDER BY az_rank').all() as { name: string }[];
    expect(names.map(({ name }) => name)).toEqual([
      '🐢',
      '1',
      'cma',
      'ćma',
      'd',
      'lis',
      'lis',
      'Lis',
      'ł',
      'łoś',
      'z',
      'zebra',
      'ź',
      'źdźbło',
      'ż',
      'Żółw',
    ]);
  });

  it('order names that the collator calls equal by _id', async () => {
    const db = await makeFastDatabase();
    add(db, ['nick', 'ni\u200bck', 'nick', 'ni\u0000ck', 'nick']);
    add(db, ['ni\u200bck']);
    expectAlphabetical(db);
  });

  it('stay right after any batches of additions, renames and removals, in any order', async () => {
    const name = fc.oneof(
      { weight: 3, arbitrary: fc.stringMatching(/^[aąbcćlłzźżAĄZ 1-]{1,4}$/) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }) },
    );
    const operation = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          kind: fc.constant('write' as const),
          entries: fc.uniqueArray(fc.record({ chatId: fc.nat({ max: 60 }).map(String), name }), {
            selector: ({ chatId }) => chatId,
            maxLength: 30,
          }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('remove' as const),
          chatId: fc.nat({ max: 60 }).map(String),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'rank all' as const }) },
    );
    const db = await makeFastDatabase();
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (operations) => {
        db.connection.exec('DELETE FROM entries');
        for (const step of operations) {
          if (step.kind === 'write') write(db, step.entries);
          else if (step.kind === 'remove') removeEntry(db, 'scammers', step.chatId, 'other', NOW);
          else rankAllNames(db);
          expectAlphabetical(db);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('of different lists do not meet', async () => {
    const db = await makeFastDatabase();
    for (const list of ['scammers', 'servers', 'legit'] as const) add(db, ['b', 'a', 'c'], list);
    for (const list of ['scammers', 'servers', 'legit'] as const) {
      add(db, ['ab', 'bc'], list);
      expectAlphabetical(db, list);
    }
  });
});

describe('a gap that is used up', () => {
  const number = (index: number): string => String(index).padStart(5, '0');

  it.each([
    ['upwards', (index: number) => `m${number(index)}`],
    ['downwards', (index: number) => `m${number(50_000 - index)}`],
    ['towards the middle', (index: number) => `m${index % 2 ? number(50_000 - index) : number(index)}`],
  ])('by 3,000 names one by one, %s, stays right and moves few others', async (_name, nameOf) => {
    const db = await makeFastDatabase();
    add(db, ['a', 'z']);
    const costs = Array.from({ length: 3_000 }, (_, index) => add(db, [nameOf(index)]));
    expectAlphabetical(db);
    const total = costs.reduce((sum, cost) => sum + cost, 0);
    expect(total / costs.length).toBeLessThan(30);
  });

  it('takes batches that spread over the crowd', async () => {
    const db = await makeFastDatabase();
    add(db, ['a', 'z']);
    for (let index = 0; index < 400; index += 1) add(db, [`m${number(index * 10)}`]);
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 4_000 }), { minLength: 2, maxLength: 60 }), (indexes) => {
        add(
          db,
          indexes.map((index) => `m${number(index)}`),
        );
        expectAlphabetical(db);
      }),
      { numRuns: 60 },
    );
  });

  it('takes a large batch between two neighbours', async () => {
    const db = await makeFastDatabase();
    add(db, ['a', 'z']);
    for (let index = 0; index < 100; index += 1) add(db, [`m${number(index)}`]);
    add(
      db,
      Array.from({ length: 5_000 }, (_, index) => `m00050 ${number((index * 7_919) % 5_000)}`),
    );
    expectAlphabetical(db);
  });
});

describe('another version of the collation data', () => {
  it('is noticed, and cured by labelling all names anew', async () => {
    const db = await makeFastDatabase();
    expect(isCollationCurrent(db)).toBe(false);
    rankAllNames(db);
    expect(isCollationCurrent(db)).toBe(true);
    add(db, ['b', 'a', 'c', 'ą']);
    db.connection.exec("UPDATE properties SET value = 'icu 1, cldr 1' WHERE key = 'collation'");
    db.connection.exec('UPDATE entries SET az_rank = -row');
    expect(isCollationCurrent(db)).toBe(false);
    rankAllNames(db);
    expect(isCollationCurrent(db)).toBe(true);
    expectAlphabetical(db);
  });
});
