import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readLastChange } from '#src/changes/append-change.ts';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { compareNames, rankAllNames } from '#src/entries/alphabet-rank.ts';
import { insertContent } from '#src/entries/contents.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { dropLeftNext, holdNext } from '#src/entries/next-entries.ts';
import { findRow, ListChangedError, removeEntry, writeEntries } from '#src/entries/write-entries.ts';
import { STAGED_BULK_FROM } from '#src/entries/write-staged-entries.ts';
import { importRecords, NOW } from '../../support/make-entries.ts';
import { numberedRecords, readState, stageImport } from '../../support/stage-import.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

/** Numbers of the records that are in the lists at the beginning. */
const PRESENT: Readonly<Record<ListKind, readonly [number, number]>> = {
  scammers: [1, 300],
  servers: [10_001, 10_060],
  legit: [20_001, 20_020],
};
const ADDED_LAST = 1_200;
/** How often others get their turn when nobody uses it: the copy, its indexes, the exchange, the end of the old table. */
const TURNS = 25;
/** Those of them before it counts. */
const TURNS_BEFORE = 12;
const PROOFS = { private: false, items: [{ text: 'Dowód', url: 'https://example.com/' }] };

/** Some of those that are there are left alone, renamed, given proofs or freed of them; the rest is added. */
const IMPORTED = numberedRecords(101, ADDED_LAST, (number) => ({
  ...(number % 3 === 0 && { name: `inny ${number}` }),
  ...(number % 4 === 0 && { reason: `Inny powód ${number}.`, proofs: PROOFS }),
  ...(number % 8 === 1 && { proofs: { private: true, items: PROOFS.items } }),
  ...(number % 8 === 2 && { proofs: { private: false, items: [] } }),
  ...(number % 5 === 0 && { views: number }),
  ...(number % 7 === 0 && { verified: false }),
}));

async function makeLists(): Promise<Database> {
  const db = await makeDatabase();
  onTestFinished(() => db.close());
  db.connection.pragma('synchronous = OFF');
  // As every process of the operator does when it opens a database.
  rankAllNames(db);
  for (const list of ['scammers', 'servers', 'legit'] as const) {
    const records = numberedRecords(...PRESENT[list], (number) =>
      number % 6 === 0 ? { proofs: PROOFS } : {},
    );
    await importRecords(db, list, records);
  }
  return db;
}

/** Another process, as far as SQLite can tell. */
function openOther(db: Database): Database {
  const other = openDatabase(db.path, 'write');
  onTestFinished(() => other.close());
  other.connection.pragma('synchronous = OFF');
  return other;
}

function countEntries(db: Database, list: ListKind): number {
  return (
    db.statement<{ count: number }>('SELECT count(*) AS count FROM entries WHERE list = ?').get(list)
      ?.count ?? 0
  );
}

/** What there is in the schema of the copy. */
function namesOfNext(db: Database): unknown[] {
  return db.connection
    .prepare("SELECT name FROM sqlite_schema WHERE tbl_name = 'entries_next'")
    .pluck()
    .all();
}

