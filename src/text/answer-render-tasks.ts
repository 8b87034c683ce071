import { parentPort, workerData } from 'node:worker_threads';
import type { RenderedMarkdown } from './render-markdown.ts';

export interface RenderThreadData {
  /** Nonzero once the thread can work. */
  readonly ready: Int32Array<SharedArrayBuffer>;
}

/** The loop of a rendering thread: answers each batch of texts with its results, in order. */
export function answerRenderTasks(render: (markdown: string) => RenderedMarkdown): void {
  const port = parentPort;
  port?.on('message', (markdowns: readonly string[]) => port.postMessage(markdowns.map(render)));
  // A cell instead of a message, because a message may arrive after the thread's end.
  Atomics.store((workerData as RenderThreadData).ready, 0, 1);
  port?.postMessage(undefined);
}
