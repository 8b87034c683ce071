import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderMarkdown, sanitizeMarkdownHtml } from '#src/text/render-markdown.ts';
import { visibleText } from '#src/text/visible-text.ts';
import { trials } from '../../support/trials.ts';
import { anyMarkdown } from './markdown-texts.ts';

const TAG = /<[^<>]*>/g;
const PLAIN_TAG =
  /^<\/?(?:p|strong|em|del|code|pre|blockquote|ul|ol|li|h[3-6]|a|table|thead|tbody|tr|th|td)>$/;
const OTHER_TAGS = [
  /^<br \/>$/,
  /^<ol start="\d{1,9}">$/,
  /^<a href="https?:\/\/[^/"<>\s][^"<>\s]*" rel="nofollow ugc noopener noreferrer">$/,
];

/** Reads HTML far more strictly than a browser does: whatever is not exactly one of our tags fails. */
function assertSafe(html: string): void {
  const open: string[] = [];
  for (const [tag] of html.matchAll(TAG)) {
    const isPlain = PLAIN_TAG.test(tag) && tag !== '<a>';
    if (!isPlain && !OTHER_TAGS.some((pattern) => pattern.test(tag))) throw new Error(`${tag} in ${html}`);
    const name = /[a-z0-9]+/.exec(tag)?.[0] ?? '';
    if (tag.startsWith('</')) expect(open.pop()).toBe(name);
    else if (name !== 'br') open.push(name);
    if (name === 'a') expect(open.filter((other) => other === 'a').length).toBeLessThan(2);
  }
  expect(open).toEqual([]);
  const text = html.replaceAll(TAG, '');
  expect(text).not.toMatch(/[<>]/);
  expect(text).not.toMatch(/&(?!(?:lt|gt|amp);)/);
}

function renderSafely(markdown: string): { html: string; text: string } {
  const rendered = renderMarkdown(markdown);
  if (!rendered.ok) throw new Error(rendered.problem);
  assertSafe(rendered.html);
  return { html: rendered.html, text: visibleText(rendered.html) };
}

it.each([
  '<svg/onload=alert(1)>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<a href="http://a.pl" onclick=alert(1) style="x" class="y" id="z">x</a>',
  '<!--><script>alert(1)</script>-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?php echo 1 ?>',
  '<<script>script>alert(1)<</script>/script>',
])('shows the HTML %j as it is written', (markdown) => {
  expect(renderSafely(markdown).text).toBe(markdown);
});

it.each([
  ['<div>\n\n**x**\n\n</div>', '<div>\nx\n</div>'],
  ['```\n<script>alert(1)</script>\n```', '<script>alert(1)</script>'],
  ['```"><script>\nx\n```', 'x'],
  ['- > # <script>alert(1)</script>', '<script>alert(1)</script>'],
  ['| <script> | b |\n|---|---|\n| <img> | d |', '<script>\nb\n<img>\nd'],
  ['&#60;script&#62;alert(1)', '<script>alert(1)'],
  ['&ltscript&gtalert(1)', '&ltscript&gtalert(1)'],
  ['**<b>**</b>', '<b></b>'],
])('shows the HTML in %j as text', (markdown, text) => {
  expect(renderSafely(markdown).text).toBe(text);
});

