/**
 * Renders Markdown in threads of their own, so that the caller goes on with its work, and so that a text can be given
 * up: marked cannot be interrupted, and its limits of structure are a promise that a bug could break.
 */
import type { RenderedMarkdown } from './rendered-markdown.ts';
import { RenderThread, type Batch } from './render-thread.ts';

export interface MarkdownRenderer {
  /** Results in the order of the texts. Callers send some hundred at a time; several calls may be under way. */
  render(markdowns: readonly string[]): Promise<RenderedMarkdown[]>;
  /** Ends the threads; what is still under way is rejected. */
  close(): Promise<void>;
}

export interface MarkdownRendererOptions {
  /** One by default: on a machine with two cores the other one does the caller's database work. */
  readonly threads?: number;
  /** How long one text may take, from when its thread began with it. */
  readonly deadlineMs?: number;
  /** The code that each thread runs. */
  readonly threadFile?: URL;
}

/** Ordinary texts take at most 6 ms; a busy machine may take a hundred times as long for the first one of a thread. */
const RENDER_DEADLINE_MS = 5_000;

const THREAD_FILE = new URL('./markdown-thread.ts', import.meta.url);
/** A thread has its next batch at hand even while the caller is too busy to send one. */
const BATCHES_PER_THREAD = 3;

export function createMarkdownRenderer({
  threads: threadCount = 1,
  deadlineMs = RENDER_DEADLINE_MS,
  threadFile = THREAD_FILE,
}: MarkdownRendererOptions = {}): MarkdownRenderer {
  const waiting: Batch[] = [];
  let isClosed = false;

  const sendWaiting = (): void => {
    while (!isClosed && waiting.length > 0) {
      const [freest] = threads.toSorted((a, b) => a.batchesSent - b.batchesSent);
      if (freest === undefined || freest.batchesSent >= BATCHES_PER_THREAD) return;
      const batch = waiting.shift();
      if (batch !== undefined) freest.send(batch);
    }
  };

  const threads = Array.from(
    { length: threadCount },
    () => new RenderThread({ deadlineMs, threadFile, onReady: sendWaiting }),
  );

  return {
    render: (markdowns) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(closedError());
        if (markdowns.length === 0) return resolve([]);
        waiting.push({ markdowns, results: [], pending: [...markdowns.keys()], resolve, reject });
        sendWaiting();
      }),
    async close() {
      isClosed = true;
      for (const batch of waiting.splice(0)) batch.reject(closedError());
      await Promise.all(threads.map((thread) => thread.close(closedError())));
    },
  };
}

function closedError(): Error {
  return new Error('the Markdown renderer is closed');
}
