/** Addresses inside the site, in one place. */

type Parameters = Readonly<Record<string, string | number>>;

/** The reference of the interface: fields, errors, versions. */
export const DETAILS_PATH = '/docs/szczegoly';

/** The description of the interface for tools. */
export const OPENAPI_PATH = '/openapi.json';

export const INCIDENTS_FEED_PATH = '/status/incidents.atom';

/** For search engines. */
export const SITEMAP_PATH = '/sitemap.xml';

export function proofsPath(proofsId: string): string {
  return `/proofs/${proofsId}`;
}

export const PROOF_IMAGES_PATH = '/proofs/images/';

export function proofImagePath(picture: { readonly sha256: string; readonly format: string }): string {
  return `${PROOF_IMAGES_PATH}${picture.sha256}.${picture.format}`;
}

/** The page of a donation; without an ID, the page that explains donations. */
export function donatePath(id?: string): string {
  return id === undefined ? '/donate' : `/donate/${id}`;
}

/** @param reportId of the entry that is appealed against */
export function appealsPath(reportId: string): string {
  return withQuery('/odwolania', { nr: reportId });
}

export function statusPath(): string {
  return '/status';
}

/** The pictures that chats show beside a link: of an ID that a list of reported ones has, and of everything else. */
export const LINK_PICTURES = { neutral: '/link-card.png', entry: '/link-card-entry.png' } as const;

/** @param isServer servers have a drawn picture */
export function avatarPath(id: string, isServer: boolean): string {
  return withQuery(`/api/chat/avatar/${id}`, isServer ? { kind: 'server' } : {});
}

export function listPath(list: string, parameters: Parameters = {}): string {
  return withQuery(`/${list}`, parameters);
}

export function entryPath(list: string, id: string): string {
  return listPath(list, { id });
}

/** New verified entries of a list, for feed readers. */
export function feedPath(list: string): string {
  return `/feeds/${list}.atom`;
}

/** The same list as the API answers it. */
export function listApiPath(list: string, parameters: Parameters = {}): string {
  return withQuery(`/api/${list}`, parameters);
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

/** As in a form's address. A list has an ID in every row, and most need no encoding. */
function encodeForm(text: string): string {
  return /^[\w*.-]*$/.test(text) ? text : new URLSearchParams([[text, '']]).toString().slice(0, -1);
}

/** @param contact a web page or an e-mail address */
export function contactHref(contact: string): string {
  return contact.startsWith('https:') ? contact : `mailto:${contact}`;
}
