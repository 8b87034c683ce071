import { expect, it } from 'vitest';
import { renderMarkdown } from '#src/text/render-markdown.ts';
import { visibleText } from '#src/text/visible-text.ts';

const REL = 'rel="nofollow ugc noopener noreferrer"';

function render(markdown: string): string {
  const rendered = renderMarkdown(markdown);
  if (!rendered.ok) throw new Error(rendered.problem);
  return rendered.html;
}

function visibleHrefs(markdown: string): string[][] {
  const links = render(markdown).matchAll(/href="([^"]*)"[^>]*>([^<]*)</g);
  return [...links].map(([, href = '', text = '']) => [visibleText(href), visibleText(text)]);
}

it.each([
  [' \n\n ', ''],
  ['Dwie\nlinie\n\nDrugi akapit', '<p>Dwie\nlinie</p>\n<p>Drugi akapit</p>'],
  ['Twardy  \nkoniec', '<p>Twardy<br />koniec</p>'],
  ['**a** _b_ ~~c~~ `d < e`', '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d &lt; e</code></p>'],
  ['nick_z_podkreśleniem 2*3*4', '<p>nick_z_podkreśleniem 2<em>3</em>4</p>'],
  ['"cytat" & \'drugi\'', '<p>"cytat" &amp; \'drugi\'</p>'],
  ['&lt;b&gt; &copy; &#65; &nosuch;', '<p>&lt;b&gt; © A &amp;nosuch;</p>'],
  ['a &amp;lt; b', '<p>a &amp;lt; b</p>'],
  ['- a\n- b\n  - c', '<ul>\n<li>a</li>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>'],
  ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
  ['- [ ] a\n- [x] b', '<ul>\n<li>[ ] a</li>\n<li>[x] b</li>\n</ul>'],
  ['- [ ] a\n\n- [x] b', '<ul>\n<li><p>[ ] a</p>\n</li>\n<li><p>[x] b</p>\n</li>\n</ul>'],
  ['> a\n> b', '<blockquote>\n<p>a\nb</p>\n</blockquote>'],
  ['```js\nif (a)\n  b();\n```', '<pre><code>if (a)\n  b();\n</code></pre>'],
  ['    a  b', '<pre><code>a  b\n</code></pre>'],
  ['a\n\n---\n\nb', '<p>a</p>\n<p>b</p>'],
  [
    '| a |\n|:--|\n| **2** |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n' +
      '<tbody><tr>\n<td><strong>2</strong></td>\n</tr>\n</tbody></table>',
  ],
  ['a\u00a0 b\u2003c\ufeff', '<p>a\u00a0 b\u2003c\ufeff</p>'],
  ['a\0b &#0; &#1; \ud800', '<p>a\ufffdb \ufffd \ufffd \ufffd</p>'],
  ['Tekst[^1]\n\n[^1]: przypis do tekstu', '<p>Tekst[^1]</p>\n<p>[^1]: przypis do tekstu</p>'],
  // What has no content.
  ['#\n\n##   \n\n![](http://a.pl/b.png)\n\n[](http://a.pl)', ''],
])('renders %j', (markdown, html) => {
  expect(render(markdown)).toBe(html);
});

it.each([
  ['# a', 'h3'],
  ['#### a', 'h6'],
  ['##### a', 'h6'],
  ['a\n---', 'h4'],
])('moves the heading %j down to %s', (markdown, name) => {
  expect(render(markdown)).toBe(`<${name}>a</${name}>`);
});

it.each([
  ['[a](http://b.pl)', 'http://b.pl/', 'a'],
  ['[a](HTTPS://B.pl/C "tytuł \\"x\\"")', 'https://b.pl/C', 'a'],
  ['[a](<https://b.pl/c d>)', 'https://b.pl/c%20d', 'a'],
  ['[a](https://b.pl/?c=1&amp;d=2)', 'https://b.pl/?c=1&amp;d=2', 'a'],
  ['[a](https://żółw.pl/ż)', 'https://xn--w-uga1v8h.pl/%C5%BC', 'a'],
  ['[a][x]\n\n[x]: https://b.pl "tytuł"', 'https://b.pl/', 'a'],
  ['<https://b.pl/c>', 'https://b.pl/c', 'https://b.pl/c'],
  ['https://b.pl/c_d_e', 'https://b.pl/c_d_e', 'https://b.pl/c_d_e'],
  ['www.b.pl', 'http://www.b.pl/', 'www.b.pl'],
])('links %j to %s', (markdown, href, text) => {
  expect(render(markdown)).toBe(`<p><a href="${href}" ${REL}>${text}</a></p>`);
});

const signs = ['sect_id', 'copy', 'para', 'times', 'lang', 'lt', 'amp', 'reg', 'copy;x', '#38;x', 'notit'];
it.each(signs)('takes &%s in an address for no sign', (name) => {
  const address = `https://b.pl/?a=1&${name}=3`;
  const escaped = address.replace('&', '&amp;');
  for (const [markdown, text] of [
    [address, escaped],
    [`<${address}>`, escaped],
    [`[x](${address})`, 'x'],
    [`[x][y]\n\n[y]: ${address}`, 'x'],
  ] as const)
    expect(render(markdown)).toBe(`<p><a href="${escaped}" ${REL}>${text}</a></p>`);
});

const ends = [...'” ”. .” ’ » « “ … 。 ) )” ”) ] } > " \' – \u200b ,”)].'.split(' '), '”i inne', '”**'];
it.each(ends)('leaves %j after an address to the sentence', (end) => {
  for (const address of ['https://b.pl/c_(d)?e=[1]&f=d’art', 'http://www.b.pl/c'])
    expect(visibleHrefs(`„(${address}${end}`)).toEqual([[new URL(address).href, address]]);
});

it('never puts a link into a link', () => {
  const link = `<a href="http://d.pl/" ${REL}>a http://b.pl c</a>`;
  expect(render('[a <http://b.pl> c](http://d.pl)')).toBe(`<p>${link}</p>`);
});

it.each([
  ['![opis *zdjęcia*](http://a.pl/b.png "t")', 'opis zdjęcia'],
  ['![a & <b> &copy;](b.png)', 'a &amp; &lt;b&gt; ©'],
  ['![a ![b](c.png) [d](http://e.pl)](f.png)', 'a b d'],
  ['![a][x]\n\n[x]: http://b.pl/c.png', 'a'],
])('shows the description of the image %j as text', (markdown, html) => {
  expect(render(markdown)).toBe(`<p>${html}</p>`);
});
