/** The thread stays, because loading the orders takes a while. Searches are short, so they are not cancelled. */
import { Worker } from 'node:worker_threads';
import { createFairQueue, OverloadedError, type Requester } from '../queues/fair-queue.ts';
import { nextMessage } from '../queues/next-message.ts';
import type { FoundRows, SearchOutcome, SearchTask } from './search-thread.ts';

export const SEARCHES_PER_CLIENT = 16;
/** Fewer than the queue of pages, so that slow searches leave room for other pages. */
const SLOTS_MAX = 256;
export const LATER_SECONDS = 5;
/** Typed arrays, which make up most of the memory, do not count here. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 8 };

export type SearchPool = ReturnType<typeof createSearchPool>;

interface SearchPoolOptions {
  readonly databasePath: string;
  /** The thread ended, or search.db is damaged. */
  readonly onTrouble: (error: Error) => void;
  readonly slotsPerClient?: number;
  readonly slotsMax?: number;
  readonly threadFile?: URL;
}

export function createSearchPool({
  databasePath,
  onTrouble,
  slotsPerClient = SEARCHES_PER_CLIENT,
  slotsMax = SLOTS_MAX,
  threadFile = new URL('search-thread.ts', import.meta.url),
}: SearchPoolOptions) {
  const queue = createFairQueue({
    concurrency: 1,
    slotsPerClient,
    slotsMax,
    now: () => performance.now(),
    // The thread works in parallel, so other requests need no pause between two searches.
    pause: (next) => next(),
  });
  let thread: Worker | undefined;
  let isClosed = false;

  const startThread = (): Worker => {
    const worker = new Worker(threadFile, { workerData: { databasePath }, resourceLimits: RESOURCE_LIMITS });
    worker.unref();
    let failure: unknown;
    worker.on('error', (error) => {
      failure = error;
      thread = undefined;
    });
    worker.on('exit', (code) => {
      if (thread === worker) thread = undefined;
      if (!isClosed) onTrouble(new Error(`a search thread ended with code ${code}`, { cause: failure }));
    });
    return worker;
  };

  const run = async (task: SearchTask): Promise<FoundRows> => {
    const worker = (thread ??= startThread());
    worker.postMessage(task);
    const { found, damage, error } = await nextMessage<SearchOutcome>(worker);
    if (error) throw error;
    if (damage) onTrouble(damage);
    if (!found) throw new OverloadedError(LATER_SECONDS);
    return found;
  };

  return {
    get load(): number {
      return queue.load;
    },
    start(): void {
      thread ??= startThread();
    },
    find: (task: SearchTask, requester: Requester): Promise<FoundRows> =>
      queue.run(requester, () => run(task)),
    async close(): Promise<void> {
      isClosed = true;
      queue.stop(new Error('the search is closed'));
      await thread?.terminate();
    },
  };
}
