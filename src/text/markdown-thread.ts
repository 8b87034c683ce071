/** What each thread of src/text/markdown-renderer.ts runs. */
import { answerRenderTasks } from './answer-render-tasks.ts';
import { renderMarkdown } from './render-markdown.ts';

answerRenderTasks(renderMarkdown);
