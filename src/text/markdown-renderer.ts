/**
 * Renders Markdown in a thread of its own, so that the caller goes on, and ends the thread when one text takes longer
 * than it may: marked cannot be interrupted, and its limits of structure are a promise that a bug could break.
 */
import { Worker } from 'node:worker_threads';
import type { RenderedMarkdown } from './render-markdown.ts';

export interface MarkdownRenderer {
  /** Results in the order of the texts. Callers send some hundred at a time; several calls may be under way. */
  render(markdowns: readonly string[]): Promise<RenderedMarkdown[]>;
  /** Ends the thread; what is still under way is rejected. */
  close(): Promise<void>;
}

export interface MarkdownRendererOptions {
  /** How long one text may take, from the moment when the thread began with it. */
  readonly deadlineMs?: number;
  /** The code that the thread runs. */
  readonly threadFile?: URL;
}

export const RENDER_DEADLINE_MS = 1_000;
const THREAD_FILE = new URL('./markdown-thread.ts', import.meta.url);

/** What the thread is given: texts, and a cell in which it says with which of them it is busy. */
export interface RenderTask {
  readonly markdowns: readonly string[];
  readonly progress: Int32Array<SharedArrayBuffer>;
}

/** Value of the progress cell before the first text. */
export const NOT_BEGUN = -1;

interface Batch {
  readonly markdowns: readonly string[];
  /** By the place of their texts. */
  readonly results: RenderedMarkdown[];
  /** Places of the texts that have no result yet. */
  pending: readonly number[];
  readonly resolve: (results: RenderedMarkdown[]) => void;
  readonly reject: (error: Error) => void;
}

export function createMarkdownRenderer({
  deadlineMs = RENDER_DEADLINE_MS,
  threadFile = THREAD_FILE,
}: MarkdownRendererOptions = {}): MarkdownRenderer {
  const queue: Batch[] = [];
  let thread: Worker | undefined;
  let closed = false;
  let watch: NodeJS.Timeout | undefined;

  const fail = (error: Error): void => {
    for (const batch of queue.splice(0)) batch.reject(error);
  };

  const startThread = (): Worker => {
    const started = new Worker(threadFile);
    started.on('error', (error) => {
      if (thread === started) thread = undefined;
      clearInterval(watch);
      fail(new Error('the rendering thread failed', { cause: error }));
    });
    return started;
  };

  /** Gives the first batch of the queue, or what is left of it, to the thread. */
  const next = (): void => {
    const batch = queue[0];
    if (!batch) {
      // An idle thread does not keep the process alive.
      thread?.unref();
      return;
    }
    const worker = (thread ??= startThread());
    worker.ref();
    const { pending } = batch;
    const task: RenderTask = {
      markdowns: pending.map((place) => batch.markdowns[place] as string),
      progress: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)).fill(NOT_BEGUN),
    };
    worker.once('message', (results: RenderedMarkdown[]) => {
      clearInterval(watch);
      for (const [index, place] of pending.entries()) batch.results[place] = results[index] as RenderedMarkdown;
      queue.shift();
      batch.resolve(batch.results);
      next();
    });
    worker.postMessage(task);
    watch = watchProgress(task, deadlineMs, (stuck) => void replaceThread(batch, pending[stuck] as number));
  };

  /** The other texts of the batch are rendered again: the thread took their results with it. */
  const replaceThread = async (batch: Batch, stuck: number): Promise<void> => {
    const ended = thread;
    thread = undefined;
    ended?.removeAllListeners();
    await ended?.terminate();
    if (closed) return;
    batch.results[stuck] = {
      ok: false,
      problem: `takes longer than ${deadlineMs / 1000} s to render; simplify the text`,
    };
    batch.pending = batch.pending.filter((place) => place !== stuck);
    next();
  };

  return {
    render: (markdowns) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('the renderer is closed'));
        if (markdowns.length === 0) return resolve([]);
        queue.push({ markdowns, results: [], pending: [...markdowns.keys()], resolve, reject });
        if (queue.length === 1) next();
      }),
    async close() {
      closed = true;
      clearInterval(watch);
      fail(new Error('the renderer is closed'));
      await thread?.terminate();
    },
  };
}

/** Calls back when the thread has been busy with one text for longer than the deadline. */
function watchProgress(task: RenderTask, deadlineMs: number, onStuck: (index: number) => void): NodeJS.Timeout {
  let seen = NOT_BEGUN;
  let seenAt = performance.now();
  const timer = setInterval(() => {
    const current = Atomics.load(task.progress, 0);
    const now = performance.now();
    if (current !== seen || current === NOT_BEGUN || current === task.markdowns.length) {
      seen = current;
      seenAt = now;
    } else if (now - seenAt >= deadlineMs) {
      clearInterval(timer);
      onStuck(current);
    }
  }, deadlineMs / 4);
  timer.unref();
  return timer;
}
