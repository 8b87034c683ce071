/**
 * Followers of the change log: told within LOOK_MS that there are new changes, each at its own pace. One that fails is
 * tried again, later and later; the others go on meanwhile. How far each has come is kept in the database, and which of
 * them fail again and again (failing-followers.ts).
 */
import { readLogHead } from '../changes/log-head.ts';
import type { LogHead } from '../changes/log-head.ts';
import { findProgress, recordProgress } from '../changes/progress.ts';
import type { Database } from '../db/database.ts';
import { listFailingFollowers, recordFailingFollowers } from '../db/failing-followers.ts';
import type { Log } from '../log.ts';
import type { JobContext, JobRunner } from './job.ts';

export interface FollowContext extends JobContext {
  /**
   * The changes to work off are those with from < seq <= to. Undefined: make everything anew from the entries, and
   * take nothing for granted that an earlier run left (it never ran, or the database is a restored one).
   */
  readonly from: number | undefined;
  readonly to: number;
}

export interface Follower {
  /** Names its progress in the database, and its runs in the log; no job may have the same. */
  readonly name: string;
  readonly deadlineMs: number;
  /**
   * Called again with the same range when it fails, when its deadline cuts it off, or when the process ends before its
   * progress is recorded: the second time must do no harm. It shares the thread with all others, so that long work
   * goes in steps. @returns what is worth a place in the log
   */
  readonly run: (context: FollowContext) => object | void | Promise<object | void>;
}

export interface Following {
  /** Looks for changes; what may have happened while another worker acted is looked up. */
  begin(): void;
  pause(): void;
}

/** A look costs some microseconds. */
export const LOOK_MS = 100;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 30_000;
/** Failures in a row that are worth an alarm: a busy database or a restart causes one or two. */
const FAILING_FROM = 3;

interface State {
  readonly follower: Follower;
  /** What its last successful run has reached. */
  reached: LogHead | undefined;
  running: boolean;
  failures: number;
  retryAt: number;
}

export function followChanges(
  db: Database,
  log: Log,
  runner: JobRunner,
  followers: readonly Follower[],
): Following {
  const states = followers.map((follower): State => ({
    follower,
    reached: undefined,
    running: false,
    failures: 0,
    retryAt: 0,
  }));
  let timer: NodeJS.Timeout | undefined;
  let notBefore = 0;

  const listFailing = (): string[] =>
    states.filter(({ failures }) => failures >= FAILING_FROM).map(({ follower }) => follower.name);

  const work = async (state: State, head: LogHead): Promise<void> => {
    const { follower } = state;
    const { name, deadlineMs } = follower;
    state.running = true;
    let done = false;
    await runner.run({
      name,
      deadlineMs,
      run: async (context) => {
        const failing = listFailing();
        if (failing.join() !== listFailingFollowers(db).join())
          context.lease.write(() => recordFailingFollowers(db, failing));
        const from = findProgress(db, name, head);
        const outcome = from === head.seq ? {} : await follower.run({ ...context, from, to: head.seq });
        context.lease.write(() => {
          recordProgress(db, name, head);
          recordFailingFollowers(
            db,
            listFailing().filter((other) => other !== name),
          );
        });
        done = true;
        return { from, to: head.seq, ...outcome };
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

  const look = (): void => {
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
    begin() {
      for (const state of states) state.reached = undefined;
      timer ??= setInterval(look, LOOK_MS);
      look();
    },
    pause() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
