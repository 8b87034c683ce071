/** What one change among 100,000 entries costs the worker. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { appendChange } from '#src/changes/append-change.ts';
import type { Database } from '#src/db/database.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { createServingKeeper } from '#src/serving/keep-serving.ts';
import type { ServingKeeper } from '#src/serving/keep-serving.ts';
import { findState, listServingFiles, openToRead } from '#src/serving/serving-file.ts';
import { NOW } from '../../support/make-entries.ts';
import { insertManyEntries } from '../../support/many-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const ENTRIES = 100_000;
const ROUNDS = 9;
const MB = 1e6;

/** Bytes that this process has written, whatever it wrote them to. */
function readWritten(): number {
  return Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

describe.skipIf(process.platform !== 'linux')(`the serving file of ${ENTRIES} entries`, () => {
  let db: Database;
  let keeper: ServingKeeper;

  beforeAll(async () => {
    db = await makeDatabase();
    insertManyEntries(db, ENTRIES);
    keeper = createServingKeeper(db);
    while (keeper.step());
    return () => {
      keeper.close();
      db.close();
    };
  }, 300_000);

  /** @returns bytes written for one change, and rows of the orders that were; the median of some */
  const measure = (change: (row: number) => void): { bytes: number; parts: number } => {
    const rounds = Array.from({ length: ROUNDS }, (_, round) => {
      change(1_000 + round * 7_919);
      const before = readWritten();
      while (keeper.step());
      const bytes = readWritten() - before;
      return { bytes, parts: countParts(db) };
    });
    const middle = Math.floor(ROUNDS / 2);
    return {
      bytes: rounds.map(({ bytes }) => bytes).toSorted((a, b) => a - b)[middle] ?? 0,
      parts: rounds.map(({ parts }) => parts).toSorted((a, b) => a - b)[middle] ?? 0,
    };
  };

  const edit = (set: string) => (row: number) => {
    db.statement(`UPDATE entries SET ${set} WHERE row = ?`).run(row);
    const entryId = db.statement('SELECT entry_id FROM entries WHERE row = ?').pluck().get(row) as string;
    appendChange(db, { at: NOW, op: 'updated', list: 'scammers', entryId });
  };

  it('writes little for one entry that changes', () => {
    for (const set of [
      "name = 'ż' || name",
      'verified = 1 - verified',
      'reported_at = reported_at - 90000',
    ]) {
      const { bytes, parts } = measure(edit(set));
      expect(bytes, set).toBeLessThan(0.5 * MB);
      // It leaves a part of each order, and enters another.
      expect(parts, set).toBeLessThanOrEqual(6);
    }
  });

  it('writes little for views', () => {
    let popularity = 1;
    const { bytes, parts } = measure((row) => {
      db.statement('UPDATE entries SET views = views + 50 WHERE row = ?').run(row);
      db.statement("INSERT OR REPLACE INTO properties (key, value) VALUES ('popularity', ?)").run(
        String((popularity += 1)),
      );
    });
    expect(bytes).toBeLessThan(0.5 * MB);
    expect(parts).toBeLessThanOrEqual(2);
  });

  it('writes no more than what it has to for one that is removed', () => {
    const { bytes, parts } = measure((row) => {
      const chatId = db
        .statement('SELECT chat_id FROM entries WHERE row = ?')
        .pluck()
        .get(row + 3) as string;
      expect(removeEntry(db, 'scammers', chatId, 'other', NOW)).toBe(true);
    });
    expect(bytes).toBeLessThan(5 * MB);
    expect(parts).toBeLessThanOrEqual(3);
  });
});

/** Of the newest version. */
function countParts(db: Database): number {
  const file = openToRead(listServingFiles(db.path)[0] ?? '');
  const version = findState(file)?.version;
  const count = file.statement('SELECT count(*) FROM parts WHERE version = ?').pluck().get(version) as number;
  file.close();
  return count;
}
