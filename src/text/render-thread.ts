import { Worker } from 'node:worker_threads';
import { NOT_BEGUN, type RenderTask } from './answer-render-tasks.ts';
import type { RenderedMarkdown } from './rendered-markdown.ts';

/** One call of render(): its texts, and what is known of them so far. */
export interface Batch {
  readonly markdowns: readonly string[];
  /** By the places of their texts. */
  readonly results: RenderedMarkdown[];
  /** Places of the texts that have no result yet. */
  pending: readonly number[];
  readonly resolve: (results: RenderedMarkdown[]) => void;
  readonly reject: (error: Error) => void;
}

interface Sent {
  readonly batch: Batch;
  readonly task: RenderTask;
}

interface Busy {
  readonly batch: Batch;
  readonly place: number;
}

export interface RenderThreadOptions {
  readonly deadlineMs: number;
  readonly threadFile: URL;
  /** Called after each batch, when the thread can take another. */
  readonly onReady: () => void;
}

const CHECKS_PER_DEADLINE = 4;
/** A batch and its results take a tenth of it. A thread that needs more ends as if its text had brought it down. */
const THREAD_MEMORY_MIB = 512;
/** V8 would take over a hundred for what lives only as long as one text. */
const THREAD_YOUNG_MIB = 32;

/**
 * One worker thread and the batches it was given. A text that takes longer than its deadline, or that brings the thread
 * down, gets a problem as its result; a new thread renders the others.
 */
export class RenderThread {
  readonly #options: RenderThreadOptions;
  #sent: Sent[] = [];
  #worker: Worker | undefined;
  #watch: NodeJS.Timeout | undefined;
  readonly #endings = new Set<Promise<number>>();

  constructor(options: RenderThreadOptions) {
    this.#options = options;
  }

  get batchesSent(): number {
    return this.#sent.length;
  }

  send(batch: Batch): void {
    this.#worker ??= this.#startWorker();
    // Only a thread with work keeps the process alive.
    this.#worker.ref();
    this.#watch ??= this.#watchDeadline();
    const task: RenderTask = {
      markdowns: batch.pending.map((place) => batch.markdowns[place] ?? ''),
      progress: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(NOT_BEGUN),
    };
    this.#sent.push({ batch, task });
    this.#worker.postMessage(task);
  }

  /** Ends the thread and rejects what it was given. */
  async close(reason: Error): Promise<void> {
    this.#endWorker();
    for (const { batch } of this.#sent.splice(0)) batch.reject(reason);
    await Promise.all(this.#endings);
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#options.threadFile, {
      resourceLimits: {
        maxOldGenerationSizeMb: THREAD_MEMORY_MIB,
        maxYoungGenerationSizeMb: THREAD_YOUNG_MIB,
      },
    });
    worker.on('message', (results: readonly RenderedMarkdown[]) => this.#receive(results));
    worker.on('error', (error: unknown) => this.#lose(error));
    worker.on('exit', (code) => this.#lose(new Error(`the thread ended with code ${code}`)));
    return worker;
  }

  #endWorker(): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    const worker = this.#worker;
    this.#worker = undefined;
    if (worker === undefined) return;
    // What it still says is about texts that another thread is given now.
    worker.removeAllListeners();
    const ending = worker.terminate();
    this.#endings.add(ending);
    void ending.finally(() => this.#endings.delete(ending));
  }

  #receive(results: readonly RenderedMarkdown[]): void {
    const batch = this.#sent.shift()?.batch;
    if (batch !== undefined) settle(batch, results);
    if (this.#sent.length === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
      this.#worker?.unref();
    }
    this.#options.onReady();
  }

  /** The thread is gone by itself: because of the text it was busy with, or because it cannot run at all. */
  #lose(error: unknown): void {
    const busy = this.#findBusy();
    if (busy !== undefined) return this.#giveUp(busy, 'cannot be rendered; simplify the text');
    void this.close(new Error('the thread that renders Markdown cannot run', { cause: error }));
    this.#options.onReady();
  }

  /** The other texts are rendered again, because the thread takes what it has not sent yet with it. */
  #giveUp({ batch, place }: Busy, problem: string): void {
    this.#endWorker();
    batch.results[place] = { ok: false, problem };
    batch.pending = batch.pending.filter((other) => other !== place);
    for (const sent of this.#sent.splice(0)) {
      if (sent.batch.pending.length > 0) this.send(sent.batch);
      else settle(sent.batch, []);
    }
    this.#options.onReady();
  }

  #findBusy(): Busy | undefined {
    for (const { batch, task } of this.#sent) {
      // A finished task has no such place: its results are on their way.
      const place = batch.pending[Atomics.load(task.progress, 0)];
      if (place !== undefined) return { batch, place };
    }
    return undefined;
  }

  /**
   * Looks at the thread a few times per deadline and adds up how long it has seen it busy with one text. So neither the
   * start of the thread counts nor time in which this process did not run, as on a suspended machine.
   */
  #watchDeadline(): NodeJS.Timeout {
    const { deadlineMs } = this.#options;
    const intervalMs = deadlineMs / CHECKS_PER_DEADLINE;
    let seen: Busy | undefined;
    let seenMs = 0;
    let lookedAt = performance.now();
    const watch = setInterval(() => {
      const now = performance.now();
      const passedMs = Math.min(now - lookedAt, 2 * intervalMs);
      lookedAt = now;
      const busy = this.#findBusy();
      const isSame = busy !== undefined && busy.batch === seen?.batch && busy.place === seen.place;
      seenMs = isSame ? seenMs + passedMs : 0;
      seen = busy;
      if (busy !== undefined && seenMs >= deadlineMs) {
        this.#giveUp(busy, `takes longer than ${deadlineMs / 1_000} s to render; simplify the text`);
      }
    }, intervalMs);
    return watch.unref();
  }
}

function settle(batch: Batch, results: readonly RenderedMarkdown[]): void {
  for (const [index, result] of results.entries()) batch.results[batch.pending[index] ?? 0] = result;
  batch.resolve(batch.results);
}
