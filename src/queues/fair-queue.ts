/**
 * A round-robin queue by client for expensive work. When all slots are taken, the newest waiting task of the client
 * with the most slots is dropped (client-slots.ts). Pages and searches have a queue each.
 */
import { ClientSlots, type SlotOwner } from './client-slots.ts';

/** From the request on; visitors do not wait longer. */
const WAIT_MAX_MS = 10_000;
/** For longer waits, the IPv6 clients of one /48 take turns as one client. */
const LONG_WAIT_MS = 1_000;
const FIRST_ESTIMATE_MS = 50;
const NEWEST_WEIGHT = 0.1;
const RETRY_MAX_SECONDS = 60;

export class OverloadedError extends Error {
  override name = 'OverloadedError';
  /** 1 to 60. */
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('too much work is waiting');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Requester {
  readonly client: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
  /** By the clock of the queue. */
  readonly askedAt?: number;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

export interface FairQueueOptions {
  readonly concurrency: number;
  readonly slotsPerClient: number;
  readonly slotsMax: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** Ends a task's turn; the task keeps its slot until its own end. */
  readonly turnEndOf?: (task: Promise<unknown>) => Promise<unknown>;
  /** Runs between two turns. */
  readonly pause?: (next: () => void) => void;
}

interface QueuedTask {
  begin(): void;
  reject(reason: Error): void;
}

export function createFairQueue({
  concurrency,
  slotsPerClient,
  slotsMax,
  now,
  turnEndOf = (task) => task,
  pause = setImmediate,
}: FairQueueOptions) {
  const slots = new ClientSlots<QueuedTask>();
  const queue = new Set<SlotOwner<QueuedTask>>();
  let running = 0;
  let averageMs = FIRST_ESTIMATE_MS;
  let stoppedBy: Error | undefined;

  const waitMs = (): number => (slots.taken * averageMs) / concurrency;

  const overloaded = (): OverloadedError =>
    new OverloadedError(Math.min(RETRY_MAX_SECONDS, Math.max(1, Math.ceil(waitMs() / 1_000))));

  const acquire = (client: string): SlotOwner<QueuedTask> => {
    if (slots.countOf(client) >= slotsPerClient) throw overloaded();
    if (slots.taken >= slotsMax) {
      const newest = [...(slots.findLargest(client)?.items ?? [])].at(-1);
      if (!newest) throw overloaded();
      newest.reject(overloaded());
    }
    return slots.acquire(client);
  };

  const dispatch = (): void => {
    while (running < concurrency) {
      const [owner] = queue;
      const [task] = owner?.items ?? [];
      if (!owner || !task) return;
      const isLong = waitMs() > LONG_WAIT_MS;
      const neighbours = isLong ? [...queue].filter(({ network }) => network === owner.network) : [];
      // This client comes last.
      for (const each of [...neighbours, owner]) {
        queue.delete(each);
        queue.add(each);
      }
      running += 1;
      task.begin();
    }
  };

  const endTurn = (startedAt: number): void =>
    pause(() => {
      averageMs += (now() - startedAt - averageMs) * NEWEST_WEIGHT;
      running -= 1;
      dispatch();
    });

  return {
    /** An abort ends waiting; a running task has to look. @throws {OverloadedError} without a slot, or after 10 s */
    async run<Result>(requester: Requester, work: () => Result | Promise<Result>): Promise<Result> {
      const { client, signal, askedAt = now() } = requester;
      signal.throwIfAborted();
      if (stoppedBy) throw stoppedBy;
      const owner = acquire(client);
      return await new Promise<Result>((resolve, reject) => {
        const stopWaiting = (): void => {
          clearTimeout(deadline);
          signal.removeEventListener('abort', abort);
          owner.items.delete(task);
          if (owner.items.size === 0) queue.delete(owner);
        };
        const abort = (): void => task.reject(signal.reason as Error);
        const task: QueuedTask = {
          begin() {
            stopWaiting();
            const startedAt = now();
            const working = Promise.try(work).finally(() => slots.release(owner));
            working.then(resolve, reject);
            const end = (): void => endTurn(startedAt);
            turnEndOf(working).then(end, end);
          },
          reject(reason) {
            stopWaiting();
            slots.release(owner);
            reject(reason);
          },
        };
        // A search may have waited in the queue of pages already.
        const waitLeftMs = Math.max(0, askedAt + WAIT_MAX_MS - now());
        const deadline = setTimeout(() => task.reject(overloaded()), waitLeftMs).unref();
        signal.addEventListener('abort', abort, { once: true });
        owner.items.add(task);
        queue.add(owner);
        dispatch();
      });
    },
    /** Waiting and running tasks. */
    get load(): number {
      return slots.taken;
    },
    /** Rejects waiting and later tasks. */
    stop(reason: Error): void {
      stoppedBy = reason;
      for (const { items } of queue) for (const task of items) task.reject(reason);
    },
  };
}