it.each([
  ...`
    [x](javascript:alert%281%29) [x](JaVaScRiPt:alert) [x](<javascript:alert(1)>)
    [x](java&#10;script:alert) [x](java&Tab;script:alert) [x](&#106;avascript:alert)
    [x](&#x6A;avascript&colon;alert) [x](&#0106avascript:alert) [x](%6aavascript:alert)
    [x](data:text/html;base64,PHNjcmlwdD4=) [x](vbscript:msgbox) [x](file:///etc/passwd) [x](ftp://a.pl)
    [x](mailto:a@b.pl) [x](tel:123) [x](blob:https://a.pl/b) [x](view-source:http://a.pl)
    [x](//evil.com) [x](http:evil) [x](http:/evil) [x](http:///evil) [x](https&#58;//evil.com)
    [x](&#104;ttp://evil.com) [x](http://) [x](http://[) [x](http://a.pl:99999) [x](/sciezka)
    [x](sciezka) [x](#kotwica) [x](?a=b) [x]()`
    .trim()
    .split(/\s+/),
  '[x](<java\tscript:alert>)',
  '[x](\\javascript:alert)',
  '[x](\u0001javascript:alert)',
  '[x](/\\\\evil.com)',
  '[x](\\\\\\\\evil.com)',
  '[x](http:\\\\\\\\evil)',
  '[x](http://a b.pl)',
  '[x][y]\n\n[y]: javascript:alert(1)',
  '[x][y]\n\n[y]: <data:text/html,x>',
  '[x](http://a.pl "a" onclick=alert(1))',
])('makes no link of %j but keeps its text', (markdown) => {
  const rendered = renderSafely(markdown);
  const links = rendered.html.match(/<a href="[^"]*"/g) ?? [];
  // What is no Markdown link at all may still hold an address that is written out.
  expect(links.filter((link) => !/^<a href="http:\/\/a(?:\.pl)?\/"$/.test(link))).toEqual([]);
  expect(rendered.text).toContain('x');
});

it('makes no link of an address over 2,000 characters', () => {
  const address = `https://a.pl/${'b'.repeat(2_000)}`;
  const text = `x ${address}`;
  expect(renderSafely(`[x](${address}) ${address}`)).toEqual({ html: `<p>${text}</p>`, text });
});

it.each([
  ...'<javascript:alert(1)> <data:text/html,x> <a@b.pl> a@b.pl mailto:a@b.pl xmpp:a@b.pl/c ftp://a.pl/b'.split(
    ' ',
  ),
])('makes no link of the address %j but keeps its text', (markdown) => {
  const rendered = renderSafely(markdown);
  expect(rendered.html).not.toContain('<a');
  expect(rendered.text).toBe(markdown.replaceAll(/[<>]/g, ''));
});

it.each([
  '[x](http://a.pl "&quot; onmouseover=alert(1)")',
  '[x](http://a.pl/"onmouseover="alert(1))',
  '<http://a.pl/"onmouseover="alert(1)>',
  'https://a.pl/<script>alert(1)</script>',
])('keeps the link of %j inside its attribute', (markdown) => {
  const rendered = renderSafely(markdown);
  expect(rendered.html).toContain('<a href="http');
});

it('holds only allowed tags, properly nested, and whole characters, and sanitizing changes nothing', () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      const rendered = renderMarkdown(markdown);
      if (!rendered.ok) return;
      assertSafe(rendered.html);
      expect(sanitizeMarkdownHtml(rendered.html)).toBe(rendered.html);
      expect(rendered.html.isWellFormed()).toBe(true);
      expect(rendered.html).not.toMatch(/[\0-\x08\v-\x1f\x7f\ufffe\uffff]/);
    }),
    { numRuns: trials(1_000, 10_000) },
  );
});

it.each([
  ['<a href="javascript:x">a</a>', 'a'],
  [
    '<a href="http://b.pl" rel="me" target="_blank" title="t">a</a>',
    '<a href="http://b.pl/" rel="nofollow ugc noopener noreferrer">a</a>',
  ],
  ['<strong>a<a href="x:y">b</a></strong><em>c</em>', '<strong>ab</strong><em>c</em>'],
  ['<p style="color: red" class="y" id="z">a</p>', '<p>a</p>'],
  ['<td align="left">a</td>', '<td>a</td>'],
  ['<script>alert(1)</script>', ''],
  ['<p>a<p>b', '<p>a</p><p>b</p>'],
])('sanitizeMarkdownHtml makes of %j %j', (html, sanitized) => {
  expect(sanitizeMarkdownHtml(html)).toBe(sanitized);
});
