import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { appendChange } from '#src/changes/append-change.ts';
import { formatCursor, getCursor, isCursorAlive, parseCursor } from '#src/changes/cursor.ts';
import { renewHistory } from '#src/changes/log-head.ts';
import type { Database } from '#src/db/database.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

let db: Database;
beforeEach(async () => {
  db = await makeDatabase();
  for (const entryId of ['a', 'b', 'c']) {
    appendChange(db, { at: 1000, op: 'added', list: 'scammers', entryId });
  }
});

const SEED = 20261121;

describe('a cursor', () => {
  it('comes back from its text, at any place', () => {
    for (const seq of [0, 1, 2, 3]) {
      const cursor = getCursor(db, seq);
      expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
      expect(isCursorAlive(db, cursor)).toBe(true);
    }
  });

  it('holds every number that the log can reach', () => {
    const cursor = fc.record({
      history: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 16, maxLength: 16 }),
      seq: fc.nat(2 ** 48 - 1),
      mark: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 12, maxLength: 12 }),
    });
    fc.assert(
      fc.property(cursor, (given) => {
        expect(parseCursor(formatCursor(given))).toEqual(given);
      }),
      { seed: SEED },
    );
  });

  it('is not read from anything else', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.string({ unit: 'binary' }),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    );
    const good = formatCursor(getCursor(db, 2));
    fc.assert(
      fc.property(texts, (text) => {
        const cursor = parseCursor(text);
        if (cursor) expect(formatCursor(cursor)).toBe(text);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
    for (const text of [
      '',
      good.slice(1),
      `${good}A`,
      `${good}=`,
      ` ${good}`,
      `B${good.slice(1)}`,
      good.replace(/.$/, '+'),
    ]) {
      expect(parseCursor(text), text).toBeUndefined();
    }
  });

  it('that was changed anywhere is none of this log', () => {
    const good = formatCursor(getCursor(db, 2));
    for (let at = 0; at < good.length; at += 1) {
      for (const other of 'AZaz09-_') {
        const changed = good.slice(0, at) + other + good.slice(at + 1);
        const cursor = changed === good ? undefined : parseCursor(changed);
        if (cursor) expect(isCursorAlive(db, cursor), changed).toBe(false);
      }
    }
  });

  it('ends with its history', () => {
    const cursors = [0, 3].map((seq) => getCursor(db, seq));
    renewHistory(db);
    expect(cursors.map((cursor) => isCursorAlive(db, cursor))).toEqual([false, false]);
  });

  it('ends when the file was put back by hand and its number was given again', () => {
    const cursor = getCursor(db, 3);
    db.connection.exec('DELETE FROM changes WHERE seq = 3; UPDATE sqlite_sequence SET seq = 2');
    expect(isCursorAlive(db, cursor)).toBe(false);
    appendChange(db, { at: 2000, op: 'added', list: 'scammers', entryId: 'd' });
    expect(getCursor(db, 3).seq).toBe(3);
    expect(isCursorAlive(db, cursor)).toBe(false);
  });
});
