import { Renderer, type Tokens } from 'marked';

/** Browsers and servers accept less, and parsing a host name of 20,000 characters takes long. */
export const ADDRESS_LENGTH_MAX = 2_000;

const ABSOLUTE_HTTP = /^https?:\/\//i;
const HEADING_LEVELS_DOWN = 2;
const HEADING_LEVEL_MAX = 6;

export class MarkdownHtmlRenderer extends Renderer {
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

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An address has one entity: `&copy;` or `&sect` of a query are no signs, but `&amp;` is copied out of HTML. */
function escapeAddress(href: string): string {
  return escapeText(href.replaceAll('&amp;', '&')).replaceAll('"', '&quot;');
}
