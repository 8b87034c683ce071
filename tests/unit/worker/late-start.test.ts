import { expect, it, vi } from 'vitest';
import { createLog } from '#src/log.ts';
import { startWorker } from '#src/worker/worker.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

function block(untilMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, untilMs - Date.now());
}

it('a job whose second passed while the worker was busy runs afterwards, once', async () => {
  const db = await makeDatabase();
  const due = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 2_000);
  const runs: string[] = [];
  const job = (name: string, schedule: string) => ({
    name,
    schedule,
    deadlineMs: 60_000,
    run: () => void runs.push(name),
  });
  const warn = vi.spyOn(console, 'warn');
  const worker = startWorker(db, createLog('worker', 'silent'), {
    jobs: [
      job('hourly', `${due.getUTCSeconds()} ${due.getUTCMinutes()} * * * *`),
      job('never', '0 0 3 1 1 *'),
    ],
    leaseMs: 3_600_000,
  });
  block(due.getTime() + 3_500);
  await vi.waitFor(() => expect(runs).toEqual(['hourly', 'never', 'hourly']), { timeout: 20_000 });
  expect(warn).not.toHaveBeenCalled();
  await worker.end();
  db.close();
});
