/** Rows of lists are HTML made by functions: whatever an entry says, it stays text. */
import { describe, expect, it } from 'vitest';
import { ANSWER } from '#src/components/check/answer-texts.ts';
import { LISTS } from '#src/components/list/lists-texts.ts';
import { renderEntryRow, type RowOptions } from '#src/components/list/render-entry-row.ts';
import { markup } from '#src/components/ui/markup.ts';
import type { PublicSummary } from '#src/entries/entry.ts';
import { cutAtWord } from '#src/text/excerpt.ts';
import { HOSTILE_TEXTS } from '../../support/page-states.ts';
import { unescapeHtml } from '../../support/page-text.ts';

const HOSTILE: readonly string[] = [
  ...Object.values(HOSTILE_TEXTS),
  '</p></article></li><script src=//x></script>',
  '" onmouseover="alert(1)" x="',
  '&lt;b&gt;&amp;#60;&#x3c;b>',
  '$& $1 $` \\u003cb\\u003e',
];

function makeSummary(facts: Partial<PublicSummary> = {}): PublicSummary {
  return {
    _id: 'a'.repeat(24),
    name: 'kupskin',
    id: 'x',
    verified: true,
    proofsId: 'b'.repeat(32),
    reportId: 'R-7K2F9Q',
    list: 'scammers',
    proofs: 'public',
    reportedAt: Date.parse('2026-11-19T23:30:00Z'),
    verifiedAt: null,
    account: 'own',
    accountSince: null,
    appeal: null,
    updatedAt: 0,
    excerpt: 'Powód.',
    ...facts,
  };
}

