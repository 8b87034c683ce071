/** The thread of src/text/markdown-renderer.ts. */
import { parentPort } from 'node:worker_threads';
import type { RenderTask } from './markdown-renderer.ts';
import { renderMarkdown } from './render-markdown.ts';

parentPort?.on('message', ({ markdowns, progress }: RenderTask) => {
  const results = markdowns.map((markdown, index) => {
    Atomics.store(progress, 0, index);
    return renderMarkdown(markdown);
  });
  Atomics.store(progress, 0, markdowns.length);
  parentPort?.postMessage(results);
});
