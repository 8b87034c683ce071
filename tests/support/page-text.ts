/** Pages as visitors read them, to compare with the texts that they are made of. */

/** @returns the text of the page's main part on one line, as `plain` writes it */
export function textOf(html: string): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? html;
  const text = main
    .replace(/<\/?(?:a|b|bdi|code|em|mark|span|strong|wbr)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, ' ');
  return unescapeHtml(text).replace(/\s+/g, ' ');
}

export function unescapeHtml(html: string): string {
  const marks: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"' };
  return html
    .replace(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&(nbsp|amp|lt|gt|quot);/g, (_entity, name: string) => marks[name] ?? '');
}

/** A text of the components without its marks for bold, code and links, on one line. */
export function plain(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ');
}
