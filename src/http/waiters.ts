/**
 * Those who wait for one answer. Work that takes its time looks at the signal: it is aborted when the last of them has
 * gone, and nobody would read the answer any more.
 */
import type { ServerResponse } from 'node:http';

/** The connection of one who waits. */
export type Listener = Pick<ServerResponse, 'once' | 'closed'>;

export class Waiters {
  /** Address of the first client: work that takes its time takes its turn. */
  client = '';
  /** When the first client asked, in milliseconds of `performance.now()`. */
  readonly askedAt = performance.now();
  #waiting = 0;
  #isGone = false;
  /** Made when it is asked for: most answers are there at once. */
  #controller: AbortController | undefined;

  /** Waiters who never leave: the answer is wanted whoever asks. */
  static lasting(): Waiters {
    const waiters = new Waiters();
    waiters.#waiting = 1;
    return waiters;
  }

  /** All have left. */
  get isGone(): boolean {
    return this.#isGone;
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isGone) this.#controller.abort();
    return this.#controller.signal;
  }

  join(listener: Listener): void {
    this.#waiting += 1;
    if (listener.closed) this.#leave();
    else listener.once('close', () => this.#leave());
  }

  #leave(): void {
    this.#waiting -= 1;
    if (this.#waiting > 0) return;
    this.#isGone = true;
    this.#controller?.abort();
  }
}
