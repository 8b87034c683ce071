const LINE_BREAKING = new Set(
  'p br pre blockquote ul ol li h3 h4 h5 h6 table thead tbody tr th td'.split(' '),
);
// \s includes the byte order mark, which is invisible. Single spaces, which are most, are not matched.
const WHITE_SPACE = /[\s--[ \ufeff]][\s--\ufeff]*| [\s--\ufeff]+/gv;

/** Lines of text cannot equal these marks, because their `<` is an entity. */
const QUOTE_BEGINS = '<blockquote>';
const QUOTE_ENDS = '</blockquote>';

/**
 * The visible text of sanitized HTML; blocks, table cells, text after `<br>` and lines of code are lines of their own.
 * It relies on sanitizeMarkdownHtml, where the only entities are those of `<`, `>` and `&`.
 */
export function visibleText(html: string): string {
  return decode(readLines(html, false).join('\n'));
}

/** The same lines, with quotations in Polish marks, because a quotation must not read as the register's own words. */
export function visibleBlocks(html: string): string[] {
  const blocks: string[] = [];
  let depth = 0;
  let opening = '';
  for (const line of readLines(html, true)) {
    if (line === QUOTE_BEGINS) {
      depth += 1;
      if (depth === 1) opening = '„';
    } else if (line === QUOTE_ENDS) {
      depth -= 1;
      // The mark was written, so the last block belongs to this quotation.
      if (depth === 0 && opening === '') blocks.push(`${blocks.pop() ?? ''}”`);
      if (depth === 0) opening = '';
    } else {
      blocks.push(opening + decode(line));
      opening = '';
    }
  }
  return blocks.map((block) => block.replace(/^„„([^„”]*)””$/, '„$1”'));
}

function readLines(html: string, withQuotes: boolean): string[] {
  let text = '';
  let inPre = false;
  // Each piece is a tag, without its `<`, and the text after it.
  for (const piece of `>${html}`.split('<')) {
    const [, slash = '', name = ''] = /^(\/?)(\w*)/.exec(piece) ?? [];
    if (LINE_BREAKING.has(name)) text += '\n';
    if (withQuotes && name === 'blockquote') text += `${slash ? QUOTE_ENDS : QUOTE_BEGINS}\n`;
    if (name === 'pre') inPre = slash === '';
    const run = piece.slice(piece.indexOf('>') + 1);
    text += inPre ? run : run.replaceAll('\n', ' ');
  }
  const lines = text.split('\n').map((line) => line.replace(WHITE_SPACE, ' ').trim());
  return lines.filter((line) => line !== '');
}

function decode(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
