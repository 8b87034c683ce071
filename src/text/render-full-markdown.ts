import { Lexer, Parser, Tokenizer } from 'marked';
import { MarkdownHtmlRenderer } from './markdown-html-renderer.ts';
import type { RenderedMarkdown } from './rendered-markdown.ts';
import { sanitizeMarkdownHtml } from './sanitize-markdown-html.ts';

/** A reference such as `[x]` repeats an address that is written once, and a table fills up its rows: a text can grow. */
const HTML_LENGTH_MAX = 200_000;
// XML, and so a feed, has no place for them. Some come from references such as `&#1;`.
const CONTROLS = /[\0-\x08\v-\x1f\x7f\ufffe\uffff]/g;

/** Without these two tokens `<` is text like any other, which the renderer escapes. */
class TextTokenizer extends Tokenizer {
  override html(): undefined {}
  override tag(): undefined {}
}

/** The whole way: marked, sanitize-html. For some texts it takes minutes. */
export function renderFullMarkdown(markdown: string): RenderedMarkdown {
  let unsafeHtml;
  try {
    const tokens = new Lexer({ gfm: true, tokenizer: new TextTokenizer() }).lex(markdown);
    unsafeHtml = Parser.parse(tokens, { gfm: true, renderer: new MarkdownHtmlRenderer() });
  } catch {
    // Nested too deeply for the stack; and marked itself stumbles over a few odd texts.
    return { ok: false, problem: 'cannot be read as Markdown; simplify its lists and quotes' };
  }
  if (unsafeHtml.length > HTML_LENGTH_MAX) {
    const problem = `becomes ${unsafeHtml.length} characters of HTML; at most ${HTML_LENGTH_MAX} are allowed`;
    return { ok: false, problem };
  }
  const html = sanitizeMarkdownHtml(unsafeHtml).replace(CONTROLS, '\ufffd').trim();
  return { ok: true, html };
}
