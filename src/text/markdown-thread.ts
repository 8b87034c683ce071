import { parentPort } from 'node:worker_threads';
import { renderMarkdown } from './render-markdown.ts';

parentPort?.on('message', (markdowns: readonly string[]) =>
  parentPort?.postMessage(markdowns.map(renderMarkdown)),
);
parentPort?.postMessage('ready');
