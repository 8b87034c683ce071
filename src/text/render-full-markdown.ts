import { Parser } from 'marked';
import { BoundedLexer } from './bounded-lexer.ts';
import { checkLineNesting } from './check-line-nesting.ts';
import { MarkdownProblem } from './markdown-problem.ts';
import { MarkdownHtmlRenderer } from './markdown-html-renderer.ts';
import type { RenderedMarkdown } from './rendered-markdown.ts';
import { sanitizeMarkdownHtml } from './sanitize-markdown-html.ts';

// XML, and so a feed, has no place for them. Some come from references such as `&#1;`.
const CONTROLS = /[\0-\x08\v-\x1f\x7f\ufffe\uffff]/g;

/** The whole way: limits, marked, sanitize-html. */
export function renderFullMarkdown(markdown: string): RenderedMarkdown {
  let unsafeHtml;
  try {
    checkLineNesting(markdown);
    const tokens = new BoundedLexer().lex(markdown);
    unsafeHtml = Parser.parse(tokens, { gfm: true, renderer: new MarkdownHtmlRenderer() });
  } catch (error) {
    if (error instanceof MarkdownProblem) return { ok: false, problem: error.message };
    // marked itself stumbles over a few odd texts, for one over a lone `2)` in a quote in a list.
    return { ok: false, problem: 'cannot be read as Markdown; simplify its lists and quotes' };
  }
  const html = sanitizeMarkdownHtml(unsafeHtml).replace(CONTROLS, '\ufffd').trim();
  return { ok: true, html };
}
