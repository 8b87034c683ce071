const LINE_BREAKING = new Set(
  'p br pre blockquote ul ol li h3 h4 h5 h6 table thead tbody tr th td'.split(' '),
);
// A byte order mark belongs to \s, but nobody sees it.
const WHITE_SPACE = /[\s--\ufeff]+/gv;

/**
 * What a reader sees of sanitized HTML, for search: no tags, no link addresses, entities decoded. Blocks, table cells,
 * what follows a `<br>` and the lines of a code block stand on lines of their own. Any other white space is one space,
 * and no line is empty.
 *
 * It reads only what sanitizeMarkdownHtml wrote: there `<` and `>` delimit tags and nothing else, and the entities in text
 * are those of `<`, `>` and `&`.
 */
export function visibleText(html: string): string {
  let text = '';
  let position = 0;
  let inPre = false;
  while (true) {
    const tagStart = html.indexOf('<', position);
    const run = html.slice(position, tagStart === -1 ? html.length : tagStart);
    text += inPre ? run : run.replaceAll('\n', ' ');
    const tagEnd = html.indexOf('>', tagStart);
    if (tagStart === -1 || tagEnd === -1) break;
    const isEndTag = html[tagStart + 1] === '/';
    const [name = ''] = html.slice(tagStart + (isEndTag ? 2 : 1), tagEnd).split(' ', 1);
    if (LINE_BREAKING.has(name)) text += '\n';
    if (name === 'pre') inPre = !isEndTag;
    position = tagEnd + 1;
  }
  const lines = text.split('\n').map((line) => line.replace(WHITE_SPACE, ' ').trim());
  const visible = lines.filter((line) => line !== '').join('\n');
  return visible.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
