import { expect, it } from 'vitest';
import type { Status } from '#src/status/status.ts';
import { createStatusJobs } from '#src/worker/jobs.ts';
import { makeJobContext } from '../../support/job-context.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const STATUS: Status = { checks: [], bots: [], checkedAt: '2026-11-20T12:00:00.000Z' };

it('the status job proves with a write that the worker can write, and fails where it cannot', async () => {
  const db = await makeDatabase();
  const [job] = createStatusJobs(async (checkDatabase) => {
    await checkDatabase();
    return STATUS;
  });
  const run = async (): Promise<unknown> => job?.run(makeJobContext(db));
  const read = (): unknown[] => db.statement('SELECT * FROM status_write_probe').all();
  expect(read()).toEqual([]);
  db.connection.pragma('query_only = ON');
  await expect(run()).rejects.toThrow('readonly');
  expect(read()).toEqual([]);
  db.connection.pragma('query_only = OFF');
  await run();
  expect(read()).toHaveLength(1);
});
