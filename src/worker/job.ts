/** Jobs of the worker, and how one run of a job goes. */
import { performance } from 'node:perf_hooks';
import type { Database } from '../db/database.ts';
import type { Log } from '../log.ts';
import { untilAborted } from '../outbound/until-aborted.ts';

export interface JobContext {
  readonly db: Database;
  /** Runs a transaction; refuses those of a run that is cut off, which must not write over what a later one wrote. */
  readonly write: <T>(change: () => T) => T;
  readonly log: Log;
  /** Aborted at the deadline and at the end of the process; long jobs look at it between their steps. */
  readonly signal: AbortSignal;
}

/** Work that can be run for any reason. */
export interface Work {
  readonly name: string;
  readonly deadlineMs: number;
  /** Runs so often that only its failures are worth a place in the log. */
  readonly isFrequent?: boolean;
  /** Replaces its earlier result only when it succeeds. @returns what was changed, for the log */
  readonly run: (context: JobContext) => object | void | Promise<object | void>;
}

export interface Job extends Work {
  /** Cron expression with seconds, in UTC. */
  readonly schedule: string;
  /** Runs at a start only when its last run is a day ago (daily-jobs.ts). */
  readonly isDaily?: boolean;
}

export interface JobRunner {
  /** Does nothing while the last run of this name goes on. Never throws: a failure is logged, the old result stays. */
  run(job: Work): Promise<void>;
  /** Aborts what runs and waits until it has stopped, as long as the grace lasts. */
  end(): Promise<void>;
}

/** Jobs get this long to stop once they are aborted; the process has its own, longer deadline. */
const END_GRACE_MS = 5_000;
const DEADLINE = 'its deadline has passed';

/** Whether a result counts nothing that was changed. */
function isNothing(result: object | void): boolean {
  return result !== undefined && Object.values(result).every((count) => count === 0);
}

/** @param onRun told of each run that came to its end, in whatever way */
export function createJobRunner(
  context: Omit<JobContext, 'signal' | 'write'>,
  endGraceMs: number = END_GRACE_MS,
  onRun: (job: string, run: { readonly ok: boolean; readonly durationMs: number }) => void = () => {},
): JobRunner {
  const { log } = context;
  const running = new Map<string, Promise<void>>();
  /** Jobs that run, also past their deadline. */
  const working = new Set<Promise<unknown>>();
  const ending = new AbortController();

  const runOnce = async (job: Work): Promise<void> => {
    const startedAt = performance.now();
    const elapsedMs = (): number => Math.round(performance.now() - startedAt);
    const run = new AbortController();
    const abort = (): void => run.abort(ending.signal.reason);
    const { signal } = run;
    ending.signal.addEventListener('abort', abort);
    // A timer that is taken back, unlike AbortSignal.timeout: some jobs run each second and have ten minutes.
    const timer = setTimeout(() => run.abort(new DOMException(DEADLINE, 'TimeoutError')), job.deadlineMs);
    log.debug({ job: job.name }, 'job started');
    try {
      const write: JobContext['write'] = (change) => {
        signal.throwIfAborted();
        return context.db.write(change);
      };
      const work = Promise.resolve(job.run({ ...context, write, signal }));
      const settled = work.catch(() => {}).finally(() => working.delete(settled));
      working.add(settled);
      const result = await untilAborted(work, signal);
      const level = job.isFrequent || isNothing(result) ? 'debug' : 'info';
      log[level]({ job: job.name, durationMs: elapsedMs(), ...result }, 'job ended');
      onRun(job.name, { ok: true, durationMs: elapsedMs() });
    } catch (error) {
      if (ending.signal.aborted)
        return log.info({ job: job.name, durationMs: elapsedMs() }, 'job broken off');
      log.error({ job: job.name, durationMs: elapsedMs(), err: error }, 'job failed');
      onRun(job.name, { ok: false, durationMs: elapsedMs() });
    } finally {
      clearTimeout(timer);
      ending.signal.removeEventListener('abort', abort);
    }
  };

  return {
    async run(job) {
      if (ending.signal.aborted) return;
      if (running.has(job.name)) {
        log.warn({ job: job.name }, 'job skipped: its last run goes on');
        return;
      }
      // Inside a promise, so that a job that throws at once is a failed job too.
      const run = Promise.resolve()
        .then(() => runOnce(job))
        .finally(() => running.delete(job.name));
      running.set(job.name, run);
      await run;
    },
    async end() {
      ending.abort(new Error('the worker ends'));
      await Promise.all(running.values());
      await new Promise<void>((resolve) => {
        const grace = setTimeout(resolve, endGraceMs);
        void Promise.all(working).then(() => {
          clearTimeout(grace);
          resolve();
        });
      });
    },
  };
}
