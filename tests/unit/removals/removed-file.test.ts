import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { renewLogId } from '#src/changes/change-log.ts';
import {
  copyRemovedFile,
  mergeRemovedFile,
  REMOVED_FILE,
  updateRemovedFile,
  readRemovedFile,
  RemovedFileError,
  removedPath,
} from '#src/removals/removed-file.ts';
import { type RemovalKind } from '#src/removals/removals.ts';
import { identifyFile, type Database } from '#src/db/database.ts';
import { fileBytes } from '#src/db/disk-room.ts';
import { recordRemoval } from '../../support/change-log.ts';
import { NOW } from '../../support/make-entries.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';

const OTHER = `${JSON.stringify({ at: new Date(NOW), list: 'scammers', _id: 'x', what: 'entry', history: 'other', change: 9 })}\n`;

function swapLines(path: string): void {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  writeFileSync(path, `${lines.reverse().join('\n')}\n`);
}

let db: Database;
let path: string;
const remove = (entry_id: string, what: RemovalKind = 'entry', reason_code: string | null = null): void =>
  recordRemoval(db, { at: NOW, list: 'scammers', entry_id, what, reason_code });

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
  expect(readRemovedFile(path)).toMatchObject([
    { entry_id: 'a', what: 'entry', at: NOW, list: 'scammers', reason_code: 'appeal' },
    { entry_id: 'b', what: 'proofs', reason_code: null },
    { entry_id: 'c', what: 'reason' },
  ]);
});

it('is read and written in part after a change, and as a whole when it is merged', () => {
  for (let at = 0; at < 50; at += 1) remove(`entry ${at}`);
  updateRemovedFile(db);
  const before = readFileSync(path, 'utf8');
  const file = identifyFile(path);
  const damaged = before.replace('{', '[');
  writeFileSync(path, damaged);
  remove('a');
  expect(updateRemovedFile(db)).toBe(true);
  expect(identifyFile(path)).toBe(file);
  expect(readFileSync(path, 'utf8')).toMatch(/"_id":"a".*\n$/);
  expect(() => mergeRemovedFile(db)).toThrow(`${path}:1: is no removal`);
  writeFileSync(path, readFileSync(path, 'utf8').replace('[', '{'));
  remove('a');
  updateRemovedFile(db);
  expect(readFileSync(path, 'utf8').match(/"_id":"a"/g)).toHaveLength(2);
  expect(readRemovedFile(path).filter(({ entry_id }) => entry_id === 'a')).toHaveLength(1);
  expect(mergeRemovedFile(db)).toBe(true);
  expect(readFileSync(path, 'utf8').match(/"_id":"a"/g)).toHaveLength(1);
  expect(mergeRemovedFile(db)).toBe(false);
});

it.each([
  ['deletes it', () => rmSync(path), ['a', 'b', 'c']],
  ['puts an earlier one in its place', () => copyFileSync(`${path}.earlier`, path), ['a', 'b', 'c']],
  ['swaps lines', () => swapLines(path), ['a', 'b', 'c']],
  ['puts that of another machine in its place', () => writeFileSync(path, OTHER), ['x', 'a', 'b', 'c']],
  ['adds that of another machine', () => appendFileSync(path, OTHER), ['x', 'a', 'b', 'c']],
  ['cuts it within a line', () => truncateSync(path, fileBytes(path) - 5), ['a', 'b', 'c']],
  ['goes on in another log', () => db.write((tx) => renewLogId(tx)), ['a', 'b', 'c']],
])('loses nothing and names nothing twice when somebody %s', (_, change, expected) => {
  remove('a');
  updateRemovedFile(db);
  copyFileSync(path, `${path}.earlier`);
  remove('b');
  updateRemovedFile(db);
  change();
  remove('c');
  updateRemovedFile(db);
  expect(readFileSync(path, 'utf8').match(/"_id":"."/g)).toEqual(expected.map((name) => `"_id":"${name}"`));
  expect(updateRemovedFile(db)).toBe(false);
});

it('is copied in part after a change, and as a whole where the copy is another one, or daily', () => {
  const folder = makeFolder();
  const copy = join(folder, REMOVED_FILE);
  for (let at = 0; at < 50; at += 1) remove(`entry ${at}`);
  updateRemovedFile(db);
  copyRemovedFile(db, folder, false);
  expect(readFileSync(copy)).toEqual(readFileSync(path));
  const file = identifyFile(copy);
  writeFileSync(copy, readFileSync(copy, 'utf8').replace('{', '['));
  remove('a');
  updateRemovedFile(db);
  copyRemovedFile(db, folder, false);
  expect(readFileSync(copy, 'utf8')).toBe(readFileSync(path, 'utf8').replace('{', '['));
  expect(identifyFile(copy)).toBe(file);
  copyRemovedFile(db, folder, true);
  expect(readFileSync(copy)).toEqual(readFileSync(path));
  for (const change of [() => truncateSync(copy, 9), () => appendFileSync(copy, 'x'), () => rmSync(copy)]) {
    change();
    copyRemovedFile(db, folder, false);
    expect(readFileSync(copy)).toEqual(readFileSync(path));
  }
});

it.each(['no JSON', '{}', '{"at":"yesterday"}', '[]'])('is refused for the line %s', (line) => {
  remove('a');
  updateRemovedFile(db);
  appendFileSync(path, `${line}\n`);
  expect(() => readRemovedFile(path)).toThrow(RemovedFileError);
  expect(() => readRemovedFile(path)).toThrow(`${path}:2: is no removal`);
});
