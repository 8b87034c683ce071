/** The worker as it is in production; two of them are in journeys/two-workers.test.ts. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { missingProblem, schemaProblem } from '#src/db/migrate.ts';
import { parseConfig } from '#src/config.ts';
import { createJobs } from '#src/worker/jobs.ts';
import { runWorker } from '../../support/server-process.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';

it('a worker runs every job once at its start, logs each with its duration, and ends with 0', async () => {
  const worker = runWorker((await makeDatabase()).path);
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
])('a worker refuses a database that is %s', async (_how, isThere, problem) => {
  const path = join(makeFolder(), 'czujka.db');
  if (isThere) openDatabase(path, 'write').close();
  expect(await runWorker(path).ended).toEqual({ code: 2, signal: null, stderr: `${problem(path)}\n` });
  expect(existsSync(path)).toBe(isThere);
});
