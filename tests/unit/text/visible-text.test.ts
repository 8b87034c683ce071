import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderMarkdown } from '#src/text/render-markdown.ts';
import { visibleText } from '#src/text/visible-text.ts';
import { unescapeHtml } from '../../support/page-text.ts';
import { trials } from '../../support/trials.ts';
import { anyMarkdown } from './markdown-texts.ts';

it.each([
  ['', ''],
  ['<p>a <strong>b</strong><em>c</em></p>', 'a bc'],
  ['<p>a\n  b\t\u00a0c</p>', 'a b c'],
  ['<p> a<br />\n b </p>', 'a\nb'],
  ['<table>\n<thead>\n<tr>\n<th>a</th>\n<th></th>\n</tr>\n</thead>\n</table>', 'a'],
  ['<tr>\n<td>a b</td>\n<td>c</td>\n</tr>', 'a b\nc'],
  ['<pre><code>a\n\n  b  c\n</code></pre>\n<p>d\ne</p>', 'a\nb c\nd e'],
  ['<p><code>a\nb</code></p>', 'a b'],
  ['<p>&lt;b&gt; &amp;lt; &amp;amp; "\'</p>', '<b> &lt; &amp; "\''],
  ['<p>\u200ba\ufeff b</p>', '\u200ba\ufeff b'],
])('reads %j as %j', (html, text) => {
  expect(visibleText(html)).toBe(text);
});

it('keeps every visible character, in lines without outer or double white space', () => {
  fc.assert(
    fc.property(anyMarkdown, (markdown) => {
      const rendered = renderMarkdown(markdown);
      if (!rendered.ok) return;
      const shown = unescapeHtml(rendered.html.replaceAll(/<[^<>]*>/g, ''));
      const text = visibleText(rendered.html);
      expect(text.replaceAll(/\s/g, '')).toBe(shown.replaceAll(/\s/g, ''));
      expect(text).not.toMatch(/^\s|\s$|[^\S\ufeff][^\S\ufeff]/);
    }),
    { numRuns: trials(400, 4_000) },
  );
});
