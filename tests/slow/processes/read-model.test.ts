/** Sorted lists and full text, and a worker that is killed while it keeps them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identifyFile, openDatabase, type Database } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { SORTS } from '#src/entries/list-query.ts';
import { removeSearchFile } from '#src/search/update-search-file.ts';
import { openSearchFile, searchPath } from '#src/search/search-file.ts';
import type { Lists } from '#src/lists/lists.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { cleanEnvironment } from '../../support/clean-environment.ts';
import { updateIndexes } from '../../support/update-indexes.ts';
import { openLists } from '../../support/open-lists.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import {
  ALL,
  ask,
  compareIds,
  compareLists,
  compareSearches,
  readState,
  textOf,
  type State,
} from '../../support/read-model.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { trials } from '../../support/trials.ts';

const SEED = 20261124;
const KILLS = trials(6, 100);
const DATABASES = trials(1, 4);
/** Within it, everything is made and followed. */
const LIFE_MAX_MS = 500;
const PROCESS_FILE = join(import.meta.dirname, '../../support/index-process.ts');

interface Running {
  /** Ends it without a word, and waits for its end. @returns what it said of failures */
  kill(afterMs: number): Promise<string[]>;
}

async function start(databasePath: string, seed: number): Promise<Running> {
  const child = spawn(process.execPath, [PROCESS_FILE, databasePath, String(seed)], {
    env: cleanEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  const isReady = once(reader, 'line');
  reader.on('line', (line) => lines.push(line));
  await isReady;
  return {
    async kill(afterMs) {
      child.stdin.write('go\n');
      await pause(afterMs);
      child.kill('SIGKILL');
      await once(child, 'close');
      expect(child.signalCode).toBe('SIGKILL');
      return lines.filter((line) => line !== 'ready');
    },
  };
}

/** Whole pages, and nothing that is no entry of now. */
async function assertNothingWrong(lists: Lists, now: State): Promise<void> {
  const entries = Object.values(now).flat();
  await compareIds(lists, now, ['nobody', ...entries.filter((_, at) => at % 29 === 0).map(({ id }) => id)]);
  for (const list of LIST_KINDS) {
    for (const sort of SORTS) {
      const { texts } = await ask(lists, list, { ...ALL, sort }, 'json');
      const right = new Set(now[list].map((entry) => textOf(entry, 'json')));
      expect(
        texts.filter((text) => !right.has(text)),
        `${list} ${sort}`,
      ).toEqual([]);
      expect(new Set(texts).size).toBe(texts.length);
    }
  }
}

function check(path: string, openIt: (path: string) => Database): unknown[] {
  const file = openIt(path);
  try {
    return [
      ...(file.connection.pragma('integrity_check') as { integrity_check: string }[]).map(
        (row) => row.integrity_check,
      ),
      ...(file.connection.pragma('foreign_key_check') as unknown[]),
    ];
  } finally {
    file.close();
  }
}

/** Before anybody has gone on, and after. */
async function assertRight(db: Database, told: string, isFollowed: boolean): Promise<void> {
  const now = readState(db);
  const before = openLists(db);
  await assertNothingWrong(before.lists, now);
  await before.close();
  expect(before.failures, told).toEqual([]);
  if (!isFollowed) return;
  await updateIndexes(db);
  const { lists, close, failures } = openLists(db);
  await compareLists(lists, now, now, [0, 20]);
  await compareIds(
    lists,
    now,
    now.scammers.slice(0, 20).map(({ id }) => id),
  );
  const queries = ['konto', 'nick 1', 'żó', 'w', 'inny'].map((search) => ({
    list: 'scammers' as const,
    query: { ...ALL, search },
  }));
  await compareSearches(lists, now, now, now, queries);
  await close();
  expect(failures, told).toEqual([]);
}

describe('a worker that is killed', () => {
  it(`leaves whole files and right answers, ${KILLS} times at random moments`, async () => {
    const campaign = async (which: number): Promise<void> => {
      const random = new Random(SEED + which);
      const db = await makeDatabase();
      await importRecords(
        db,
        'scammers',
        Array.from({ length: 150 }, () => makeRecord()),
      );
      let next = start(db.path, SEED + which * 1_000);
      for (let kill = 0; kill < KILLS / DATABASES; kill += 1) {
        const running = await next;
        // At the beginning of each third life it is all made anew.
        if (kill % 3 === 0) removeSearchFile(searchPath(db.path));
        const told = `database ${which}, kill ${kill}`;
        expect(await running.kill(random.below(LIFE_MAX_MS)), told).toEqual([]);
        expect(
          check(db.path, (path) => openDatabase(path, 'read')),
          told,
        ).toEqual(['ok']);
        const search = searchPath(db.path);
        if (identifyFile(search) !== undefined)
          expect(
            check(search, (path) => openSearchFile(path, 'read')),
            told,
          ).toEqual(['ok']);
        // What starts threads of its own takes as long as everything else.
        if (kill % 3 === 2) await assertRight(db, told, kill % 6 === 5);
        next = start(db.path, SEED + which * 1_000 + kill + 1);
      }
      await (await next).kill(0);
      db.close();
    };
    await Promise.all(Array.from({ length: DATABASES }, (_, which) => campaign(which)));
  }, 300_000);
});
