import { answerRenderTasks } from '#src/text/answer-render-tasks.ts';
import { renderMarkdown } from '#src/text/render-markdown.ts';

/** Texts that make the thread misbehave: run on forever, or end at once. */
export type Misbehaviour = 'spin' | 'throw' | 'exit';

answerRenderTasks((markdown) => {
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
});
