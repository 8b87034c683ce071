import type { Database } from '#src/db/database.ts';
import { createLog } from '#src/log.ts';
import type { JobContext } from '#src/worker/job-runner.ts';

/** A worker gives this to its jobs, and to the watch of donations. */
export function makeJobContext(db: Database, log = createLog('worker', 'silent')): JobContext {
  return { db, write: (change) => db.write(change), signal: new AbortController().signal, log };
}
