import { addAbortListener } from 'node:events';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { isBusy, type Database, type Transaction } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import type { Log } from '../log.ts';
import { untilAborted } from '../outbound/until-aborted.ts';
import { DAY_MS } from '../text/calendar.ts';

export interface JobContext {
  readonly db: Database;
  /** Runs a transaction; throws once the run was aborted, so that it cannot overwrite results of a later run. */
  readonly write: <T>(change: (tx: Transaction) => T) => T;
  readonly log: Log;
  /** Aborted at the deadline and when the process ends; long jobs check it between steps. */
  readonly signal: AbortSignal;
}

export interface Job {
  readonly name: string;
  /** Cron expression with seconds, in UTC. */
  readonly schedule: string;
  readonly deadlineMs: number;
  /** Only failures are logged at the default level. */
  readonly isQuiet?: boolean;
  /** Runs at a worker's start only when its last run is a day ago. */
  readonly isDaily?: boolean;
  /** Also runs after each change of the log. Long work goes in steps, and a failed run is retried. */
  readonly isFollower?: boolean;
  /** Jobs of a lane run one after another: `disk` copies or checks the whole database, `search` writes search.db. */
  readonly lane?: 'disk' | 'search';
  /** Replaces its earlier result only when it succeeds. @returns numbers of changes, for the log */
  readonly run: (context: JobContext) => object | void | Promise<object | void>;
}

/** How a run ended. Nothing ran when it was skipped, or broken off by the end of the process. */
interface Run {
  readonly outcome: 'ok' | 'failed' | 'busy' | 'not run';
  readonly durationMs: number;
}

const END_GRACE_MS = 5_000;
const DEADLINE = 'its deadline has passed';
const NOTHING_RAN: Run = { outcome: 'not run', durationMs: 0 };

export function createJobRunner(
  context: Omit<JobContext, 'signal' | 'write'>,
  { endGraceMs = END_GRACE_MS } = {},
) {
  const { log } = context;
  const running = new Map<string, Promise<Run>>();
  /** Running jobs, also past their deadline. */
  const working = new Set<Promise<unknown>>();
  /** The last job of each lane. */
  const lanes = new Map<Job['lane'], Promise<unknown>>();
  const ending = new AbortController();

  const runOnce = async (job: Job): Promise<Run> => {
    const startedAt = performance.now();
    const facts = () => ({ job: job.name, durationMs: Math.round(performance.now() - startedAt) });
    const run = new AbortController();
    const { signal } = run;
    using _end = addAbortListener(ending.signal, () => run.abort(ending.signal.reason));
    // A timer that can be cleared, unlike AbortSignal.timeout, because some jobs run each second and have ten minutes.
    const timer = setTimeout(() => run.abort(new DOMException(DEADLINE, 'TimeoutError')), job.deadlineMs);
    log.debug({ job: job.name }, 'job started');
    try {
      const write: JobContext['write'] = (change) => {
        signal.throwIfAborted();
        return context.db.write(change);
      };
      const work = Promise.resolve(lanes.get(job.lane)).then(() => {
        signal.throwIfAborted();
        if (job.isDaily) write((tx) => recordRun(tx, job.name));
        return job.run({ ...context, write, signal });
      });
      const settled = work.catch(() => {}).finally(() => working.delete(settled));
      working.add(settled);
      if (job.lane) lanes.set(job.lane, settled);
      const result = await untilAborted(work, signal);
      const hasDoneNothing = result && Object.values(result).every((count) => count === 0);
      const level = job.isQuiet || hasDoneNothing ? 'debug' : 'info';
      log[level]({ ...facts(), ...result }, 'job ended');
      return { outcome: 'ok', ...facts() };
    } catch (error) {
      if (ending.signal.aborted) {
        log.info(facts(), 'job broken off');
        return { outcome: 'not run', ...facts() };
      }
      if (isBusy(error)) {
        log.info(facts(), 'job waits: another process writes the database');
        return { outcome: 'busy', ...facts() };
      }
      log.error({ ...facts(), err: error }, 'job failed');
      return { outcome: 'failed', ...facts() };
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    /** Skips a job that is still running. Never throws: a failure is logged. */
    async run(job: Job): Promise<Run> {
      if (ending.signal.aborted) return NOTHING_RAN;
      if (running.has(job.name)) {
        log.warn({ job: job.name }, 'job skipped: its last run goes on');
        return NOTHING_RAN;
      }
      // Between two jobs that each wait for a lock, the process can say that it lives.
      const run = setImmediate()
        .then(() => runOnce(job))
        .finally(() => running.delete(job.name));
      running.set(job.name, run);
      return run;
    },
    async end(): Promise<void> {
      ending.abort(new Error('the worker ends'));
      await Promise.all(running.values());
      await Promise.race([Promise.all(working), sleep(endGraceMs, undefined, { ref: false })]);
    },
  };
}

/** JSON object: start of the last run in epoch milliseconds, by job. */
const DAILY_PROPERTY = 'daily_jobs';

export function hasRunWithinDay(db: Database, job: string, now = Date.now()): boolean {
  const last = readRuns(db)[job] ?? 0;
  // The clock may have been set back since.
  return last <= now && now - last < DAY_MS;
}

/** At the start of a run, so that a failed one waits for the next day too. */
function recordRun(tx: Transaction, job: string): void {
  setProperty(tx, DAILY_PROPERTY, JSON.stringify({ ...readRuns(tx), [job]: Date.now() }));
}

function readRuns(db: Database): Readonly<Record<string, number>> {
  return JSON.parse(findProperty(db, DAILY_PROPERTY) ?? '{}') as Record<string, number>;
}
