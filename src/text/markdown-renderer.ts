/**
 * Renders Markdown in a thread with a deadline, because marked cannot be interrupted and takes minutes for some texts
 * of 20,000 characters.
 */
import { Worker } from 'node:worker_threads';
import type { RenderThreadData } from './answer-render-tasks.ts';
import type { RenderedMarkdown } from './render-markdown.ts';

export type MarkdownRenderer = ReturnType<typeof createMarkdownRenderer>;

export interface MarkdownRendererOptions {
  /** Time limit of a batch, and then of each of its texts. */
  readonly deadlineMs?: number;
  readonly threadFile?: URL;
}

/** Ordinary texts take at most 6 ms; on a busy machine the first text of a thread may take a hundred times as long. */
const RENDER_DEADLINE_MS = 5_000;
const THREAD_FILE = new URL('./markdown-thread.ts', import.meta.url);
/** Ten times as much as a batch needs. A thread that exceeds it ends as if its text had crashed it. */
const THREAD_MEMORY_MIB = 512;
/** V8's default exceeds a hundred, for objects that live as long as one text. */
const THREAD_YOUNG_MIB = 32;

interface Batch {
  readonly markdowns: readonly string[];
  readonly resolve: (results: RenderedMarkdown[]) => void;
  readonly reject: (error: Error) => void;
}

export function createMarkdownRenderer({
  deadlineMs = RENDER_DEADLINE_MS,
  threadFile = THREAD_FILE,
}: MarkdownRendererOptions = {}) {
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
    // The error may arrive before answers that were sent earlier; the exit arrives last.
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
    ended?.removeAllListeners();
    if (ended) ending = Promise.all([ending, ended.terminate()]);
    return sent.splice(0);
  };

  /** Restarts the first batch's time limit. */
  const watch = (): void => {
    clearTimeout(timer);
    // An idle thread does not keep the process alive.
    if (sent.length === 0) return thread?.unref();
    const late = `takes longer than ${deadlineMs / 1_000} s to render; simplify the text`;
    // setImmediate reads answers that arrived while this thread was busy.
    if (isReady()) timer = setTimeout(() => setImmediate(giveUp, sent[0], late), deadlineMs);
  };

  const send = (batch: Batch): void => {
    thread ??= start();
    thread.ref();
    sent.push(batch);
    thread.postMessage(batch.markdowns);
    if (sent.length === 1) watch();
  };

  /** Retries each text of the failed first batch alone. */
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

  /** Handles a thread that ended by itself: a text crashed it, or it cannot start. */
  const lose = (error: unknown): void => {
    if (isReady() && sent[0]) return giveUp(sent[0], 'cannot be rendered; simplify the text');
    const reason = new Error('the thread that renders Markdown cannot run', { cause: error });
    for (const batch of end()) batch.reject(reason);
  };

  /** Results in the order of the texts, a few hundred per call; calls may overlap. */
  const render = (markdowns: readonly string[]): Promise<RenderedMarkdown[]> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(closedError());
      if (markdowns.length === 0) return resolve([]);
      send({ markdowns, resolve, reject });
    });

  return {
    render,
    async close(): Promise<void> {
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
