import { escapeMarkup } from '../escape-markup.ts';

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

export interface AtomFeed {
  readonly title: string;
  readonly author: string;
  readonly self: string;
  readonly page: string;
  readonly entries: readonly AtomEntry[];
  readonly emptySince: number;
}

export interface AtomEntry {
  readonly id: string;
  readonly title: string;
  readonly page: string;
  readonly content: { readonly type: 'html' | 'text'; readonly text: string };
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
  <updated>${new Date(updated).toISOString()}</updated>
${feed.entries.map(renderEntry).join('')}</feed>
`;
}

function renderEntry(entry: AtomEntry): string {
  return `  <entry>
    <id>${escapeXml(entry.id)}</id>
    <title>${escapeXml(entry.title)}</title>
    <link rel="alternate" type="text/html" href="${escapeXml(entry.page)}"/>
    <published>${new Date(entry.published).toISOString()}</published>
    <updated>${new Date(entry.updated).toISOString()}</updated>
    <content type="${entry.content.type}">${escapeXml(entry.content.text)}</content>
  </entry>
`;
}

/** Replaces characters that XML 1.0 cannot represent. */
export function escapeXml(text: string): string {
  return escapeMarkup(
    text.toWellFormed().replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD'),
  );
}
