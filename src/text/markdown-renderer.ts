/** A thread with a deadline, because marked cannot be interrupted and takes minutes for some texts. */
import { Worker } from 'node:worker_threads';
import { nextMessage } from '../queues/next-message.ts';
import type { RenderedMarkdown } from './render-markdown.ts';

export type MarkdownRenderer = ReturnType<typeof createMarkdownRenderer>;

/** Ordinary texts take at most 6 ms; on a busy machine the first text of a thread may take a hundred times as long. */
const RENDER_DEADLINE_MS = 5_000;
const THREAD_FILE = new URL('./markdown-thread.ts', import.meta.url);
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

export function createMarkdownRenderer({ deadlineMs = RENDER_DEADLINE_MS, threadFile = THREAD_FILE } = {}) {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const startThread = async (): Promise<Worker> => {
    const worker = (thread = new Worker(threadFile, { resourceLimits: RESOURCE_LIMITS }));
    // nextMessage rejects with it; an idle thread reports nothing.
    worker.on('error', () => {});
    // The first message says that the thread can work.
    await nextMessage(worker).catch((cause: unknown) => {
      thread = undefined;
      throw new Error('the thread that renders Markdown cannot run', { cause });
    });
    return worker;
  };

  const renderAll = async (markdowns: readonly string[]): Promise<RenderedMarkdown[]> => {
    if (isClosed || markdowns.length === 0) return [];
    const worker = thread ?? (await startThread());
    const signal = AbortSignal.timeout(deadlineMs);
    worker.ref();
    try {
      worker.postMessage(markdowns);
      return await nextMessage<RenderedMarkdown[]>(worker, signal);
    } catch {
      thread = undefined;
      await worker.terminate();
      if (markdowns.length > 1) return (await Array.fromAsync(markdowns, (text) => renderAll([text]))).flat();
      const reason = signal.aborted
        ? `takes longer than ${deadlineMs / 1_000} s to render`
        : 'cannot be rendered';
      return [{ ok: false, problem: `${reason}; simplify the text` }];
    } finally {
      // An idle thread does not keep the process alive.
      worker.unref();
    }
  };

  return {
    async render(markdowns: readonly string[]): Promise<RenderedMarkdown[]> {
      const results = last.then(() => renderAll(markdowns));
      last = results.catch(() => {});
      // The thread gets its next texts before the caller works on these results.
      await last;
      if (isClosed) throw new Error('the Markdown renderer is closed');
      return results;
    },
    async close(): Promise<void> {
      isClosed = true;
      await thread?.terminate();
    },
  };
}
