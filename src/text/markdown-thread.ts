import { answerRenderTasks } from './answer-render-tasks.ts';
import { renderMarkdown } from './render-markdown.ts';

answerRenderTasks(renderMarkdown);
