import { parentPort, workerData } from 'node:worker_threads';
import type { RenderedMarkdown } from './rendered-markdown.ts';

export interface RenderThreadData {
  /** Not 0 once the thread can work. */
  readonly ready: Int32Array<SharedArrayBuffer>;
}

/** The loop of a rendering thread: says that it is ready, then answers each batch of texts with its results, in order. */
export function answerRenderTasks(render: (markdown: string) => RenderedMarkdown): void {
  const port = parentPort;
  port?.on('message', (markdowns: readonly string[]) => port.postMessage(markdowns.map(render)));
  // A message of a thread may come later than its end.
  Atomics.store((workerData as RenderThreadData).ready, 0, 1);
  port?.postMessage(undefined);
}
