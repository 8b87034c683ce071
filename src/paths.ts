/** Paths inside the site. */

type Parameters = Readonly<Record<string, string | number>>;

export const DOCS_PATH = '/docs';

export const DETAILS_PATH = '/docs/szczegoly';

export const ENGLISH_DOCS_PATH = '/docs/en';

export const OPENAPI_PATH = '/openapi.json';

export const INCIDENTS_FEED_PATH = '/status/incidents.atom';

export const SITEMAP_PATH = '/sitemap.xml';

export function proofsPath(proofsId: string): string {
  return `/proofs/${proofsId}`;
}

export const PROOF_IMAGES_PATH = '/proofs/images/';

export function proofImagePath(picture: { readonly sha256: string; readonly format: string }): string {
  return `${PROOF_IMAGES_PATH}${picture.sha256}.${picture.format}`;
}

/** Without an ID, the page about donations. */
export function donatePath(id?: string): string {
  return id === undefined ? '/donate' : `/donate/${id}`;
}

/** @param reportId of the entry */
export function appealsPath(reportId: string): string {
  return withQuery('/odwolania', { nr: reportId });
}

/** @param id of the account to report, from 17 to 20 digits */
export function reportPath(id?: string): string {
  return withQuery('/zglos', id === undefined ? {} : { id });
}

export function statusPath(): string {
  return '/status';
}

/** Pictures beside a link in chats: `entry` for an ID on a list of reported ones. */
export const LINK_PICTURES = {
  neutral: '/link-card.png',
  entry: '/link-card-entry.png',
  taken: '/link-card-taken.png',
} as const;

/** @param isOwn nothing in place of a picture that the account does not have */
export function avatarPath(id: string, isOwn: boolean): string {
  return withQuery(`/api/chat/avatar/${id}`, isOwn ? { kind: 'own' } : {});
}

export function listPath(list: string, parameters: Parameters = {}): string {
  return withQuery(`/${list}`, parameters);
}

/** Numbers that have a page; entries with older, odd ones are found by their ID. */
export const REPORT_NUMBER = /^(?!\.{1,2}$)[\w.-]{1,64}$/;

export const REPORT_PAGES_PATH = '/wpis/';

export function reportPagePath(reportId: string): string {
  return REPORT_PAGES_PATH + reportId;
}

export function entryPath(entry: Readonly<Record<'list' | 'id' | 'reportId', string>>): string {
  const { list, id, reportId } = entry;
  return REPORT_NUMBER.test(reportId) ? reportPagePath(reportId) : listPath(list, { id });
}

export function feedPath(list: string): string {
  return `/feeds/${list}.atom`;
}

export function listApiPath(list: string, parameters: Parameters = {}): string {
  return withQuery(`/api/${list}`, parameters);
}

/** @param query of the check by nick, or of the verdict about an ID */
export function answerApiPath(query: { readonly id: string } | { readonly search: string }): string {
  return withQuery(`/api/${'id' in query ? 'verdict' : 'check'}`, query);
}

/** The JSON of a page, for its head. */
export function inJson(href: string): readonly [{ readonly href: string; readonly type: string }] {
  return [{ href, type: 'application/json' }];
}

export function checkPath(search: string): string {
  return withQuery('/', { search });
}

function withQuery(path: string, parameters: Parameters): string {
  let query = '';
  for (const key in parameters)
    query += `${query && '&'}${encodeForm(key)}=${encodeForm(String(parameters[key]))}`;
  return query === '' ? path : `${path}?${query}`;
}

/** Encodes like a form. A list has an ID in every row, and most need no encoding. */
function encodeForm(text: string): string {
  return /^[\w*.-]*$/.test(text) ? text : new URLSearchParams([[text, '']]).toString().slice(0, -1);
}

/** @param contact a web page or an e-mail address */
export function contactHref(contact: string): string {
  return /^https?:/.test(contact) ? contact : `mailto:${contact}`;
}

/** @returns the contact as it is shown */
export function contactName(contact: string): string {
  return contact.replace(/^https?:\/\/(.*?)\/?$/, '$1');
}
