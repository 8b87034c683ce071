import { Parser } from 'marked';
import { BoundedLexer } from './bounded-lexer.ts';
import { checkLineNesting } from './check-line-nesting.ts';
import { MarkdownProblem } from './markdown-problem.ts';
import { ReasonHtmlRenderer } from './reason-html-renderer.ts';
import type { RenderedMarkdown } from './render-markdown.ts';
import { sanitizeReason } from './sanitize-reason.ts';
import { visibleText } from './visible-text.ts';

// XML, and so a feed, has no place for them. Some come from references such as `&#1;`.
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\v-\x1f\x7f\ufffe\uffff]/g;

/** The whole way: limits, marked, sanitize-html, visible text. */
export function renderFullMarkdown(markdown: string): RenderedMarkdown {
  let unsafeHtml;
  try {
    checkLineNesting(markdown);
    const tokens = new BoundedLexer().lex(markdown);
    unsafeHtml = Parser.parse(tokens, { gfm: true, renderer: new ReasonHtmlRenderer() });
  } catch (error) {
    if (error instanceof MarkdownProblem) return { ok: false, problem: error.message };
    // marked itself stumbles over a few odd texts, for one over a lone `2)` in a quote in a list.
    return { ok: false, problem: 'cannot be read as Markdown; simplify its lists and quotes' };
  }
  const html = sanitizeReason(unsafeHtml).replace(CONTROLS, '\ufffd').trim();
  return { ok: true, html, text: visibleText(html) };
}
