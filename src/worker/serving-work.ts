/** The read model in the worker: followed with every change, and looked after where no change tells of it. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Database } from '../db/database.ts';
import type { CheckTask } from './check-process.ts';
import type { ServingOutcome, ServingTask } from '../serving/serving-thread.ts';
import { runTask } from './task-process.ts';
import type { Follower } from './follow-changes.ts';
import type { Job } from './job.ts';

const THREAD = new URL('../serving/serving-thread.ts', import.meta.url);
const CHECK = new URL('./check-process.ts', import.meta.url);
/** A million entries for the first time take some minutes. */
const DEADLINE_MS = 30 * 60_000;
/** Names are sorted in memory: of a million entries a fifth of this. */
const THREAD_MEMORY_MIB = 512;
const THREAD_YOUNG_MIB = 8;

interface Keeper {
  run(signal: AbortSignal): Promise<object>;
}

/** A thread a database handle. */
const keepers = new WeakMap<Database, Keeper>();

function keeperOf(db: Database): Keeper {
  let keeper = keepers.get(db);
  if (!keeper) keepers.set(db, (keeper = createKeeper(db.path)));
  return keeper;
}

function createKeeper(databasePath: string): Keeper {
  let thread: Worker | undefined;
  let before: Promise<unknown> = Promise.resolve();

  const ask = async (signal: AbortSignal): Promise<object> => {
    signal.throwIfAborted();
    if (!thread) {
      thread = new Worker(THREAD, {
        workerData: { databasePath },
        resourceLimits: {
          maxOldGenerationSizeMb: THREAD_MEMORY_MIB,
          maxYoungGenerationSizeMb: THREAD_YOUNG_MIB,
        },
      });
      // The process lives as long as its jobs.
      thread.unref();
      thread.once('exit', () => (thread = undefined));
    }
    const ending = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    signal.addEventListener('abort', () => Atomics.store(ending, 0, 1), { once: true });
    // The thread outlives its tasks: what listens to it for one of them goes with it.
    const over = new AbortController();
    const answer = once(thread, 'message', over) as Promise<[ServingOutcome]>;
    const exit = once(thread, 'exit', over).then(() => {
      throw new Error('the thread that keeps the read model has ended');
    });
    thread.postMessage({ ending } satisfies ServingTask);
    try {
      const [outcome] = await Promise.race([answer, exit]);
      if ('error' in outcome) throw outcome.error;
      return outcome;
    } finally {
      over.abort();
    }
  };

  return {
    run(signal) {
      const turn = before.then(() => ask(signal));
      before = turn.catch(() => {});
      return turn;
    },
  };
}

export const servingFollower: Follower = {
  name: 'serving',
  deadlineMs: DEADLINE_MS,
  run: ({ db, signal }) => keeperOf(db).run(signal),
};

export const SERVING_JOBS: readonly Job[] = [
  {
    // Views, and a file that was deleted or found damaged.
    name: 'serving-upkeep',
    schedule: '*/5 * * * * *',
    deadlineMs: DEADLINE_MS,
    isFrequent: true,
    run: ({ db, signal }) => keeperOf(db).run(signal),
  },
  {
    // Wrong bytes in a key show only when somebody looks for them.
    name: 'check-files',
    schedule: '0 11 4 * * *',
    deadlineMs: DEADLINE_MS,
    run: async ({ db, signal }) => {
      const problems = await runTask<string[]>(CHECK, { databasePath: db.path } satisfies CheckTask, signal);
      if (problems.length > 0) throw new Error(`a database file is damaged: ${problems.join('; ')}`);
    },
  },
];
