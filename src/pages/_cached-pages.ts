import { CHECK_PARAMETERS } from '#src/entries/check-schema.ts';
import { LIST_PARAMETERS } from '#src/entries/list-query.ts';
import type { CachedPage } from '#src/http/request-handler.ts';
import { DETAILS_PATH, DOCS_PATH, ENGLISH_DOCS_PATH, REPORT_NUMBER, REPORT_PAGES_PATH } from '#src/paths.ts';

const LIST: CachedPage = {
  parameters: LIST_PARAMETERS,
  invalidatedBy: (query) => (query.get('search') ? 'search' : 'listChange'),
};
const ENTRY: CachedPage = {
  parameters: [],
  invalidatedBy: () => 'listChange',
  route: `${REPORT_PAGES_PATH}{reportId}`,
};
const TEXT: CachedPage = { parameters: [], invalidatedBy: () => 'expiry' };

/** Pages by their path. The Cache-Control of a 200 is that of the lists unless the page sets it. */
const CACHED_PAGES: Readonly<Record<string, CachedPage>> = {
  '/': { parameters: CHECK_PARAMETERS, invalidatedBy: () => 'listChange' },
  '/scammers': LIST,
  '/servers': LIST,
  '/legit': LIST,
  '/donate': TEXT,
  '/status': TEXT,
  '/jak-powstaja-wpisy': TEXT,
  '/odwolania': { parameters: ['nr'], invalidatedBy: () => 'listChange' },
  '/zglos': { parameters: ['id'], invalidatedBy: () => 'expiry' },
  '/pomoc': TEXT,
  '/prywatnosc': TEXT,
  [DOCS_PATH]: TEXT,
  [ENGLISH_DOCS_PATH]: TEXT,
  [DETAILS_PATH]: TEXT,
};

/** @returns undefined for a page that is not cached */
export function findCachedPage(path: string): CachedPage | undefined {
  const isEntry =
    path.startsWith(REPORT_PAGES_PATH) && REPORT_NUMBER.test(path.slice(REPORT_PAGES_PATH.length));
  return isEntry ? ENTRY : CACHED_PAGES[path];
}
