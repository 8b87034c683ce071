import { Lexer, Parser, Renderer, Tokenizer, type Tokens } from 'marked';
import sanitizeHtml from 'sanitize-html';

export type RenderedMarkdown =
  { readonly ok: true; readonly html: string } | { readonly ok: false; readonly problem: string };

/** HTML may be longer than its Markdown: `[x]` repeats an address, and a table pads its rows. */
const HTML_LENGTH_MAX = 200_000;
// XML, and so a feed, cannot contain these. Some come from references such as `&#1;`.
const CONTROLS = /[\0-\x08\v-\x1f\x7f\ufffe\uffff]/g;

/** Browsers and servers accept less, and parsing a host name of 20,000 characters takes long. */
const ADDRESS_LENGTH_MAX = 2_000;

const ABSOLUTE_HTTP = /^https?:\/\//i;
const HEADING_LEVELS_DOWN = 2;
const HEADING_LEVEL_MAX = 6;
const SAFE_ADDRESS = /^https?:\/\/[^/\\]/i;
const LINK_REL = 'nofollow ugc noopener noreferrer';

const TEXT_TAGS = 'p br strong em del code pre blockquote ul ol li h3 h4 h5 h6 a';
const TABLE_TAGS = 'table thead tbody tr th td';

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: `${TEXT_TAGS} ${TABLE_TAGS}`.split(' '),
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https'],
  allowProtocolRelative: false,
  transformTags: { a: toSafeLink },
  exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && !attribs['href'] ? 'excludeTag' : false),
};

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

class MarkdownHtmlRenderer extends Renderer {
  #inLink = false;

  override heading({ tokens, depth }: Tokens.Heading): string {
    const level = Math.min(depth + HEADING_LEVELS_DOWN, HEADING_LEVEL_MAX);
    return wrapUnlessEmpty(`h${level}`, this.parser.parseInline(tokens));
  }

  override paragraph({ tokens }: Tokens.Paragraph): string {
    return wrapUnlessEmpty('p', this.parser.parseInline(tokens));
  }

  override hr(): string {
    return '';
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? '[x] ' : '[ ] ';
  }

  override link(token: Tokens.Link): string {
    const isAddress = ABSOLUTE_HTTP.test(token.href) && token.href.length <= ADDRESS_LENGTH_MAX;
    const isLink = isAddress && !this.#inLink;
    // marked allows an address in angle brackets inside the text of a link.
    this.#inLink ||= isLink;
    const content = 'autolink' in token ? escapeText(token.text) : this.parser.parseInline(token.tokens);
    if (!isLink) return content;
    this.#inLink = false;
    if (content.trim() === '') return content;
    return `<a href="${escapeAddress(token.href)}">${content}</a>`;
  }

  override image({ tokens }: Tokens.Image): string {
    const text = this.parser.parseInline(tokens, this.parser.textRenderer);
    return this.text({ type: 'text', raw: text, text });
  }
}

function wrapUnlessEmpty(name: string, content: string): string {
  return content.trim() === '' ? '' : `<${name}>${content}</${name}>\n`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An address has one entity: `&copy;` or `&sect` of a query are no signs, but `&amp;` is copied out of HTML. */
function escapeAddress(href: string): string {
  return escapeText(href.replaceAll('&amp;', '&')).replaceAll('"', '&quot;');
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

/** Links keep an absolute http or https address, as browsers read it, and get one fixed `rel`. */
export function sanitizeMarkdownHtml(html: string): string {
  return sanitizeHtml(html, OPTIONS);
}

function toSafeLink(tagName: string, { href = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const url = SAFE_ADDRESS.test(href) ? URL.parse(href) : null;
  return { tagName, attribs: url === null ? {} : { href: url.href, rel: LINK_REL } };
}

export function renderAsWritten(markdown: string): string {
  return `<p>${escapeText(markdown).replaceAll('\n', '<br />')}</p>`;
}
