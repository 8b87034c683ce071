/** The loop of a rendering thread: it says that it can work, then answers each batch of texts with its results. */
import { parentPort } from 'node:worker_threads';
import { renderMarkdown } from './render-markdown.ts';

parentPort?.on('message', (markdowns: readonly string[]) =>
  parentPort?.postMessage(markdowns.map(renderMarkdown)),
);
parentPort?.postMessage('ready');
