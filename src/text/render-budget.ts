import { MarkdownProblem } from './markdown-problem.ts';

/**
 * Roughly the nanoseconds that marked needs at worst, computed from the text and never measured, so that one text is
 * always accepted or always refused. Ordinary texts of 20,000 characters need a tenth of it, dense ones half.
 */
const BUDGET_MAX = 60_000_000;

/** What is left of the work that one text may cause. */
export class RenderBudget {
  #spent = 0;

  spend(work: number): void {
    this.#spent += work;
    if (this.#spent > BUDGET_MAX) {
      throw new MarkdownProblem(
        'takes too much work to render: too many marks (such as * _ ~ [ ` !) or lines in one paragraph or list item; ' +
          'use fewer marks, or blank lines between shorter paragraphs',
      );
    }
  }
}
