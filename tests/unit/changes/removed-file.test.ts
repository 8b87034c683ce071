/** The file that keeps removals when the database is replaced. */
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  updateRemovedFile,
  readRemovedFile,
  RemovedFileError,
  removedPath,
} from '#src/changes/removed-file.ts';
import { type RemovalKind } from '#src/changes/removals.ts';
import type { Database } from '#src/db/database.ts';
import { recordRemoval } from '../../support/change-log.ts';
import { NOW } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

describe('removed.ndjson', () => {
  let db: Database;
  let path: string;
  const remove = (entry_id: string, what: RemovalKind = 'entry', reason_code: string | null = null): void =>
    recordRemoval(db, { at: NOW, list: 'scammers', entry_id, what, reason_code });
  const names = (): string[] => readRemovedFile(path).map(({ entry_id, what }) => `${entry_id} ${what}`);

  beforeEach(async () => {
    db = await makeDatabase();
    path = removedPath(db.path);
  });

  it('gets each removal once, and none where there is none', () => {
    expect(updateRemovedFile(db)).toBe(false);
    expect(existsSync(path)).toBe(false);
    remove('a', 'entry', 'appeal');
    remove('b', 'proofs');
    expect(updateRemovedFile(db)).toBe(true);
    expect(updateRemovedFile(db)).toBe(false);
    remove('c', 'reason');
    updateRemovedFile(db);
    expect(names()).toEqual(['a entry', 'b proofs', 'c reason']);
    expect(readRemovedFile(path)[0]).toMatchObject({ at: NOW, list: 'scammers', reason_code: 'appeal' });
    expect(readRemovedFile(path)[1]).toMatchObject({ reason_code: null });
  });

  it('is written as a whole where it is gone, and where a power cut left half a line', () => {
    remove('a');
    remove('b');
    updateRemovedFile(db);
    truncateSync(path, readFileSync(path).length - 5);
    updateRemovedFile(db);
    expect(names()).toEqual(['a entry', 'b entry']);
    writeFileSync(path, '');
    remove('c');
    updateRemovedFile(db);
    expect(names()).toEqual(['a entry', 'b entry', 'c entry']);
  });

  it('keeps lines that the table does not have, and gets all of the table behind them', () => {
    remove('a');
    updateRemovedFile(db);
    const [line = ''] = readFileSync(path, 'utf8').split('\n');
    appendFileSync(path, `${line.replace('"a"', '"other"')}\n`);
    remove('b');
    updateRemovedFile(db);
    expect(names()).toEqual(['other entry', 'a entry', 'b entry']);
    expect(updateRemovedFile(db)).toBe(false);
  });

  it.each(['no JSON', '{}', '{"at":"yesterday"}', '[]'])('is refused for the line %s', (line) => {
    remove('a');
    updateRemovedFile(db);
    appendFileSync(path, `${line}\n`);
    expect(() => readRemovedFile(path)).toThrow(RemovedFileError);
    expect(() => readRemovedFile(path)).toThrow(`${path}:2: is no removal`);
  });
});
