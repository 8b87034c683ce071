/** The serving file and what can happen to the processes and the disk under it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { SORTS } from '#src/entries/list-query.ts';
import { createServingKeeper } from '#src/serving/keep-serving.ts';
import type { Serving } from '#src/serving/serving.ts';
import { isFull, listServingFiles, openToRead, servingFolder } from '#src/serving/serving-file.ts';
import { OverloadedError } from '#src/turns/overloaded-error.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { cleanEnvironment } from '../../support/clean-environment.ts';
import { keepServing } from '../../support/keep-serving.ts';
import { openServing } from '../../support/open-serving.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { insertManyEntries } from '../../support/many-entries.ts';
import {
  ALL,
  ask,
  assertSound,
  compareIds,
  compareLists,
  compareSearches,
  readState,
} from '../../support/read-model.ts';
import type { State } from '../../support/read-model.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';
import { trials } from '../../support/trials.ts';

const SEED = 20261124;
const KILLS = trials(6, 100);
const DATABASES = trials(1, 4);
/** Within it, a file is made, followed and copied. */
const LIFE_MAX_MS = 500;
const PROCESS_FILE = join(import.meta.dirname, '../../support/serving-process.ts');

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
async function assertNothingWrong(serving: Serving, now: State): Promise<void> {
  const entries = Object.values(now).flat();
  await compareIds(serving, now, ['nobody', ...entries.filter((_, at) => at % 29 === 0).map(({ id }) => id)]);
  for (const list of LIST_KINDS) {
    for (const sort of SORTS) {
      try {
        const answer = await ask(serving, list, { ...ALL, sort }, 'body');
        assertSound(answer, now[list], undefined, `${list} ${sort}`);
      } catch (error) {
        if (!(error instanceof OverloadedError)) throw error;
      }
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

/** Before anybody has gone on with the file, and after. */
async function assertRight(db: Database, told: string, isFollowed: boolean): Promise<void> {
  const now = readState(db);
  const before = openServing(db);
  await assertNothingWrong(before.serving, now);
  await before.close();
  expect(before.failures, told).toEqual([]);
  if (!isFollowed) return;
  keepServing(db);
  const { serving, close, failures } = openServing(db);
  await compareLists(serving, now, undefined, [0, 20]);
  await compareIds(
    serving,
    now,
    now.scammers.slice(0, 20).map(({ id }) => id),
  );
  const queries = ['konto', 'nick 1', 'żó', 'w', 'inny'].map((search) => ({
    list: 'scammers' as const,
    query: { ...ALL, search },
  }));
  await compareSearches(serving, now, undefined, undefined, queries);
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
        if (kill % 3 === 0) rmSync(servingFolder(db.path), { recursive: true, force: true });
        const told = `database ${which}, kill ${kill}`;
        expect(await running.kill(random.below(LIFE_MAX_MS)), told).toEqual([]);
        expect(
          check(db.path, (path) => openDatabase(path, 'read')),
          told,
        ).toEqual(['ok']);
        for (const path of listServingFiles(db.path)) expect(check(path, openToRead), told).toEqual(['ok']);
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

/** A small disk of its own; undefined where the system does not give one. */
function mountSmallDisk(megabytes: number): string | undefined {
  const folder = join(makeFolder(), 'disk');
  mkdirSync(folder);
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder]);
  return status === 0 ? folder : undefined;
}

describe('a disk that is full', () => {
  const probe = process.platform === 'linux' ? mountSmallDisk(1) : undefined;
  if (probe !== undefined) spawnSync('umount', [probe]);
  const mounted: string[] = [];
  afterAll(() => {
    for (const folder of mounted) spawnSync('umount', ['-l', folder]);
  });

  it.skipIf(probe === undefined).each([1, 2])(
    'while the file is made, with %d MB left: nothing is wrong, nothing stays, and it is made later',
    async (left) => {
      const source = await makeDatabase();
      insertManyEntries(source, 3_000);
      source.connection.pragma('wal_checkpoint(TRUNCATE)');
      const databaseBytes = (source.connection.pragma('page_count', { simple: true }) as number) * 4_096;
      const folder = mountSmallDisk(Math.ceil(databaseBytes / 1e6) + left) ?? '';
      mounted.push(folder);
      copyFileSync(source.path, join(folder, 'czujka.db'));
      const db = openDatabase(join(folder, 'czujka.db'), 'write');
      const now = readState(db);
      const freeBytes = (): number => statfsSync(folder).bavail * statfsSync(folder).bsize;
      const free = freeBytes();
      const clock = { now: 0 };
      const keeper = createServingKeeper(db, () => clock.now);
      const failures: unknown[] = [];
      for (let round = 0; round < 2; round += 1) {
        try {
          while (keeper.step());
        } catch (error) {
          failures.push(error);
          expect(isFull(error), String(error)).toBe(true);
        }
        // Not again at once: the disk would be full most of the time.
        clock.now += 59_000;
        expect(keeper.step()).toBe(false);
        clock.now += 1_000;
        const { serving, close } = openServing(db);
        await assertNothingWrong(serving, now);
        await close();
      }
      keeper.close();
      expect(failures).toHaveLength(2);
      // The database needs the room more.
      expect(freeBytes()).toBeGreaterThan(free - 300_000);
      expect(existsSync(servingFolder(db.path)) ? listServingFiles(db.path) : []).toEqual([]);
      expect(spawnSync('mount', ['-o', 'remount,size=200m', folder]).status).toBe(0);
      keepServing(db);
      const { serving, close } = openServing(db);
      await compareLists(serving, now, undefined, [0]);
      await close();
      db.close();
    },
  );
});
