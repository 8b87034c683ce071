/** Atom feeds (RFC 4287). The one place where texts become XML. */
import { escapeMarkup } from '../escape-markup.ts';

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

export interface AtomFeed {
  readonly title: string;
  readonly author: string;
  /** Address of the feed itself; also what it is known by. */
  readonly self: string;
  /** Address of the page that shows the same. */
  readonly page: string;
  readonly entries: readonly AtomEntry[];
  /** Value of `updated` while there is no entry, epoch milliseconds; it never changes. */
  readonly emptySince: number;
}

export interface AtomEntry {
  /** An IRI that never changes. */
  readonly id: string;
  readonly title: string;
  readonly page: string;
  /** Sanitized HTML, or plain text. */
  readonly content: { readonly html: string } | { readonly text: string };
  /** Epoch milliseconds. */
  readonly published: number;
  readonly updated: number;
}

export function renderAtom(feed: AtomFeed): string {
  const updated =
    feed.entries.length > 0 ? Math.max(...feed.entries.map((entry) => entry.updated)) : feed.emptySince;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="pl">
  <id>${escapeXml(feed.self)}</id>
  <title>${escapeXml(feed.title)}</title>
  <author><name>${escapeXml(feed.author)}</name></author>
  <link rel="self" type="application/atom+xml" href="${escapeXml(feed.self)}"/>
  <link rel="alternate" type="text/html" href="${escapeXml(feed.page)}"/>
  <updated>${toTime(updated)}</updated>
${feed.entries.map(renderEntry).join('')}</feed>
`;
}

function renderEntry(entry: AtomEntry): string {
  return `  <entry>
    <id>${escapeXml(entry.id)}</id>
    <title>${escapeXml(entry.title)}</title>
    <link rel="alternate" type="text/html" href="${escapeXml(entry.page)}"/>
    <published>${toTime(entry.published)}</published>
    <updated>${toTime(entry.updated)}</updated>
    ${renderContent(entry.content)}
  </entry>
`;
}

function renderContent(content: AtomEntry['content']): string {
  return 'html' in content
    ? `<content type="html">${escapeXml(content.html)}</content>`
    : `<content type="text">${escapeXml(content.text)}</content>`;
}

function toTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Characters that XML 1.0 cannot hold in any form become the replacement character. */
export function escapeXml(text: string): string {
  return escapeMarkup(
    text.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD'),
  );
}
