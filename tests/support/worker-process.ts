/**
 * A worker whose job `tick` writes into the table `runs`, and whose job `slow` would write when it has waited for an hour.
 * Usage: node worker-process.ts <database>
 */
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#src/db/database.ts';
import { createLog } from '#src/log.ts';
import { endOnSignal } from '#src/process-end.ts';
import { startWorker } from '#src/worker/worker.ts';
import type { Job } from '#src/worker/job.ts';

const [path = ''] = process.argv.slice(2);
const db = openDatabase(path, 'write');
const log = createLog('worker', 'debug');

const note = (job: string) => (): void => {
  db.statement('INSERT INTO runs (pid, job) VALUES (?, ?)').run(process.pid, job);
};

const jobs: readonly Job[] = [
  { name: 'tick', schedule: '* * * * * *', deadlineMs: 10_000, run: ({ write }) => write(note('tick')) },
  {
    name: 'slow',
    schedule: '0 0 3 1 1 *',
    deadlineMs: 60_000,
    run: async ({ write, signal }) => {
      log.info('slow job waits');
      await setTimeout(3_600_000, undefined, { signal });
      write(note('slow'));
    },
  },
];

const worker = startWorker(db, log, jobs);
endOnSignal(log, async () => {
  await worker.end();
  db.close();
});
log.info('started');
