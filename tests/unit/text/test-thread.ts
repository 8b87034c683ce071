import { parentPort } from 'node:worker_threads';
import { renderMarkdown, type RenderedMarkdown } from '#src/text/render-markdown.ts';

/** Texts that make the thread misbehave: run on forever, or end at once. */
export type Misbehaviour = 'spin' | 'throw' | 'exit';

function render(markdown: string): RenderedMarkdown {
  switch (markdown as Misbehaviour) {
    case 'spin':
      while (true);
    case 'throw':
      throw new Error('thrown');
    case 'exit':
      return process.exit(3);
    default:
      return renderMarkdown(markdown);
  }
}

parentPort?.on('message', (markdowns: readonly string[]) => parentPort?.postMessage(markdowns.map(render)));
parentPort?.postMessage('ready');