function shapeOf(html: string): string[] {
  return (html.match(/<[^>]*>/g) ?? []).map((tag) => tag.replace(/="[^"]*"/g, ''));
}

describe('a row of a list', () => {
  it.each(HOSTILE)('has no element and no attribute out of %j', (text) => {
    const partsOf = (part: string) => [false, true].map((isMarked) => ({ text: part, isMarked }));
    const excerpt = 'a'.repeat([...text].length);
    const plain = renderEntryRow(makeSummary({ excerpt }), { parts: partsOf('') });
    const facts = { name: text, id: text, excerpt: text, reportId: text, proofsId: text };
    const html = String(renderEntryRow(makeSummary(facts), { parts: partsOf(text) }));
    expect(shapeOf(html)).toEqual(shapeOf(String(plain)));
    expect(unescapeHtml(html)).toContain(`>${cutAtWord(text, 140)}</p>`);
    expect(unescapeHtml(html)).toContain(`<mark>${text}</mark>`);
  });

  it.each(['scammers', 'servers', 'legit'] as const)('is one link, to its entry: %s', (list) => {
    const odd = makeSummary({ list, id: 'a b&ą', name: '"k', reportId: 'zgl/1' });
    const html = String(renderEntryRow(odd, { parts: [] }));
    // Who hears thirty of them hears whose each is.
    const links = [...html.matchAll(/<a class="row-link" href="([^"]*)" aria-label="([^"]*)">/g)];
    expect(links.map(([, ...parts]) => parts.map(unescapeHtml))).toEqual([
      [`/${list}?id=a+b%26%C4%85`, LISTS.seeEntryOf('"k')],
    ]);
    expect(html.match(/<a /g)).toHaveLength(1);
  });

  it('has nothing where an entry has nothing', () => {
    const html = String(renderEntryRow(makeSummary({ excerpt: '', proofsId: null, proofs: 'none' })));
    expect(html).not.toMatch(/<img|data-outline|undefined|null|false/);
    expect(html).toContain(ANSWER.noReason);
    expect(html).not.toContain(LISTS.proofsOf.public);
    expect(String(renderEntryRow(makeSummary({ proofs: 'private' })))).toContain(LISTS.proofsOf.private);
  });

  it.each([
    ['kupskin', 'k'],
    ['„Żabka”', 'Ż'],
    ['🦊', '🦊'],
  ])('has the first letter of %s where there is no picture', (name, letter) => {
    const html = String(renderEntryRow(makeSummary({ list: 'servers', id: '1572250755006587457', name })));
    expect(html).toContain(`<span class="avatar" aria-hidden="true">${letter}</span>`);
  });

  const words = (count: number) => 'słowo '.repeat(count).trim();
  it.each([
    [words(33), `${words(23)}…`],
    [`${words(18)}. Dalej ${words(10)}`, `${words(18)}.`],
    [`„${words(17)}.” Dalej ${words(10)}`, `„${words(17)}.”`],
    // A short sentence says less than a cut one, and no quotation loses its end.
    [`${words(8)}. Dalej ${words(24)}`, `${words(8)}. Dalej ${words(14)}…`],
    [`„${words(17)}. Dalej ${words(20)}”`, `„${words(17)}. Dalej ${words(4)}…”`],
  ])('cuts %j to whole sentences or words', (excerpt, text) => {
    const html = String(renderEntryRow(makeSummary({ excerpt })));
    expect(/<p class="excerpt">([^<]*)<\/p>/.exec(html)?.[1]).toBe(text);
  });

  it('has a picture, groups of four and copying where the ID is an account, and no mark beside the nick', () => {
    const html = String(renderEntryRow(makeSummary({ id: '1572250755006587457' })));
    for (const part of [
      'src="/api/chat/avatar/1572250755006587457?kind=own"',
      '<span>1572</span><span>2507</span><span>5500</span><span>6587</span><span>457</span>',
      'zgłoszono <time datetime="2026-11-19T23:30:00.000Z">20\u00a0listopada 2026</time>',
    ])
      expect(html).toContain(part);
    expect(html).toMatch(/<p class="id-line" data-copied>(?:(?!<\/p>).)*<button class="copy/s);
    expect(html).toMatch(/class="what".*zgłoszono/s);
    // The mark is of what the page says: that the account is on the list, and not that its nick is verified.
    expect(html).not.toMatch(/<h3>\s*<svg/);
  });

  it('names letters that only look Latin', () => {
    const html = String(renderEntryRow(makeSummary({ name: 'p\u0430ypal' })));
    expect(html).toContain('W nicku są litery cyrylicy: <span lang="ru">\u0430</span>');
    const server = String(renderEntryRow(makeSummary({ list: 'servers', name: 'p\u0430ypal' })));
    expect(server).toContain('W nazwie są litery cyrylicy:');
  });

  it('says in its list one word, and of who is on two the stronger one', () => {
    const trusted = makeSummary({ list: 'legit' });
    const badgeOf = (entry: PublicSummary, options: RowOptions = {}) =>
      /<\/svg> ([^<]+) <\/span>/.exec(String(renderEntryRow(entry, options)))?.[1];
    expect(badgeOf(makeSummary())).toBe('Potwierdzone');
    expect(badgeOf(makeSummary({ verified: false }))).toBe('Niepotwierdzone');
    expect(badgeOf(makeSummary({ account: 'hijacked', list: 'servers' }))).toBe('Serwer przejęty');
    expect(badgeOf(trusted)).toBe('Lista zaufanych');
    expect(badgeOf(trusted, { reportOfTrusted: () => makeSummary() })).toBe('Potwierdzone zgłoszenie');
  });

  it('calls a server one where persons stand beside it', () => {
    const server = makeSummary({ list: 'servers' });
    expect(String(renderEntryRow(server, { isMixed: true }))).toContain('>serwer, zgłoszono');
    expect(String(renderEntryRow(makeSummary(), { isMixed: true }))).not.toContain('serwer');
  });
});

describe('markup', () => {
  it('escapes text, keeps markup, and drops what is undefined', () => {
    const made = markup`<b title="${'"<'}">${'&'}${undefined}${markup`<i>${"'"}</i>`}${[markup`<u></u>`, markup`>`]}</b>`;
    expect(String(made)).toBe('<b title="&quot;&lt;">&amp;<i>&#39;</i><u></u>></b>');
  });

  it('makes single spaces of its own white space and none of what it is filled with', () => {
    expect(String(markup`<p>\n    ${'a\n  b'}\n  </p>`)).toBe('<p> a\n  b </p>');
  });
});
