import { parentPort } from 'node:worker_threads';
import type { RenderedMarkdown } from './rendered-markdown.ts';

/** What a thread is given: texts, and a cell in which it says with which of them it is busy. */
export interface RenderTask {
  readonly markdowns: readonly string[];
  /** Index of the text in work; {@link NOT_BEGUN} before the first, the number of texts after the last. */
  readonly progress: Int32Array<SharedArrayBuffer>;
}

export const NOT_BEGUN = -1;

/** The loop of a rendering thread: answers each task with its results, in the order of the tasks. */
export function answerRenderTasks(render: (markdown: string) => RenderedMarkdown): void {
  const port = parentPort;
  port?.on('message', ({ markdowns, progress }: RenderTask) => {
    const results = markdowns.map((markdown, index) => {
      Atomics.store(progress, 0, index);
      return render(markdown);
    });
    Atomics.store(progress, 0, markdowns.length);
    port.postMessage(results);
  });
}
