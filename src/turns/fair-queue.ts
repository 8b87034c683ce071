/**
 * Expensive work takes turns by client: the tasks of a client wait for each other, and not in front of other clients.
 * Places are bounded for each client and for all together. When all are taken, the newest waiting task of the client with
 * the most places makes room (places.ts). Pages and searches have a queue each.
 */
import { Places } from './places.ts';
import type { Holder } from './places.ts';

/** From the request to the begin of its task. After it a visitor has gone, or asks again. */
const WAIT_MAX_MS = 10_000;
/** When all waiting tasks take longer, the IPv6 clients of one /48 share their turns. */
const LONG_MS = 1_000;
/** A task is expected to last this long before one was measured. */
const FIRST_GUESS_MS = 50;
/** How much the newest task counts in the average. */
const NEWEST_SHARE = 0.1;
const RETRY_MAX_SECONDS = 60;

/** More work waits than the service takes on, or than one client may have waiting. */
export class OverloadedError extends Error {
  override name = 'OverloadedError';
  /** When it is worth asking again, 1 to 60. */
  readonly seconds: number;

  constructor(seconds: number) {
    super('too much work is waiting');
    this.seconds = seconds;
  }
}

/** The client that work is done for. */
export interface Requester {
  /** Its address. */
  readonly client: string;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** When it asked, by the clock of the queue; absent: now. */
  readonly askedAt?: number;
}

export interface FairQueue {
  /**
   * Does work when its turn has come, which may be at once. A task that has not begun gives its place back as soon as the
   * client has gone; one that runs has to look at the signal itself.
   * @throws {OverloadedError} when there is no place, when another client needs the place, and after 10 s; the signal's
   *   reason when it is aborted; what the work throws
   */
  run<Result>(requester: Requester, work: () => Result | Promise<Result>): Promise<Result>;
  /** Places that are taken, by tasks that wait or run. */
  readonly load: number;
  /** Tasks that wait, now or later, are rejected. */
  stop(reason: Error): void;
}

export interface FairQueueOptions {
  /** Tasks at a time. */
  readonly concurrency: number;
  readonly placesPerClient: number;
  /** Places of all clients together. */
  readonly placesMax: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** When a turn is over; by default when its task is. The task's place is taken until then in any case. */
  readonly turnOf?: (task: Promise<unknown>) => Promise<unknown>;
  /** Runs between two turns: by default everything that has arrived meanwhile. */
  readonly pause?: (next: () => void) => void;
}

interface QueuedTask {
  begin(): void;
  reject(reason: Error): void;
}

export function createFairQueue({
  concurrency,
  placesPerClient,
  placesMax,
  now,
  turnOf = (task) => task,
  pause = setImmediate,
}: FairQueueOptions): FairQueue {
  const places = new Places<QueuedTask>();
  /** Clients with waiting tasks; the first one has the next turn. */
  const queue = new Set<Holder<QueuedTask>>();
  let running = 0;
  let averageMs = FIRST_GUESS_MS;
  let stoppedBy: Error | undefined;

  const waitMs = (): number => (places.taken * averageMs) / concurrency;

  const overloaded = (): OverloadedError =>
    new OverloadedError(Math.min(RETRY_MAX_SECONDS, Math.max(1, Math.ceil(waitMs() / 1_000))));

  const acquire = (client: string): Holder<QueuedTask> => {
    if (places.of(client) >= placesPerClient) throw overloaded();
    if (places.taken >= placesMax) {
      const newest = [...(places.findLargest(client)?.items ?? [])].at(-1);
      if (!newest) throw overloaded();
      newest.reject(overloaded());
    }
    return places.take(client);
  };

  const dispatch = (): void => {
    while (running < concurrency) {
      const [holder] = queue;
      const [task] = holder?.items ?? [];
      if (!holder || !task) return;
      // The others have their turns first, also those that ask later.
      const isLong = waitMs() > LONG_MS;
      const served = isLong ? [...queue].filter(({ network }) => network === holder.network) : [holder];
      for (const one of [...served.filter((other) => other !== holder), holder]) {
        queue.delete(one);
        queue.add(one);
      }
      running += 1;
      task.begin();
    }
  };

  const endTurn = (startedAt: number): void =>
    pause(() => {
      averageMs += (now() - startedAt - averageMs) * NEWEST_SHARE;
      running -= 1;
      dispatch();
    });

  return {
    async run<Result>(requester: Requester, work: () => Result | Promise<Result>) {
      const { client, signal, askedAt = now() } = requester;
      signal.throwIfAborted();
      if (stoppedBy) throw stoppedBy;
      const holder = acquire(client);
      return await new Promise<Result>((resolve, reject) => {
        const stopWaiting = (): void => {
          clearTimeout(deadline);
          signal.removeEventListener('abort', leave);
          holder.items.delete(task);
          if (holder.items.size === 0) queue.delete(holder);
        };
        const leave = (): void => task.reject(signal.reason as Error);
        const task: QueuedTask = {
          begin() {
            stopWaiting();
            const startedAt = now();
            const working = Promise.try(work).finally(() => places.giveBack(holder));
            working.then(resolve, reject);
            const end = (): void => endTurn(startedAt);
            turnOf(working).then(end, end);
          },
          reject(reason) {
            stopWaiting();
            places.giveBack(holder);
            reject(reason);
          },
        };
        // The queue of pages may have taken all of it.
        const waitLeftMs = Math.max(0, askedAt + WAIT_MAX_MS - now());
        const deadline = setTimeout(() => task.reject(overloaded()), waitLeftMs).unref();
        signal.addEventListener('abort', leave, { once: true });
        holder.items.add(task);
        queue.add(holder);
        dispatch();
      });
    },
    get load() {
      return places.taken;
    },
    stop(reason) {
      stoppedBy = reason;
      for (const { items } of queue) for (const task of items) task.reject(reason);
    },
  };
}
