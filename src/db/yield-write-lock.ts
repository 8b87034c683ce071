/** Between short transactions that follow each other: SQLite keeps no queue of those who wait for the write lock. */

/** @param heldMs how long the lock was held, in milliseconds */
export type YieldLock = (heldMs: number) => void;

/** So long others may find the lock held nearly all the time. */
const HELD_MAX_MS = 200;
/** Longer than a writer that waits sleeps before it looks again, which is a tenth of a second at most. */
export const PAUSE_MS = 110;

/** @returns to be called after each of the transactions; sleeps when others have waited long enough */
export function createYieldLock(): YieldLock {
  const cell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let held = 0;
  return (heldMs) => {
    held += heldMs;
    if (held < HELD_MAX_MS) return;
    Atomics.wait(cell, 0, 0, PAUSE_MS);
    held = 0;
  };
}
