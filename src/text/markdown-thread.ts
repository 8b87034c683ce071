/** The entry point of each thread of src/text/markdown-renderer.ts. */
import { answerRenderTasks } from './answer-render-tasks.ts';
import { renderMarkdown } from './render-markdown.ts';

answerRenderTasks(renderMarkdown);
