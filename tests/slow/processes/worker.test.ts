import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { migrateDatabase, missingProblem, schemaProblem } from '#src/db/migrate.ts';
import { parseConfig } from '#src/config.ts';
import { createJobs } from '#src/worker/jobs.ts';
import { startProcess } from '../../support/start-process.ts';
import type { RunningProcess } from '../../support/start-process.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const FIXTURE = join(import.meta.dirname, '../../support/worker-process.ts');
const REAL_WORKER = join(import.meta.dirname, '../../../src/worker/main.ts');
const ACTING = 'acting: the lease is ours';
const STANDING_BY = 'standing by: another worker holds the lease';
/** Short, so that a take-over is soon; long enough that a busy machine does not make a worker lose its lease. */
const LEASE_MS = 3_000;
const LEASE_LONG_MS = 3_600_000;
const root = makeFolder();

interface Place {
  readonly path: string;
  readonly cwd: string;
  /** Runs something with a handle that is closed afterwards. */
  use<T>(work: (db: Database) => T): T;
  start(leaseMs?: number): RunningProcess;
  /** Processes that ran the job, in order. */
  runs(job: string): number[];
}

async function makePlace(): Promise<Place> {
  const cwd = mkdtempSync(join(root, 'worker-'));
  const path = join(cwd, 'czujka.db');
  const use = <T>(work: (db: Database) => T): T => {
    const db = openDatabase(path, 'write');
    try {
      return work(db);
    } finally {
      db.close();
    }
  };
  const db = openDatabase(path, 'write');
  await migrateDatabase(db);
  db.connection.exec('CREATE TABLE runs (pid INTEGER, job TEXT); CREATE TABLE permits (job TEXT)');
  db.close();
  return {
    path,
    cwd,
    use,
    start: (leaseMs = LEASE_MS) => startProcess(FIXTURE, { cwd, args: [path, String(leaseMs)] }),
    runs: (job) =>
      use((handle) =>
        handle
          .statement<{ pid: number }>('SELECT pid FROM runs WHERE job = ? ORDER BY rowid')
          .all(job)
          .map(({ pid }) => pid),
      ),
  };
}

function waitUntil(holds: () => void): Promise<void> {
  return vi.waitFor(holds, { timeout: 40_000, interval: 50 });
}

describe('two workers over one database', () => {
  it('do each job once: one acts, the other stands by', async () => {
    const place = await makePlace();
    const first = place.start();
    await first.logged({ msg: ACTING });
    const second = place.start();
    await second.logged({ msg: STANDING_BY });
    await waitUntil(() => expect(place.runs('tick').length).toBeGreaterThanOrEqual(4));
    expect(new Set(place.runs('tick'))).toEqual(new Set([first.pid]));
    expect(second.lines.filter(({ job }) => job !== undefined)).toEqual([]);
    const started = first.lines.filter(({ msg, job }) => msg === 'job started' && job === 'slow');
    expect(started).toHaveLength(1);
  });

  it('started at the same moment agree on one', async () => {
    const place = await makePlace();
    const workers = [place.start(), place.start(), place.start()];
    await waitUntil(() => expect(place.runs('tick').length).toBeGreaterThanOrEqual(3));
    expect(new Set(place.runs('tick')).size).toBe(1);
    const acting = workers.filter(({ lines }) => lines.some(({ msg }) => msg === ACTING));
    expect(acting.map(({ pid }) => pid)).toEqual([place.runs('tick')[0]]);
  });

  it('go on with the other one when the first is killed', async () => {
    const place = await makePlace();
    const first = place.start();
    await first.logged({ msg: ACTING });
    const second = place.start();
    await second.logged({ msg: STANDING_BY });
    first.child.kill('SIGKILL');
    await second.logged({ msg: ACTING });
    await waitUntil(() => expect(place.runs('tick')).toContain(second.pid));
    await second.logged({ msg: 'job started', job: 'slow' });
  });

  it('let one that slept through its lease write nothing when it wakes', async () => {
    const place = await makePlace();
    const sleeper = place.start();
    await sleeper.logged({ msg: 'slow job waits' });
    const other = place.start();
    await other.logged({ msg: STANDING_BY });
    sleeper.child.kill('SIGSTOP');
    await other.logged({ msg: ACTING });
    await waitUntil(() => expect(place.runs('tick')).toContain(other.pid));
    sleeper.child.kill('SIGCONT');
    place.use((db) => db.connection.exec("INSERT INTO permits VALUES ('slow')"));
    const failure = await sleeper.logged({ msg: 'job failed', job: 'slow' });
    expect(failure.err).toMatchObject({ type: 'LeaseLostError' });
    await sleeper.logged({ msg: STANDING_BY });
    await waitUntil(() => expect(place.runs('slow')).toEqual([other.pid]));
    const ticks = place.runs('tick');
    expect(ticks.slice(ticks.indexOf(other.pid))).not.toContain(sleeper.pid);
  });
});

