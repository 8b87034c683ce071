/**
 * Memory for bodies of some ten thousand bytes, used again and again: thousands of new ones a second keep the garbage
 * collector busier than the service itself.
 */

/** What a page of the longest usual entries takes; a larger one gets memory of its own. */
const BUFFER_BYTES = 64 * 1024;
/** Kept for the next ones, 4 MiB; more are out only while more clients than this are being answered. */
const KEPT_MAX = 64;

export interface LentBuffer {
  readonly body: Buffer;
  /** Gives it back, at most once. A buffer that is never given back is the garbage collector's. */
  readonly release: () => void;
}

export class LentBuffers {
  /** The last one given back comes first: the processor still knows it. */
  readonly #kept: Buffer[] = [];

  take(bytes: number): LentBuffer {
    if (bytes > BUFFER_BYTES) return { body: Buffer.allocUnsafeSlow(bytes), release: () => {} };
    const whole = this.#kept.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
    return {
      body: whole.subarray(0, bytes),
      release: () => {
        if (this.#kept.length < KEPT_MAX) this.#kept.push(whole);
      },
    };
  }
}
