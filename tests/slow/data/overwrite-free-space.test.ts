import { readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { overwriteFreeSpace } from '#src/db/overwrite-free-space.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

/** Rows of changing length come, change and go; the same every time. @returns marks of those that went */
function churn(db: Database): string[] {
  let state = 7;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  db.connection
    .exec(`CREATE TABLE notes (row INTEGER PRIMARY KEY, mark TEXT NOT NULL, text TEXT NOT NULL) STRICT;
    CREATE UNIQUE INDEX notes_by_mark ON notes (mark, text)`);
  const alive: string[] = [];
  const gone: string[] = [];
  let made = 0;
  for (let round = 0; round < 20; round += 1) {
    db.write(() => {
      for (let index = 0; index < 100; index += 1) {
        const mark = `<MARK-${String((made += 1) * 7919).padStart(8, '0')}>`;
        alive.push(mark);
        db.statement('INSERT INTO notes (mark, text) VALUES (?, ?)').run(mark, mark.repeat(1 + draw(20)));
      }
      for (let index = 0; index < 30; index += 1) {
        const mark = alive[draw(alive.length)] as string;
        db.statement('UPDATE notes SET text = ? WHERE mark = ?').run(mark.repeat(1 + draw(20)), mark);
      }
      for (let index = 0; index < 30; index += 1) {
        const [mark = ''] = alive.splice(draw(alive.length), 1);
        db.statement('DELETE FROM notes WHERE mark = ?').run(mark);
        gone.push(mark);
      }
    });
  }
  return gone;
}

function countTraces(path: string, marks: readonly string[]): number {
  const bytes = readFileSync(path, 'latin1');
  const found = new Set(bytes.match(/<MARK-\d{8}>/g));
  return marks.filter((mark) => found.has(mark)).length;
}

describe('overwriteFreeSpace', () => {
  let db: Database;
  /** Reads meanwhile, as the web process does, with pages in memory. */
  let reader: Database;
  beforeEach(async () => {
    db = await makeDatabase();
    reader = openDatabase(db.path, 'read');
  });
  afterEach(() => {
    reader.close();
    db.close();
  });

  const flush = (): unknown => db.connection.pragma('wal_checkpoint(TRUNCATE)');
  const beginReading = (): void => {
    reader.connection.exec('BEGIN');
    reader.connection.prepare('SELECT count(*) FROM entries').get();
  };

  it('leaves no byte of a deleted row, which secure_delete alone does, and spoils nothing', async () => {
    const gone = churn(db);
    const read = (): unknown => reader.connection.prepare('SELECT * FROM notes ORDER BY row').all();
    const before = read();
    flush();
    expect(countTraces(db.path, gone)).toBeGreaterThan(0);

    expect(await overwriteFreeSpace(db.path)).toBeGreaterThan(0);

    expect(statSync(`${db.path}-wal`).size).toBe(0);
    expect(countTraces(db.path, gone)).toBe(0);
    expect(read()).toEqual(before);
    // A writer that held the old pages in memory writes none of them back.
    db.connection.exec('UPDATE notes SET text = mark WHERE row % 2 = 0');
    flush();
    expect(countTraces(db.path, gone)).toBe(0);
    expect(db.connection.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('does its work in the database that is there now, not in one that was moved away', async () => {
    await overwriteFreeSpace(db.path);
    reader.close();
    db.close();
    renameSync(db.path, `${db.path}.moved`);
    db = await makeDatabase(dirname(db.path));
    const gone = churn(db);
    flush();
    await overwriteFreeSpace(db.path);
    expect(countTraces(db.path, gone)).toBe(0);
  });

  it('lets a reader of the same process come to its end, and others write meanwhile', async () => {
    beginReading();
    const overwriting = overwriteFreeSpace(db.path);
    db.connection.pragma('busy_timeout = 0');
    for (let turn = 0; turn < 3; turn += 1) {
      await setImmediate();
      db.connection.exec(`INSERT INTO properties VALUES ('x${turn}', 'y')`);
    }
    reader.connection.exec('COMMIT');
    await overwriting;
    const written = db.statement("SELECT count(*) FROM properties WHERE value = 'y'").pluck();
    expect(written.get()).toBe(3);
  });

  it('gives up, and changes nothing, while a reader keeps the WAL', async () => {
    beginReading();
    db.connection.exec("INSERT INTO properties VALUES ('x', 'y')");
    await expect(overwriteFreeSpace(db.path)).rejects.toThrow('the WAL could not be emptied');
    reader.connection.exec('COMMIT');
    await overwriteFreeSpace(db.path);
    expect(db.statement("SELECT value FROM properties WHERE key = 'x'").get()).toEqual({ value: 'y' });
  });
});
