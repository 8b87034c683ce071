/** How a worker ends (two of them are in journeys/two-workers.test.ts), and the worker as it is in production. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { missingProblem, schemaProblem } from '#src/db/migrate.ts';
import { parseConfig } from '#src/config.ts';
import { createJobs } from '#src/worker/jobs.ts';
import { startProcess } from '../../support/start-process.ts';
import { makeFolder } from '../../support/temporary-database.ts';
import { ACTING, makeWorkerPlace, STANDING_BY } from '../../support/worker-place.ts';

const REAL_WORKER = join(import.meta.dirname, '../../../src/worker/main.ts');

it('SIGTERM ends a worker that stands by, and one in the middle of a job, whose lock is free at once', async () => {
  const place = await makeWorkerPlace();
  const acting = place.start();
  await acting.logged({ msg: 'slow job waits' });
  for (const _turn of [1, 2]) {
    const standby = place.start();
    await standby.logged({ msg: STANDING_BY });
    await standby.logged({ msg: 'started' });
    standby.child.kill('SIGTERM');
    expect(await standby.ended).toEqual({ code: 0, signal: null, stderr: '' });
  }
  acting.child.kill('SIGTERM');
  expect(await acting.ended).toEqual({ code: 0, signal: null, stderr: '' });
  expect(acting.lines).toContainEqual(expect.objectContaining({ msg: 'ended' }));
  expect(acting.lines).toContainEqual(expect.objectContaining({ msg: 'job broken off', job: 'slow' }));
  await place.start().logged({ msg: ACTING });
  expect(place.runs('slow')).toEqual([]);
});

describe('src/worker/main.ts', () => {
  it('runs every job once at its start, logs each with its duration, and ends with 0', async () => {
    const place = await makeWorkerPlace();
    const settings = { DATABASE_PATH: place.path, LOG_LEVEL: 'debug' };
    const worker = startProcess(REAL_WORKER, { cwd: place.cwd, settings });
    await worker.logged({ msg: 'started', component: 'worker' });
    for (const { name } of createJobs(parseConfig({}))) {
      await worker.logged({ msg: 'job started', job: name });
      const end = await worker.logged({ msg: 'job ended', job: name });
      expect(end.durationMs).toBeGreaterThanOrEqual(0);
    }
    worker.child.kill('SIGTERM');
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null, stderr: '' });
    expect(worker.lines.filter(({ msg }) => msg === 'ending')).toHaveLength(1);
    expect(worker.lines.filter(({ msg }) => msg === 'ended')).toHaveLength(1);
  });

  it.each<[string, boolean, (path: string) => string]>([
    ['missing, and makes none', false, missingProblem],
    ['behind, and says what to run', true, (path) => schemaProblem(path, 'behind')],
  ])('refuses a database that is %s', async (_how, isThere, problem) => {
    const cwd = makeFolder();
    const path = join(cwd, 'czujka.db');
    if (isThere) openDatabase(path, 'write').close();
    const worker = startProcess(REAL_WORKER, { cwd, settings: { DATABASE_PATH: path } });
    expect(await worker.ended).toEqual({ code: 2, signal: null, stderr: `${problem(path)}\n` });
    expect(existsSync(path)).toBe(isThere);
  });
});
