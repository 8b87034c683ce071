import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import {
  eraseReplaced,
  storeReplaced,
  listReplacedIds,
  listReplacedFiles,
  pruneReplaced,
  readReplacedEntries,
  undoPath,
} from '#src/changes/undo-file.ts';
import { openDatabase } from '#src/db/database.ts';
import { DAY_MS } from '#src/text/calendar.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const ENTRY = { entryId: 'a', record: '{"id":"1"}', files: {} };

function makeKept() {
  const path = join(makeFolder(), 'czujka.db');
  storeReplaced(path, 'import', 5, [ENTRY]);
  const names = () => readdirSync(dirname(path)).filter((name) => name.startsWith('undo.db'));
  return { path, file: undoPath(path), names };
}

it('an undo.db of a killed verb, without a table, is an empty one', () => {
  const { path, file } = makeKept();
  writeFileSync(file, '');
  expect(listReplacedFiles(path)).toEqual(new Set());
  storeReplaced(path, 'import', 5, [ENTRY]);
  expect(readReplacedEntries(path, 'import', ['a', 'b'])).toEqual([ENTRY]);
});

it.each([
  ['with other columns', 'ALTER TABLE replaced RENAME COLUMN files TO other'],
  ['with a text that is no JSON', "UPDATE replaced SET files = '{'"],
])('a whole undo.db stays when a statement fails on it: %s', (_, change) => {
  const { path, file, names } = makeKept();
  {
    using db = openDatabase(file, 'write');
    db.connection.exec(change);
  }
  expect(() => listReplacedFiles(path)).toThrow(/no such column|malformed JSON/);
  expect(names()).toEqual(['undo.db']);
});

it('a damaged undo.db is moved away, once and with a word, and goes when texts are to be erased', () => {
  const { path, file, names } = makeKept();
  writeFileSync(file, 'no database');
  expect(() => listReplacedFiles(path)).toThrow(
    `${file} is damaged: imports until now cannot be taken back; it lies in ${file}.damaged until texts are to be erased`,
  );
  expect(names()).toEqual(['undo.db.damaged']);
  expect(listReplacedIds(path, 'import')).toEqual(new Set());
  pruneReplaced(path, { edge: Date.now(), latest: Infinity, isBelieved: true });
  expect(existsSync(`${file}.damaged`)).toBe(true);
  eraseReplaced(path, ['b']);
  expect(names()).toEqual([]);
});

it('keeps texts for 30 days, also those of an import under a clock that was ahead', () => {
  const { path } = makeKept();
  const now = Date.now();
  const prune = (days: number, isBelieved = true): void =>
    pruneReplaced(path, { edge: now + days * DAY_MS, latest: now + 2 * DAY_MS, isBelieved });
  storeReplaced(path, 'ahead', now + 1_500 * DAY_MS, [ENTRY]);
  prune(0, false);
  prune(0);
  prune(29.9);
  expect(listReplacedIds(path, 'ahead').size).toBe(1);
  prune(30.1);
  expect(listReplacedIds(path, 'ahead').size).toBe(0);
});
