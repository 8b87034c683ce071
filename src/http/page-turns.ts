/**
 * Turns of those who ask for pages that have to be rendered. Rendering is work of
 * this one thread: one page at a time, and between two of them everything else that has arrived.
 */
import { performance } from 'node:perf_hooks';
import { createGate } from '../turns/gate.ts';
import type { Gate } from '../turns/gate.ts';

/** Pages of one address that wait or are being made: some tabs at once, and a school behind one address. */
export const PAGES_PER_CLIENT = 8;
/** Places of all clients: twice those of searches (search-pool.ts), because a page that waits for a search keeps its place. */
const PAGES_MAX = 512;
/** What arrives between two pages goes first for this long; then there is a page again. */
const PAUSE_MAX_MS = 5;

/** @param now milliseconds of a clock that never goes back */
export function createPageTurns(now: () => number): Gate {
  return createGate({
    concurrency: 1,
    placesPerClient: PAGES_PER_CLIENT,
    placesMax: PAGES_MAX,
    now,
    // A page that waits for something, such as a search in its thread, must not keep others from being made.
    pause: (next) => letOthersGoFirst(next, now),
    turnOf: (page) => Promise.race([page, new Promise((resolve) => setImmediate(resolve))]),
  });
}

/**
 * Until a round of the event loop brings nothing new. One round is not enough: the loop takes in one connection a round,
 * and a cheap request would stand in the operating system's queue behind a whole crowd.
 */
function letOthersGoFirst(next: () => void, now: () => number): void {
  const begun = now();
  let seen = performance.nodeTiming.uvMetricsInfo.events;
  const look = (): void => {
    const { events } = performance.nodeTiming.uvMetricsInfo;
    if (events === seen || now() - begun >= PAUSE_MAX_MS) return next();
    seen = events;
    setImmediate(look);
  };
  setImmediate(look);
}
