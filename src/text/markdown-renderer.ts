/**
 * Renders Markdown in a thread of its own, so that the caller goes on with its work, and so that a text can be given up:
 * marked cannot be interrupted, and takes minutes for some texts of 20,000 characters.
 */
import { Worker } from 'node:worker_threads';
import type { RenderThreadData } from './answer-render-tasks.ts';
import type { RenderedMarkdown } from './rendered-markdown.ts';

export interface MarkdownRenderer {
  /** Results in the order of the texts. Callers send some hundred at a time; several calls may be under way. */
  render(markdowns: readonly string[]): Promise<RenderedMarkdown[]>;
  /** Ends the thread; what is still under way is rejected. */
  close(): Promise<void>;
}

export interface MarkdownRendererOptions {
  /** How long a batch may take; then each of its texts gets as long. */
  readonly deadlineMs?: number;
  /** The code that the thread runs. */
  readonly threadFile?: URL;
}

/** Ordinary texts take at most 6 ms; a busy machine may take a hundred times as long for the first one of a thread. */
const RENDER_DEADLINE_MS = 5_000;
const THREAD_FILE = new URL('./markdown-thread.ts', import.meta.url);
/** A batch and its results take a tenth of it. A thread that needs more ends as if its text had brought it down. */
const THREAD_MEMORY_MIB = 512;
/** V8 would take over a hundred for what lives only as long as one text. */
const THREAD_YOUNG_MIB = 32;

interface Batch {
  readonly markdowns: readonly string[];
  readonly resolve: (results: RenderedMarkdown[]) => void;
  readonly reject: (error: Error) => void;
}

export function createMarkdownRenderer({
  deadlineMs = RENDER_DEADLINE_MS,
  threadFile = THREAD_FILE,
}: MarkdownRendererOptions = {}): MarkdownRenderer {
  /** All that the thread was given, in its order. */
  const sent: Batch[] = [];
  let thread: Worker | undefined;
  let ready = makeCell();
  let timer: NodeJS.Timeout | undefined;
  let ending: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  const isReady = (): boolean => Atomics.load(ready, 0) !== 0;

  const start = (): Worker => {
    ready = makeCell();
    const worker = new Worker(threadFile, {
      workerData: { ready } satisfies RenderThreadData,
      resourceLimits: {
        maxOldGenerationSizeMb: THREAD_MEMORY_MIB,
        maxYoungGenerationSizeMb: THREAD_YOUNG_MIB,
      },
    });
    worker.on('message', (answer: RenderedMarkdown[] | undefined) => {
      if (answer) sent.shift()?.resolve(answer);
      watch();
    });
    let failure: unknown;
    // An error can come before the answers that were sent in front of it; the exit comes after all of them.
    worker.on('error', (error: unknown) => {
      failure = error;
    });
    worker.on('exit', (code) => lose(failure ?? new Error(`the thread ended with code ${code}`)));
    return worker;
  };

  const end = (): Batch[] => {
    clearTimeout(timer);
    const ended = thread;
    thread = undefined;
    // Its later messages are about texts that another thread has now.
    ended?.removeAllListeners();
    if (ended) ending = Promise.all([ending, ended.terminate()]);
    return sent.splice(0);
  };

  /** The time of the first batch begins again with each message of the thread. */
  const watch = (): void => {
    clearTimeout(timer);
    // Only a thread with work keeps the process alive.
    if (sent.length === 0) return thread?.unref();
    const late = `takes longer than ${deadlineMs / 1_000} s to render; simplify the text`;
    // An answer that has come while this thread was busy is read before.
    if (isReady()) timer = setTimeout(() => setImmediate(giveUp, sent[0], late), deadlineMs);
  };

  const send = (batch: Batch): void => {
    thread ??= start();
    thread.ref();
    sent.push(batch);
    thread.postMessage(batch.markdowns);
    if (sent.length === 1) watch();
  };

  /** One of the texts of the first batch is to blame: each of them gets a turn of its own. */
  const giveUp = (batch: Batch | undefined, problem: string): void => {
    if (batch === undefined || batch !== sent[0]) return;
    const [, ...others] = end();
    if (batch.markdowns.length === 1) batch.resolve([{ ok: false, problem }]);
    else
      Promise.all(batch.markdowns.map((markdown) => render([markdown]))).then(
        (results) => batch.resolve(results.flat()),
        batch.reject,
      );
    for (const other of others) send(other);
  };

  /** The thread is gone by itself: because of the text it was busy with, or because it cannot run at all. */
  const lose = (error: unknown): void => {
    if (isReady() && sent[0]) return giveUp(sent[0], 'cannot be rendered; simplify the text');
    const reason = new Error('the thread that renders Markdown cannot run', { cause: error });
    for (const batch of end()) batch.reject(reason);
  };

  const render = (markdowns: readonly string[]): Promise<RenderedMarkdown[]> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(closedError());
      if (markdowns.length === 0) return resolve([]);
      send({ markdowns, resolve, reject });
    });

  return {
    render,
    async close() {
      isClosed = true;
      for (const batch of end()) batch.reject(closedError());
      await ending;
    },
  };
}

function makeCell(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

function closedError(): Error {
  return new Error('the Markdown renderer is closed');
}
