/**
 * Threads that search, and the bounded queue before them. An own pool because a search thread knows things that take
 * a second to read (serving-reader.ts): the pools there are end a thread to end its task; here a task ends itself at its
 * next step, and the thread stays.
 */
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { Found, SearchTask } from './search-engine.ts';
import type { PostedTask, SearchOutcome } from './search-thread.ts';

/** Each takes some 50 MB, and at a million entries twice that: more memory than one machine's searches are worth. */
const THREADS = 1;
/** Searches that wait; more are refused at once. */
const QUEUE_MAX = 64;
/** What a search is taken to last before one was measured. */
const FIRST_GUESS_MS = 50;
/** How much the newest search counts in the average. */
const NEWEST_SHARE = 0.1;
const RETRY_MAX_SECONDS = 60;
/** When it is worth asking again while the worker makes the tables of a search. */
const LATER_SECONDS = 5;
/** A thread needs little more than its typed arrays, which do not count here. */
const THREAD_MEMORY_MIB = 256;
const THREAD_YOUNG_MIB = 8;

/** More searches wait than the service takes on. */
export class OverloadedError extends Error {
  override name = 'OverloadedError';
  /** When it is worth asking again. */
  readonly seconds: number;

  constructor(seconds: number) {
    super('too many searches are waiting');
    this.seconds = seconds;
  }
}

export interface SearchPool {
  /**
   * @param signal aborted when nobody waits for the answer any more
   * @throws {OverloadedError} at once when the queue is full, and when the worker has to make something first; the
   *   signal's reason when it is aborted
   */
  find(task: SearchTask, signal: AbortSignal): Promise<Found>;
  /** Starts the threads before the first search asks for them. */
  start(): void;
  /** Searches that wait or run. */
  readonly load: number;
  close(): Promise<void>;
}

export interface SearchPoolOptions {
  readonly databasePath: string;
  /** Told of a thread that ended by itself; the next search gets a new one. */
  readonly onThreadEnd: (error: Error) => void;
  readonly threads?: number;
  readonly queueMax?: number;
  readonly threadFile?: URL;
}

interface Search {
  readonly task: PostedTask;
  readonly signal: AbortSignal;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
  readonly leave: () => void;
}

interface Thread {
  worker: Worker | undefined;
  running: { readonly search: Search; readonly startedAt: number } | undefined;
}

export function createSearchPool({
  databasePath,
  onThreadEnd,
  threads: threadCount = THREADS,
  queueMax = QUEUE_MAX,
  threadFile = new URL('search-thread.ts', import.meta.url),
}: SearchPoolOptions): SearchPool {
  const threads: Thread[] = Array.from({ length: threadCount }, () => ({
    worker: undefined,
    running: undefined,
  }));
  /** In their order; a Set, because those that are given up leave from the middle. */
  const waiting = new Set<Search>();
  let averageMs = FIRST_GUESS_MS;
  let isClosed = false;

  const startWorker = (thread: Thread): Worker => {
    const worker = new Worker(threadFile, {
      workerData: { databasePath },
      resourceLimits: {
        maxOldGenerationSizeMb: THREAD_MEMORY_MIB,
        maxYoungGenerationSizeMb: THREAD_YOUNG_MIB,
      },
    });
    // The process lives as long as its server, not as long as its threads.
    worker.unref();
    worker.on('message', (outcome: SearchOutcome) => settle(thread, outcome));
    let failure: unknown;
    worker.on('error', (error) => {
      failure = error;
    });
    worker.on('exit', (code) => {
      if (thread.worker !== worker) return;
      thread.worker = undefined;
      const error = new Error(`a search thread ended with code ${code}`, { cause: failure });
      onThreadEnd(error);
      settle(thread, { error });
    });
    return worker;
  };

  const settle = (thread: Thread, outcome: SearchOutcome): void => {
    const { running } = thread;
    thread.running = undefined;
    if (running) {
      const { search, startedAt } = running;
      search.signal.removeEventListener('abort', search.leave);
      if ('error' in outcome) search.reject(outcome.error);
      else if ('later' in outcome) search.reject(new OverloadedError(LATER_SECONDS));
      else if (outcome.found) {
        averageMs += (performance.now() - startedAt - averageMs) * NEWEST_SHARE;
        search.resolve(outcome.found);
      } else search.reject(search.signal.reason);
    }
    giveWork();
  };

  const giveWork = (): void => {
    for (const thread of threads) {
      if (thread.running) continue;
      const [search] = waiting;
      if (!search) return;
      waiting.delete(search);
      thread.worker ??= startWorker(thread);
      thread.running = { search, startedAt: performance.now() };
      thread.worker.postMessage(search.task);
    }
  };

  const load = (): number => waiting.size + threads.filter(({ running }) => running).length;

  return {
    get load() {
      return load();
    },
    start() {
      for (const thread of threads) thread.worker ??= startWorker(thread);
    },
    find(task, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      if (isClosed) return Promise.reject(new Error('the search is closed'));
      if (waiting.size >= queueMax) {
        const seconds = Math.ceil((load() * averageMs) / threads.length / 1_000);
        return Promise.reject(new OverloadedError(Math.min(RETRY_MAX_SECONDS, Math.max(1, seconds))));
      }
      return new Promise((resolve, reject) => {
        const abandoned = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
        const leave = (): void => {
          // One that runs ends itself at its next step.
          Atomics.store(abandoned, 0, 1);
          if (waiting.delete(search)) reject(signal.reason as Error);
        };
        const search: Search = { task: { task, abandoned }, signal, resolve, reject, leave };
        signal.addEventListener('abort', leave, { once: true });
        waiting.add(search);
        giveWork();
      });
    },
    async close() {
      isClosed = true;
      const reason = new Error('the search is closed');
      for (const search of waiting) search.reject(reason);
      waiting.clear();
      await Promise.all(
        threads.map(async (thread) => {
          const { worker, running } = thread;
          thread.worker = undefined;
          if (running) Atomics.store(running.search.task.abandoned, 0, 1);
          thread.running = undefined;
          await worker?.terminate();
          running?.search.reject(reason);
        }),
      );
    },
  };
}
