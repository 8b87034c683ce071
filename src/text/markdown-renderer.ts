/** A thread with a deadline, because marked cannot be interrupted and takes minutes for some texts. */
import { Worker } from 'node:worker_threads';
import { nextMessage } from '../turns/next-message.ts';
import type { RenderedMarkdown } from './render-markdown.ts';

export type MarkdownRenderer = ReturnType<typeof createMarkdownRenderer>;

export interface MarkdownRendererOptions {
  readonly deadlineMs?: number;
  readonly threadFile?: URL;
}

/** Ordinary texts take at most 6 ms; on a busy machine the first text of a thread may take a hundred times as long. */
const RENDER_DEADLINE_MS = 5_000;
const THREAD_FILE = new URL('./markdown-thread.ts', import.meta.url);
const THREAD_MEMORY_MIB = 512;
const THREAD_YOUNG_MIB = 32;

export function createMarkdownRenderer({
  deadlineMs = RENDER_DEADLINE_MS,
  threadFile = THREAD_FILE,
}: MarkdownRendererOptions = {}) {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const startThread = (): Worker => {
    const worker = new Worker(threadFile, {
      resourceLimits: {
        maxOldGenerationSizeMb: THREAD_MEMORY_MIB,
        maxYoungGenerationSizeMb: THREAD_YOUNG_MIB,
      },
    });
    // nextMessage rejects with it; an idle thread reports nothing.
    worker.on('error', () => {});
    return worker;
  };

  /** @returns a problem when a text was late or ended the thread */
  const renderBatch = async (markdowns: readonly string[]): Promise<RenderedMarkdown[] | string> => {
    if (isClosed) throw closedError();
    let isReady = thread !== undefined;
    const worker = (thread ??= startThread());
    worker.ref();
    try {
      // The first message says that the thread can work.
      if (!isReady) await nextMessage(worker);
      isReady = true;
      worker.postMessage(markdowns);
      return await nextMessage<RenderedMarkdown[]>(worker, AbortSignal.timeout(deadlineMs));
    } catch (error) {
      thread = undefined;
      await worker.terminate();
      if (isClosed) throw closedError();
      if (!isReady) throw new Error('the thread that renders Markdown cannot run', { cause: error });
      return (error as Error).name === 'TimeoutError'
        ? `takes longer than ${deadlineMs / 1_000} s to render; simplify the text`
        : 'cannot be rendered; simplify the text';
    } finally {
      // An idle thread does not keep the process alive.
      worker.unref();
    }
  };

  const renderAll = async (markdowns: readonly string[]): Promise<RenderedMarkdown[]> => {
    const results = markdowns.length === 0 ? [] : await renderBatch(markdowns);
    if (typeof results !== 'string') return results;
    if (markdowns.length === 1) return [{ ok: false, problem: results }];
    const each: RenderedMarkdown[] = [];
    for (const markdown of markdowns) each.push(...(await renderAll([markdown])));
    return each;
  };

  return {
    async render(markdowns: readonly string[]): Promise<RenderedMarkdown[]> {
      const results = last.then(() => renderAll(markdowns));
      last = results.catch(() => {});
      // The thread gets its next texts before the caller works on these results.
      await last;
      return results;
    },
    async close(): Promise<void> {
      isClosed = true;
      await thread?.terminate();
    },
  };
}

function closedError(): Error {
  return new Error('the Markdown renderer is closed');
}
