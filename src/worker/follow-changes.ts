/**
 * Followers of the change log: told within LOOK_MS that there are new changes, each at its own pace. One that fails is
 * tried again, later and later; the others go on meanwhile. Each knows by itself how far it has come; which of them fail
 * again and again is recorded (failing-followers.ts).
 */
import { readLogHead } from '../changes/log-head.ts';
import type { LogHead } from '../changes/log-head.ts';
import type { Database } from '../db/database.ts';
import { listFailingFollowers, recordFailingFollowers } from '../db/failing-followers.ts';
import type { Log } from '../log.ts';
import type { JobRunner, Work } from './job.ts';

/**
 * Its run takes over what has changed since its last one, or makes everything again where that is unknown. It is called
 * again when it fails, when its deadline cuts it off and at every start: the second time must do no harm. It shares the
 * thread with all others, so that long work goes in steps.
 */
export type Follower = Omit<Work, 'isFrequent'>;

export interface Following {
  /** Looks for changes from now on; what has happened before is looked up. */
  start(): void;
  stop(): void;
  /** Changes that each follower has not taken over yet. */
  countBehind(): Record<string, number>;
}

/** A look costs some microseconds. */
export const LOOK_MS = 100;
const RETRY_FIRST_MS = 250;
const RETRY_MAX_MS = 30_000;
/** Failures in a row that are worth an alarm: a busy database or a restart causes one or two. */
const FAILING_FROM = 3;

interface State {
  readonly follower: Follower;
  /** The change that its last successful run has reached. */
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
    start() {
      timer ??= setInterval(look, LOOK_MS);
      look();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
    countBehind() {
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