describe('SIGTERM', () => {
  it('ends a worker in the middle of a job, and leaves the lease to others at once', async () => {
    const place = await makePlace();
    const first = place.start(LEASE_LONG_MS);
    await first.logged({ msg: 'slow job waits' });
    first.child.kill('SIGTERM');
    expect(await first.ended).toEqual({ code: 0, signal: null, stderr: '' });
    expect(first.lines).toContainEqual(expect.objectContaining({ msg: 'ended' }));
    expect(first.lines).toContainEqual(expect.objectContaining({ msg: 'job broken off', job: 'slow' }));
    const second = place.start(LEASE_LONG_MS);
    await second.logged({ msg: ACTING });
    expect(place.runs('slow')).toEqual([]);
  });

  it('ends a worker that stands by, and leaves the lease where it is', async () => {
    const place = await makePlace();
    const first = place.start(LEASE_LONG_MS);
    await first.logged({ msg: ACTING });
    const second = place.start(LEASE_LONG_MS);
    await second.logged({ msg: STANDING_BY });
    await second.logged({ msg: 'started' });
    second.child.kill('SIGTERM');
    expect(await second.ended).toEqual({ code: 0, signal: null, stderr: '' });
    const third = place.start(LEASE_LONG_MS);
    await third.logged({ msg: STANDING_BY });
  });
});

describe('src/worker/main.ts', () => {
  it('runs every job once at its start, logs each with its duration, and ends with 0', async () => {
    const place = await makePlace();
    const settings = { DATABASE_PATH: place.path, LOG_LEVEL: 'debug' };
    const worker = startProcess(REAL_WORKER, { cwd: place.cwd, settings });
    await worker.logged({ msg: 'started', component: 'worker' });
    for (const { name, isFrequent } of createJobs(parseConfig({}))) {
      const level = isFrequent ? 'debug' : 'info';
      expect(await worker.logged({ msg: 'job started', job: name })).toMatchObject({ level });
      const end = await worker.logged({ msg: 'job ended', job: name });
      expect(end.durationMs).toBeGreaterThanOrEqual(0);
    }
    worker.child.kill('SIGTERM');
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null, stderr: '' });
    expect(worker.lines.filter(({ msg }) => msg === 'ending')).toHaveLength(1);
    expect(worker.lines.filter(({ msg }) => msg === 'ended')).toHaveLength(1);
  });

  it('stands by while another one acts', async () => {
    const place = await makePlace();
    const start = () =>
      startProcess(REAL_WORKER, { cwd: place.cwd, settings: { DATABASE_PATH: place.path } });
    const first = start();
    await first.logged({ msg: ACTING });
    const second = start();
    await second.logged({ msg: STANDING_BY });
    expect(second.lines.filter(({ job }) => job !== undefined)).toEqual([]);
  });

  it('makes no database where there is none', async () => {
    const cwd = mkdtempSync(join(root, 'worker-'));
    const path = join(cwd, 'gone.db');
    const worker = startProcess(REAL_WORKER, { cwd, settings: { DATABASE_PATH: path } });
    expect(await worker.ended).toEqual({ code: 2, signal: null, stderr: `${missingProblem(path)}\n` });
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('refuses a database that is behind, and says what to run', async () => {
    const cwd = mkdtempSync(join(root, 'worker-'));
    const path = join(cwd, 'empty.db');
    openDatabase(path, 'write').close();
    const worker = startProcess(REAL_WORKER, { cwd, settings: { DATABASE_PATH: path } });
    expect(await worker.ended).toEqual({
      code: 2,
      signal: null,
      stderr: `${schemaProblem(path, 'behind')}\n`,
    });
  });

  it('refuses wrong settings', async () => {
    const worker = startProcess(REAL_WORKER, { cwd: root, settings: { PORT: 'x', LOG_LEVEL: 'y' } });
    expect(await worker.ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^wrong settings:\n {2}PORT=x: .*\n {2}LOG_LEVEL=y: .*\n$/) as string,
    });
  });
});
