/**
 * Runs followers of the change log within CHECK_MS of a change. A failing follower is retried with growing pauses while
 * the others go on, and is recorded when it fails repeatedly (src/db/readiness.ts).
 */
import { readLogHead, type LogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import { listFailingFollowers, recordFailingFollowers } from '../db/readiness.ts';
import type { Log } from '../log.ts';
import type { JobRunner, Work } from './job.ts';

/**
 * Its run processes all changes since its last one, or rebuilds everything where its position is unknown. It must be
 * repeatable, because it runs again after a failure, a deadline and every start. It shares its thread, so long work
 * goes in steps.
 */
export type Follower = Omit<Work, 'isFrequent'>;

export type Following = ReturnType<typeof followChanges>;

/** A check costs a few microseconds. */
export const CHECK_MS = 100;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 30_000;
/** Failures in a row before an alarm; a busy database or a restart causes one or two. */
const FAILING_FROM = 3;

interface State {
  readonly follower: Follower;
  reached: LogHead | undefined;
  running: boolean;
  failures: number;
  retryAt: number;
}

export function followChanges(db: Database, log: Log, runner: JobRunner, followers: readonly Follower[]) {
  const states = followers.map((follower): State => ({
    follower,
    reached: undefined,
    running: false,
    failures: 0,
    retryAt: 0,
  }));
  let timer: NodeJS.Timeout | undefined;
  let notBefore = 0;

  const recordFailing = (write: (change: () => void) => void, succeeded?: string): void => {
    const failing = states
      .filter(({ failures, follower }) => failures >= FAILING_FROM && follower.name !== succeeded)
      .map(({ follower }) => follower.name);
    if (failing.join() !== listFailingFollowers(db).join()) write(() => recordFailingFollowers(db, failing));
  };

  const work = async (state: State, head: LogHead): Promise<void> => {
    const { name, deadlineMs, run } = state.follower;
    state.running = true;
    let done = false;
    await runner.run({
      name,
      deadlineMs,
      run: async (context) => {
        recordFailing(context.write);
        const outcome = await run(context);
        recordFailing(context.write, name);
        done = true;
        return { to: head.seq, ...outcome };
      },
    });
    state.running = false;
    if (done) {
      state.reached = head;
      state.failures = 0;
    } else {
      state.retryAt = performance.now() + Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** state.failures);
      state.failures += 1;
    }
  };

  const check = (): void => {
    const now = performance.now();
    if (now < notBefore) return;
    try {
      const head = readLogHead(db);
      for (const state of states) {
        const { reached } = state;
        const isThere = reached?.history === head.history && reached.seq === head.seq;
        if (!isThere && !state.running && now >= state.retryAt) void work(state, head);
      }
    } catch (error) {
      log.error({ err: error }, 'the change log cannot be read');
      notBefore = now + RETRY_MAX_MS;
    }
  };

  return {
    start(): void {
      timer ??= setInterval(check, CHECK_MS);
      check();
    },
    stop(): void {
      clearInterval(timer);
      timer = undefined;
    },
    countBehind(): Record<string, number> {
      const { history, seq } = readLogHead(db);
      return Object.fromEntries(
        states.map(({ follower, reached }) => [
          follower.name,
          reached?.history === history ? seq - reached.seq : seq,
        ]),
      );
    },
  };
}
