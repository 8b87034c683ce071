import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { identifyFile, openDatabase, removeDatabaseFile, type Database } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { SORTS } from '#src/entries/list-query.ts';
import { openSearchFile, searchPath } from '#src/search/search-file.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { makeLists } from '../../support/make-entries.ts';
import { openLists } from '../../support/open-lists.ts';
import {
  ALL,
  ask,
  compareIds,
  compareLists,
  compareSearches,
  readState,
  textOf,
} from '../../support/read-model.ts';
import { startProcess } from '../../support/start-process.ts';

import { trials } from '../../support/trials.ts';
import { updateIndexes } from '../../support/update-indexes.ts';

const SEED = 20261124;
const KILLS = trials(6, 100);
/** Within it, everything is made and followed. */
const LIFE_MAX_MS = 500;
const PROCESS_FILE = join(import.meta.dirname, '../../support/index-process.ts');

function expectWhole(path: string, open: (path: string, mode: 'read') => Database): void {
  using file = open(path, 'read');
  expect(file.connection.pragma('integrity_check', { simple: true }), path).toBe('ok');
  expect(file.connection.pragma('foreign_key_check'), path).toEqual([]);
}

/** Before the worker goes on, answers hold only entries as they are now, each once. */
async function expectNothingWrong(db: Database): Promise<void> {
  const now = readState(db);
  const { lists, failures, close } = openLists(db);
  const some = now.scammers.filter((_, at) => at % 29 === 0);
  await compareIds(db, lists, now, ['nobody', ...some.map(({ id }) => id)]);
  for (const list of LIST_KINDS) {
    const right = new Set(now[list].map((entry) => textOf(entry, 'json')));
    for (const sort of SORTS) {
      const { texts } = await ask(lists, list, { ...ALL, sort }, 'json');
      expect(new Set(texts).difference(right), `${list} ${sort}`).toEqual(new Set());
      expect(new Set(texts).size).toBe(texts.length);
    }
  }
  await close();
  expect(failures).toEqual([]);
}

async function expectCaughtUp(db: Database): Promise<void> {
  await updateIndexes(db);
  const now = readState(db);
  const { lists, failures, close } = openLists(db);
  await compareLists(lists, now, now, [0, 20]);
  const queries = ['konto', 'nick 1', 'żó', 'w', 'inny'].map((search) => ({
    list: 'scammers' as const,
    query: { ...ALL, search },
  }));
  await compareSearches(lists, now, now, now, queries);
  await close();
  expect(failures).toEqual([]);
}

it(`a worker that is killed ${KILLS} times leaves whole files and right answers`, async () => {
  const random = new Random(SEED);
  using db = await makeLists({ scammers: Array.from({ length: 150 }, () => ({})) });
  const search = searchPath(db.path);
  for (let kill = 0; kill < KILLS; kill += 1) {
    // In each third life there is no file at first.
    if (kill % 3 === 0) removeDatabaseFile(search);
    const hadFile = identifyFile(search) !== undefined;
    const worker = startProcess(PROCESS_FILE, { cwd: '/', args: [db.path, String(SEED + kill)] });
    await worker.logged({ msg: 'ready' });
    await pause(random.below(LIFE_MAX_MS));
    worker.child.kill('SIGKILL');
    expect(await worker.ended, `kill ${kill}`).toEqual({ code: null, signal: 'SIGKILL', stderr: '' });
    expectWhole(db.path, openDatabase);
    if (identifyFile(search) !== undefined) expectWhole(search, openSearchFile);
    await expectNothingWrong(db);
    if (hadFile) expect(identifyFile(search), `kill ${kill}`).toBeDefined();
    await expectCaughtUp(db);
    expect(existsSync(`${search}.tmp`), `kill ${kill}`).toBe(false);
  }
}, 300_000);
