import { Lexer, type Token, type TokensList } from 'marked';
import { BoundedTokenizer } from './bounded-tokenizer.ts';
import { BLOCK_DEPTH_MAX } from './check-line-nesting.ts';
import { RenderBudget } from './render-budget.ts';
import { MarkdownProblem } from './markdown-problem.ts';

/** Emphasis and links inside each other. Each pair of stars of a banner such as `*****UWAGA*****` is a level. */
const INLINE_DEPTH_MAX = 30;

/**
 * marked's lexer for one text, ended by a {@link MarkdownProblem} before a text costs much more than its length.
 *
 * Left alone, marked overflows the stack on nested quotes and lists, and it is quadratic (for some quotes exponential)
 * on others, because each level reads its part of the text again.
 */
export class BoundedLexer extends Lexer {
  #budget: RenderBudget;
  #blockDepth = 0;
  #inlineDepth = 0;

  constructor() {
    const budget = new RenderBudget();
    super({ gfm: true, tokenizer: new BoundedTokenizer(budget) });
    this.#budget = budget;
  }

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped = false): Token[] {
    this.#blockDepth += 1;
    // The text itself is the first call and no level.
    if (this.#blockDepth > BLOCK_DEPTH_MAX + 1) throw tooDeep('quotes or lists', BLOCK_DEPTH_MAX);
    this.#budget.spend(2_000 + 20 * src.length);
    const result = super.blockTokens(src, tokens, lastParagraphClipped);
    this.#blockDepth -= 1;
    return result;
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    this.#inlineDepth += 1;
    if (this.#inlineDepth > INLINE_DEPTH_MAX + 1) throw tooDeep('emphasis or links', INLINE_DEPTH_MAX);
    this.#budget.spend(1_000 + 20 * src.length);
    const result = super.inlineTokens(src, tokens);
    this.#inlineDepth -= 1;
    return result;
  }
}

function tooDeep(what: string, levelsMax: number): MarkdownProblem {
  return new MarkdownProblem(
    `nested too deeply: more than ${levelsMax} levels of ${what}; at most ${levelsMax} are allowed`,
  );
}
