/**
 * The thread that searches, and the turns that those who search take. It stays: it holds the orders, which take a while to
 * read. A search takes some hundredths of a second: one that runs is not broken off.
 */
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { createFairQueue, OverloadedError } from '../turns/fair-queue.ts';
import type { Requester } from '../turns/fair-queue.ts';
import type { FoundRows, SearchOutcome, SearchTask } from './search-thread.ts';

/** Searches of one address that wait or run: a page and some tabs. */
const SLOTS_PER_CLIENT = 16;
/** Places of all clients: fewer than those of pages, so that pages that wait for a search leave places for others. */
const SLOTS_MAX = 256;
/** When it is worth asking again while the worker makes search.db. */
export const LATER_SECONDS = 5;
/** The thread needs little more than its typed arrays, which do not count here. */
const THREAD_MEMORY_MIB = 256;
const THREAD_YOUNG_MIB = 8;

export interface SearchPool {
  /**
   * @throws {OverloadedError} at once when there is no place, and when the worker has to make search.db first; the signal's
   *   reason when it is aborted
   */
  find(task: SearchTask, requester: Requester): Promise<FoundRows>;
  /** Starts the thread before the first search asks for it. */
  start(): void;
  /** Searches that wait or run. */
  readonly load: number;
  close(): Promise<void>;
}

export interface SearchPoolOptions {
  readonly databasePath: string;
  /** Told of a thread that ended by itself; the next search gets a new one. */
  readonly onThreadEnd: (error: Error) => void;
  readonly slotsPerClient?: number;
  readonly slotsMax?: number;
  readonly threadFile?: URL;
}

export function createSearchPool({
  databasePath,
  onThreadEnd,
  slotsPerClient = SLOTS_PER_CLIENT,
  slotsMax = SLOTS_MAX,
  threadFile = new URL('search-thread.ts', import.meta.url),
}: SearchPoolOptions): SearchPool {
  const queue = createFairQueue({
    concurrency: 1,
    slotsPerClient,
    slotsMax,
    now: () => performance.now(),
    // It works elsewhere: nobody has to be let through between two searches.
    pause: (next) => next(),
  });
  let thread: Worker | undefined;
  /** Ends the search that runs. */
  let settle: ((outcome: SearchOutcome) => void) | undefined;
  let isClosed = false;

  const startThread = (): Worker => {
    const worker = new Worker(threadFile, {
      workerData: { databasePath },
      resourceLimits: {
        maxOldGenerationSizeMb: THREAD_MEMORY_MIB,
        maxYoungGenerationSizeMb: THREAD_YOUNG_MIB,
      },
    });
    // The process lives as long as its server, not as long as its threads.
    worker.unref();
    worker.on('message', (outcome: SearchOutcome) => settle?.(outcome));
    let failure: unknown;
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', (code) => {
      if (thread !== worker) return;
      thread = undefined;
      const error = new Error(`a search thread ended with code ${code}`, { cause: failure });
      if (!isClosed) onThreadEnd(error);
      settle?.({ error });
    });
    return worker;
  };

  const run = async (task: SearchTask): Promise<FoundRows> => {
    const outcome = await new Promise<SearchOutcome>((resolve) => {
      settle = resolve;
      thread ??= startThread();
      thread.postMessage(task);
    });
    settle = undefined;
    if ('error' in outcome) throw outcome.error;
    if ('later' in outcome) throw new OverloadedError(LATER_SECONDS);
    return outcome.found;
  };

  return {
    get load() {
      return queue.load;
    },
    start() {
      thread ??= startThread();
    },
    find: (task, requester) => queue.run(requester, () => run(task)),
    async close() {
      isClosed = true;
      const reason = new Error('the search is closed');
      queue.stop(reason);
      const ending = thread;
      thread = undefined;
      await ending?.terminate();
      settle?.({ error: reason });
    },
  };
}
