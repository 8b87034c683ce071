import sanitizeHtml from 'sanitize-html';

const ABSOLUTE_HTTP = /^https?:\/\/[^/\\]/i;
const LINK_REL = 'nofollow ugc noopener noreferrer';

const TEXT_TAGS = 'p br strong em del code pre blockquote ul ol li h3 h4 h5 h6 a';
const TABLE_TAGS = 'table thead tbody tr th td';

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: `${TEXT_TAGS} ${TABLE_TAGS}`.split(' '),
  allowedAttributes: { a: ['href', 'rel'], ol: ['start'] },
  allowedSchemes: ['http', 'https'],
  allowProtocolRelative: false,
  transformTags: { a: toSafeLink },
  exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && !attribs['href'] ? 'excludeTag' : false),
};

/** Links keep an absolute http or https address, as browsers read it, and get one fixed `rel`. */
export function sanitizeMarkdownHtml(html: string): string {
  return sanitizeHtml(html, OPTIONS);
}

function toSafeLink(tagName: string, { href = '' }: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const url = ABSOLUTE_HTTP.test(href) ? URL.parse(href) : null;
  return { tagName, attribs: url === null ? {} : { href: url.href, rel: LINK_REL } };
}
