import { Tokenizer, type Tokens } from 'marked';
import type { RenderBudget } from './render-budget.ts';
import { MarkdownProblem } from './markdown-problem.ts';

/** A table row is filled up to the width of its head, so that an empty cell costs more than it is long. */
const TABLE_COLUMNS_MAX = 50;
/** In all tables of one text together. */
const TABLE_CELLS_MAX = 5_000;

const LETTER_OR_DIGIT = /^[\p{L}\p{N}]$/u;
const OUTER_PIPES = /^\||\| *$/g;

/**
 * marked's tokenizer, without HTML and with the work counted where it is quadratic: an attempt that finds nothing has
 * looked from its mark up to the end of the paragraph. The factors are fitted to the slowest texts a fuzzer found.
 */
export class BoundedTokenizer extends Tokenizer {
  #budget: RenderBudget;
  #tableCells = 0;
  #runsAheadByText = new Map<string, Float64Array>();

  constructor(budget: RenderBudget) {
    super();
    this.#budget = budget;
  }

  // Without these two tokens `<` is text like any other, which the renderer escapes.
  override html(): undefined {}
  override tag(): undefined {}

  // marked asks for this one first at each step from one block to the next.
  override space(src: string): Tokens.Space | undefined {
    this.#budget.spend(1_000);
    return super.space(src);
  }

  override blockquote(src: string): Tokens.Blockquote | undefined {
    const token = super.blockquote(src);
    if (token !== undefined) this.#budget.spend(15 * lengthToBlankLine(src));
    return token;
  }

  override lheading(src: string): Tokens.Heading | undefined {
    this.#budget.spend(4 * lengthToBlankLine(src));
    return super.lheading(src);
  }

  override table(src: string): Tokens.Table | undefined {
    const match = this.rules.block.table.exec(src);
    if (match === null) return undefined;
    const columns = (match[2] ?? '').replace(OUTER_PIPES, '').split('|').length;
    if (columns > TABLE_COLUMNS_MAX) {
      throw new MarkdownProblem(`a table has ${columns} columns; at most ${TABLE_COLUMNS_MAX} are allowed`);
    }
    const rows = 1 + (match[3] ?? '').trimEnd().split('\n').length;
    this.#tableCells += columns * rows;
    if (this.#tableCells > TABLE_CELLS_MAX) {
      throw new MarkdownProblem(
        `tables have more than ${TABLE_CELLS_MAX} cells; at most ${TABLE_CELLS_MAX} are allowed`,
      );
    }
    return super.table(src);
  }

  override emStrong(src: string, maskedSrc: string, previous = ''): Tokens.Em | Tokens.Strong | undefined {
    const mark = src[0];
    if (mark !== '*' && mark !== '_') return undefined;
    const token = super.emStrong(src, maskedSrc, previous);
    if (token !== undefined) this.#budget.spend(1_000 + token.raw.length);
    // snake_case is dismissed at a glance.
    else if (mark === '_' && LETTER_OR_DIGIT.test(previous)) this.#budget.spend(100);
    else this.#budget.spend(1.5 * src.length + 100 * this.#runsAhead(src, maskedSrc));
    return token;
  }

  override del(src: string, maskedSrc: string, previous = ''): Tokens.Del | undefined {
    if (src[0] !== '~') return undefined;
    const token = super.del(src, maskedSrc, previous);
    if (token !== undefined) this.#budget.spend(1_000 + token.raw.length);
    else this.#budget.spend(25 * src.length + 100 * this.#runsAhead(src, maskedSrc));
    return token;
  }

  override codespan(src: string): Tokens.Codespan | undefined {
    if (src[0] !== '`') return undefined;
    const token = super.codespan(src);
    this.#budget.spend(1.5 * (token?.raw.length ?? src.length));
    return token;
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    const token = super.link(src);
    if (token !== undefined) this.#budget.spend(1_000 + 2 * token.raw.length);
    else if (src[0] === '[' || src.startsWith('![')) {
      // Only a title that is never closed makes it read on: `[a](b "…`.
      const titleMayFollow = src[src.indexOf(']') + 1] === '(';
      this.#budget.spend((titleMayFollow ? 2 : 0.25) * src.length);
    }
    return token;
  }

  // Text is read up to the next mark, but at its start marked also looks ahead for an e-mail address.
  override inlineText(src: string): Tokens.Text | undefined {
    const wordEnd = src.indexOf(' ');
    this.#budget.spend(500 + 1.2 * (wordEnd === -1 ? src.length : wordEnd));
    return super.inlineText(src);
  }

  /** Runs of `*`, `_` and `~` from the start of src on; each further mark of a run takes a fifth of the time. */
  #runsAhead(src: string, maskedSrc: string): number {
    let runsAhead = this.#runsAheadByText.get(maskedSrc);
    if (runsAhead === undefined) {
      runsAhead = new Float64Array(maskedSrc.length + 1);
      for (let i = maskedSrc.length - 1; i >= 0; i -= 1) {
        const mark = maskedSrc[i];
        const isMark = mark === '*' || mark === '_' || mark === '~';
        const runs = !isMark ? 0 : mark === maskedSrc[i + 1] ? 0.2 : 1;
        runsAhead[i] = runs + (runsAhead[i + 1] ?? 0);
      }
      this.#runsAheadByText.set(maskedSrc, runsAhead);
    }
    return runsAhead[maskedSrc.length - src.length] ?? 0;
  }
}

function lengthToBlankLine(src: string): number {
  const length = src.indexOf('\n\n');
  return length === -1 ? src.length : length;
}
