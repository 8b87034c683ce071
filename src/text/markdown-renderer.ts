/**
 * Markdown within a deadline, because marked takes minutes for some texts. A few short texts are rendered in this process,
 * which saves the start of a thread (0.2 s of processor time, 25 MB); all others in a thread, whose memory is bounded too.
 */
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { nextMessage } from '../queues/next-message.ts';
import type { RenderedMarkdown } from './render-markdown.ts';

export type MarkdownRenderer = Pick<ReturnType<typeof createMarkdownRenderer>, 'render' | 'close'>;

/** Ordinary texts take at most 6 ms; on a busy machine the first text of a thread may take a hundred times as long. */
const RENDER_DEADLINE_MS = 5_000;
const THREAD_FILE = new URL('./markdown-thread.ts', import.meta.url);
/** Characters of all texts together: a text of the greatest length. */
const SHORT_MAX = 20_000;
/** The time bounds the memory, too. */
const SHORT_DEADLINE_MS = 250;
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 32 };

/** False once a text was interrupted: marked's regular expressions, which all texts share, stay where they stopped. */
let rendersHere = true;

export function createMarkdownRenderer({
  deadlineMs = RENDER_DEADLINE_MS,
  shortDeadlineMs = SHORT_DEADLINE_MS,
  threadFile = THREAD_FILE,
} = {}) {
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
    const isShort = markdowns.reduce((sum, { length }) => sum + length, 0) <= SHORT_MAX;
    const results = isShort && !thread ? await renderHere(markdowns, shortDeadlineMs) : undefined;
    if (results) return results;
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

  const close = async (): Promise<void> => {
    isClosed = true;
    await thread?.terminate();
  };

  return {
    /** Renders each text once. @returns the results by text */
    async render(markdowns: Iterable<string>): Promise<ReadonlyMap<string, RenderedMarkdown>> {
      const texts = [...new Set(markdowns)];
      const rendering = last.then(() => renderAll(texts));
      last = rendering.catch(() => {});
      // The thread gets its next texts before the caller works on these results.
      await last;
      if (isClosed) throw new Error('the Markdown renderer is closed');
      const results = await rendering;
      return new Map(texts.map((text, index) => [text, results[index] as RenderedMarkdown]));
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @returns undefined when a text takes too long, or is nested too deeply for the stack of this thread */
async function renderHere(markdowns: readonly string[], timeout: number) {
  if (!rendersHere || timeout === 0) return undefined;
  const { renderMarkdown } = await import('./render-markdown.ts');
  try {
    const render = (): RenderedMarkdown[] => markdowns.map(renderMarkdown);
    const results = runInNewContext('render()', { render }, { timeout }) as RenderedMarkdown[];
    return results.every(({ ok }) => ok) ? results : undefined;
  } catch {
    rendersHere = false;
    return undefined;
  }
}
