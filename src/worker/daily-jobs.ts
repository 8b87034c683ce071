/** Daily jobs at the start of a worker: each runs only when a day has passed since its last run, not at every start. */
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import type { Job } from './job.ts';

/** When each was begun last, as JSON: epoch milliseconds by name. */
const PROPERTY = 'daily_jobs';
const DAY_MS = 24 * 3_600_000;

/** Whether a job has to run at the start, so that what was missed while no worker ran is made good. */
export function isMissed(db: Database, { name, isDaily }: Job, now = Date.now()): boolean {
  const last = readRuns(db)[name] ?? 0;
  // The clock may have been set back since.
  return !isDaily || now - last >= DAY_MS || last > now;
}

/** The same job, remembering its runs when it is a daily one. A run that fails waits for the next day too. */
export function rememberRuns(job: Job): Job {
  if (!job.isDaily) return job;
  return {
    ...job,
    run: (context) => {
      const { db, write } = context;
      write(() => setProperty(db, PROPERTY, JSON.stringify({ ...readRuns(db), [job.name]: Date.now() })));
      return job.run(context);
    },
  };
}

function readRuns(db: Database): Readonly<Record<string, number>> {
  return JSON.parse(findProperty(db, PROPERTY) ?? '{}') as Record<string, number>;
}
