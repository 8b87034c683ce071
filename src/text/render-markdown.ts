import { Lexer, Parser, Tokenizer } from 'marked';
import { escapeText, MarkdownHtmlRenderer } from './markdown-html-renderer.ts';
import { sanitizeMarkdownHtml } from './sanitize-markdown-html.ts';

export type RenderedMarkdown =
  { readonly ok: true; readonly html: string } | { readonly ok: false; readonly problem: string };

/** HTML may be longer than its Markdown: `[x]` repeats an address, and a table pads its rows. */
const HTML_LENGTH_MAX = 200_000;
// XML, and so a feed, cannot contain these. Some come from references such as `&#1;`.
const CONTROLS = /[\0-\x08\v-\x1f\x7f\ufffe\uffff]/g;

/** Without these tokens `<` is plain text, which the renderer escapes. */
class TextTokenizer extends Tokenizer {
  override html(): undefined {}
  override tag(): undefined {}
}

/** HTML in the text is escaped, images become their description, links need an absolute address. Never throws. */
export function renderMarkdown(markdown: string): RenderedMarkdown {
  let unsafeHtml;
  try {
    const tokens = new Lexer({ gfm: true, tokenizer: new TextTokenizer() }).lex(markdown.toWellFormed());
    unsafeHtml = Parser.parse(tokens, { gfm: true, renderer: new MarkdownHtmlRenderer() });
  } catch {
    // Nested too deeply for the stack, or a bug of marked.
    return { ok: false, problem: 'cannot be read as Markdown; simplify its lists and quotes' };
  }
  if (unsafeHtml.length > HTML_LENGTH_MAX) {
    const problem = `becomes ${unsafeHtml.length} characters of HTML; at most ${HTML_LENGTH_MAX} are allowed`;
    return { ok: false, problem };
  }
  const html = sanitizeMarkdownHtml(unsafeHtml).replace(CONTROLS, '\ufffd').trim();
  return { ok: true, html };
}

export function renderAsWritten(markdown: string): string {
  return `<p>${escapeText(markdown).replaceAll('\n', '<br />')}</p>`;
}