function expectSound(db: Database): void {
  expect(db.connection.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(db.connection.pragma('foreign_key_check')).toEqual([]);
  expect(namesOfNext(db)).toEqual([]);
  for (const list of ['scammers', 'servers', 'legit'] as const) {
    const names = db
      .statement<{ name: string; entry_id: string }>(
        'SELECT name, entry_id FROM entries WHERE list = ? ORDER BY az_rank',
      )
      .all(list);
    expect(names).toEqual(names.toSorted(compareNames));
  }
  expect(readState(db)['counts']).toEqual(
    db
      .statement(
        `SELECT list, verified, proofs, count(*) AS entries FROM entries GROUP BY list, verified, proofs
         ORDER BY list, verified, proofs`,
      )
      .all(),
  );
}

type Op =
  | { readonly kind: 'views'; readonly list: ListKind; readonly at: number; readonly count: number }
  | { readonly kind: 'write' | 'remove' | 'return'; readonly list: 'servers' | 'legit'; readonly at: number }
  | { readonly kind: 'add'; readonly list: 'servers' | 'legit'; readonly at: number; readonly count: number }
  | { readonly kind: 'labels' };

function chatIdOf(list: ListKind, at: number): string {
  const [first, last] = PRESENT[list];
  return numberedRecords(first + (at % (last - first + 1)), first + (at % (last - first + 1)))[0]?.id ?? '';
}

let added = 0;

function apply(db: Database, op: Op, made: number): void {
  if (op.kind === 'labels') return rankAllNames(db);
  const chatId = chatIdOf(op.list, op.at);
  if (op.kind === 'views') {
    db.statement('UPDATE entries SET views = views + ? WHERE chat_id = ?').run(op.count, chatId);
    return;
  }
  if (op.kind === 'remove') return void removeEntry(db, op.list, chatId, 'mistake', NOW);
  const number = Number(BigInt(chatId) - 200_000_000_000_000_000n);
  const numbers = op.kind === 'add' ? Array.from({ length: op.count }, (_, index) => made + index) : [number];
  const writes = numbers.map((each) => {
    const reportId = `R-${String(each).padStart(10, '0')}`;
    const text = `${op.kind} ${each}`;
    const content = insertContent(db, { reason: text, descHtml: text, visibleText: text, proofItems: [] });
    const id = String(200_000_000_000_000_000n + BigInt(each));
    const facts = { verified: true, reportedAt: NOW, views: undefined, proofs: 'none', content } as const;
    return { ...facts, chatId: id, name: `${op.kind} ${(each * 31) % 97} ${each}`, reportId };
  });
  writeEntries(db, op.list, writes, readLastChange(db, op.list), NOW);
}

const opArbitrary: fc.Arbitrary<Op> = fc.oneof(
  fc.record({
    kind: fc.constant('views' as const),
    list: fc.constantFrom('scammers', 'servers', 'legit'),
    at: fc.nat(400),
    count: fc.integer({ min: 1, max: 9 }),
  }),
  fc.record({
    kind: fc.constantFrom('write', 'remove', 'return'),
    list: fc.constantFrom('servers', 'legit'),
    at: fc.nat(400),
  }),
  fc.record({
    kind: fc.constant('add' as const),
    list: fc.constantFrom('servers', 'legit'),
    at: fc.constant(0),
    // More than are brought up to date under the lock, too.
    count: fc.constantFrom(1, 1, 3, 600),
  }),
  fc.constant({ kind: 'labels' as const }),
);

describe('a large import', () => {
  it('counts as small ones do, in the order of its records', async () => {
    const large = await makeLists();
    const seq = readLastChange(large, 'scammers');
    const commit = await stageImport(large, 'scammers', IMPORTED, () => {});
    commit();
    const small = await makeLists();
    for (let start = 0; start < IMPORTED.length; start += STAGED_BULK_FROM / 2) {
      (await stageImport(small, 'scammers', IMPORTED.slice(start, start + STAGED_BULK_FROM / 2), () => {}))();
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
    expect(order).toEqual(IMPORTED.map(({ id }) => id).filter((id) => order.includes(id)));
    expect(order.length).toBeGreaterThan(STAGED_BULK_FROM);
    // The texts that came out of use are gone.
    expect(large.connection.prepare('SELECT count(*) FROM contents').pluck().get()).toBe(
      large.connection.prepare('SELECT count(*) FROM entries').pluck().get(),
    );
  });

  it('loses nothing that others write at any moment meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        // By the number of the turn that others get.
        fc.array(fc.record({ turn: fc.nat(TURNS - 1), op: opArbitrary }), { maxLength: 12 }),
        async (plan) => {
          const db = await makeLists();
          const other = openOther(db);
          const before: { op: Op; made: number }[] = [];
          const after: { op: Op; made: number }[] = [];
          let turn = 0;
          const commit = await stageImport(db, 'scammers', IMPORTED, () => {
            const isIn = countEntries(other, 'scammers') > 300;
            for (const { op } of plan.filter((each) => each.turn === turn)) {
              added += 1_000;
              const done = { op, made: 1_000_000 + added };
              (isIn ? after : before).push(done);
              apply(other, op, done.made);
            }
            turn += 1;
          });
          commit();
          expect(turn).toBeGreaterThanOrEqual(TURNS);
          expectSound(db);

          const expected = await makeLists();
          for (const { op, made } of before) apply(expected, op, made);
          (await stageImport(expected, 'scammers', IMPORTED, () => {}))();
          for (const { op, made } of after) apply(expected, op, made);
          expect(readState(db)).toEqual(readState(expected));
        },
      ),
      { numRuns: 12, seed: 20261122 },
    );
  });

  it('comes to its end also when others write all the time', async () => {
    const db = await makeLists();
    const other = openOther(db);
    let views = 0;
    let turns = 0;
    const commit = await stageImport(db, 'scammers', IMPORTED, () => {
      turns += 1;
      if (turns > 200) return;
      apply(other, { kind: 'views', list: 'scammers', at: 0, count: 1 }, 0);
      apply(other, { kind: 'views', list: 'legit', at: turns, count: 1 }, 0);
      views += 1;
    });
    commit();
    expect(turns).toBeLessThan(200);
    expect(findRow(db, 'scammers', chatIdOf('scammers', 0))?.views).toBe(views);
    expectSound(db);
  });

  it('is seen by readers as a whole or not at all', async () => {
    const db = await makeLists();
    const reader = openDatabase(db.path, 'read');
    onTestFinished(() => reader.close());
    const before = readState(reader);
    const states: unknown[] = [];
    const commit = await stageImport(db, 'scammers', IMPORTED, () => states.push(readState(reader)));
    // One that began before and reads on.
    const slow = openDatabase(db.path, 'read');
    onTestFinished(() => slow.close());
    const rows = slow.connection
      .prepare("SELECT name FROM entries WHERE list = 'scammers'")
      .pluck()
      .iterate();
    rows.next();
    commit();
    expect([...rows]).toHaveLength(299);
    const after = readState(reader);
    expect(after).not.toEqual(before);
    const first = states.findIndex((state) => JSON.stringify(state) === JSON.stringify(after));
    expect(first).toBeGreaterThan(10);
    expect(states.length - first).toBeGreaterThan(5);
    for (const [index, state] of states.entries()) expect(state).toEqual(index < first ? before : after);
  });

  it('changes nothing when somebody else changes the list at any moment before it counts', async () => {
    for (let at = -1; ; at += 1) {
      const db = await makeLists();
      const other = openOther(db);
      let state: unknown;
      const change = (): void => {
        removeEntry(other, 'scammers', chatIdOf('scammers', 5), 'mistake', NOW);
        state = readState(other);
      };
      let turn = 0;
      let isIn = false;
      const commit = await stageImport(db, 'scammers', IMPORTED, () => {
        isIn ||= countEntries(other, 'scammers') > 300;
        if (turn === at && !isIn) change();
        turn += 1;
      });
      if (at === -1) change();
      if (at >= TURNS_BEFORE) {
        commit();
        expect(isIn).toBe(true);
        return;
      }
      expect(commit).toThrow(ListChangedError);
      expect(readState(db)).toEqual(state);
      expectSound(db);
      expect(db.connection.prepare('SELECT count(*) FROM contents').pluck().get()).toBe(379);
    }
  });

  it('changes nothing when another version of the collation data has labelled the names meanwhile', async () => {
    const db = await makeLists();
    const other = openOther(db);
    let turn = 0;
    const commit = await stageImport(db, 'scammers', IMPORTED, () => {
      if (turn === 5) other.connection.exec("UPDATE properties SET value = 'icu 1' WHERE key = 'collation'");
      turn += 1;
    });
    const before = readState(db);
    expect(commit).toThrow(ListChangedError);
    expect(readState(db)).toEqual(before);
  });

  it('changes nothing when an entry of another list takes one of its report numbers meanwhile', async () => {
    const db = await makeLists();
    const other = openOther(db);
    let turn = 0;
    const commit = await stageImport(db, 'scammers', IMPORTED, () => {
      if (turn === 5) apply(other, { kind: 'add', list: 'servers', at: 0, count: 1 }, ADDED_LAST);
      turn += 1;
    });
    expect(commit).toThrow(/UNIQUE/);
    expect(countEntries(db, 'scammers')).toBe(300);
    expect(countEntries(db, 'servers')).toBe(61);
    expectSound(db);
  });

  it('changes nothing when its texts have been removed meanwhile, as those of an import that lasts too long', async () => {
    const db = await makeLists();
    const other = openOther(db);
    let turn = 0;
    const commit = await stageImport(db, 'scammers', IMPORTED, () => {
      if (turn === 8) other.connection.exec('DELETE FROM contents WHERE content = 381');
      turn += 1;
    });
    const before = readState(db);
    expect(commit).toThrow(/texts .* were removed/);
    expect(readState(db)).toEqual(before);
    expectSound(db);
  });

  it('keeps its copy while it is at work; what a killed one left is removed', async () => {
    const db = await makeLists();
    const other = openOther(db);
    const seen = new Set<unknown>();
    const commit = await stageImport(db, 'scammers', IMPORTED, () => {
      dropLeftNext(other);
      for (const name of namesOfNext(other)) seen.add(name);
    });
    commit();
    expect(seen).toContain('entries_next');
    expectSound(db);

    db.connection.exec(`CREATE TABLE entries_next (row INTEGER PRIMARY KEY, name TEXT) STRICT;
      CREATE INDEX next_entries_newest ON entries_next (name);
      INSERT INTO entries_next (name) SELECT name FROM entries`);
    const release = holdNext(other);
    dropLeftNext(db);
    expect(namesOfNext(db)).toHaveLength(2);
    release?.();
    dropLeftNext(db);
    expectSound(db);
  });
});
