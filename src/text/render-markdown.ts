import { Lexer, Parser, Tokenizer, type Tokens } from 'marked';
import { ADDRESS_LENGTH_MAX, escapeText, MarkdownHtmlRenderer } from './markdown-html-renderer.ts';
import { sanitizeMarkdownHtml } from './sanitize-markdown-html.ts';

export type RenderedMarkdown =
  { readonly ok: true; readonly html: string } | { readonly ok: false; readonly problem: string };

/** HTML may be longer than its Markdown: `[x]` repeats an address, and a table pads its rows. */
const HTML_LENGTH_MAX = 200_000;
// XML, and so a feed, cannot contain these. Some come from references such as `&#1;`.
const CONTROLS = /[\0-\x08\v-\x1f\x7f\ufffe\uffff]/g;

/** Browsers encode these in an address that is copied. */
const QUOTATION_MARK = /[„“”«»]/;
/** Marks after an address belong to the sentence around it; marked knows those of ASCII, and brackets only in part. */
const MARK_AFTER = /^(?:[?!.,:;*_~'"`|>]|(?!\p{ASCII})[\p{P}\p{Default_Ignorable_Code_Point}])$/u;
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Without these tokens `<` is plain text, which the renderer escapes. */
class TextTokenizer extends Tokenizer {
  override html(): undefined {}
  override tag(): undefined {}

  override url(src: string): Tokens.Link | undefined {
    const link = super.url(src);
    if (!link || link.raw.length > ADDRESS_LENGTH_MAX) return link;
    const cut = (text: string): string => text.slice(0, text.length - countMarksAfter(link.raw));
    const text = cut(link.text);
    return {
      ...link,
      raw: cut(link.raw),
      href: cut(link.href),
      text,
      tokens: [{ type: 'text', raw: text, text }],
    };
  }
}

function countMarksAfter(address: string): number {
  const [whole = ''] = address.split(QUOTATION_MARK, 1);
  for (let end = whole.length; ; end -= 1) {
    const last = address[end - 1] ?? '';
    const count = (bracket: string): number => address.slice(0, end).split(bracket).length;
    const opening = OPENING[last];
    const isMark = opening === undefined ? MARK_AFTER.test(last) : count(last) > count(opening);
    if (!isMark) return address.length - end;
  }
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
