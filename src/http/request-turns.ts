/**
 * Bounds how long requests occupy an iteration of the event loop. After that, requests wait in a fair queue (fair-queue.ts),
 * so that a client with a thousand slow requests does not delay the others.
 */
import { networkOf } from '../queues/client-slots.ts';
import { createFairQueue, type Requester } from '../queues/fair-queue.ts';

const ITERATION_MAX_MS = 5;
const PAUSE_MAX_MS = 50;
/** For a network's requests in a second of overload: a client with few requests never waits. */
const ALLOWANCE_MS = 5;
const ALLOWANCE_PERIOD_MS = 1_000;
/** A minute's requests of an address to one endpoint (rate-limit.ts). */
const SLOTS_PER_CLIENT = 1_000;
/** Fewer than the connections of the server. */
const SLOTS_MAX = 4_000;
const NO_REQUEST: Requester = { client: '', signal: new AbortController().signal };

/** @param now milliseconds of a monotonic clock */
export function createRequestTurns(now: () => number) {
  let iterationBeganAt: number | undefined;
  let turnBeganAt = -Infinity;
  let isPausing = false;
  let periodBeganAt = -Infinity;
  const usedMs = new Map<string, number>();

  const queue = createFairQueue({
    concurrency: 1,
    slotsPerClient: SLOTS_PER_CLIENT,
    slotsMax: SLOTS_MAX,
    now,
    // Short requests share a turn. Other clients, the compression and the garbage collector get as much time as a turn.
    pause: (next) => {
      const turnMs = now() - turnBeganAt;
      if (turnMs < ITERATION_MAX_MS) return next();
      isPausing = true;
      setTimeout(
        () => {
          isPausing = false;
          turnBeganAt = now();
          next();
        },
        Math.min(PAUSE_MAX_MS, turnMs),
      );
    },
  });

  const endIteration = (): void => {
    const beganAt = iterationBeganAt ?? now();
    iterationBeganAt = undefined;
    if (now() - beganAt < ITERATION_MAX_MS || isPausing || queue.load > 0) return;
    // A pause follows every turn. Otherwise new connections, one per iteration, would each get an iteration's time.
    turnBeganAt = beganAt;
    void queue.run(NO_REQUEST, () => {});
  };

  /** Work may exceed the allowance once. */
  const runInAllowance = <Result>(client: string, work: () => Result): { result: Result } | undefined => {
    const startedAt = now();
    if (startedAt - periodBeganAt >= ALLOWANCE_PERIOD_MS) {
      periodBeganAt = startedAt;
      usedMs.clear();
    }
    const network = networkOf(client);
    const used = usedMs.get(network) ?? 0;
    if (used >= ALLOWANCE_MS) return undefined;
    try {
      return { result: work() };
    } finally {
      usedMs.set(network, used + now() - startedAt);
    }
  };

  return {
    /** Synchronous unless the process is busy. @throws {OverloadedError} without a slot, or after 10 s */
    run<Result>(requester: Requester & { readonly askedAt: number }, work: () => Result | Promise<Result>) {
      const { client, askedAt } = requester;
      if (iterationBeganAt === undefined) {
        iterationBeganAt = askedAt;
        setImmediate(endIteration);
      }
      if (!isPausing && queue.load === 0 && askedAt - iterationBeganAt < ITERATION_MAX_MS) return work();
      const allowed = runInAllowance(client, work);
      if (allowed) return allowed.result;
      if (!isPausing && queue.load === 0) turnBeganAt = now();
      // A slot ends before a promise of the work does: a waiting search needs no processor time.
      const turn = queue.run(requester, () => ({ result: work() }));
      return turn.then(({ result }) => result);
    },
  };
}
