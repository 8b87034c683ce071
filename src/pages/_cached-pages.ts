import { CHECK_PARAMETERS } from '#src/entries/check-schema.ts';
import { LIST_PARAMETERS } from '#src/entries/list-query.ts';
import type { CachedPage } from '#src/http/request-handler.ts';
import { DETAILS_PATH } from '#src/paths.ts';

const LIST: CachedPage = {
  parameters: LIST_PARAMETERS,
  invalidatedBy: (query) => (query.get('search') ? 'search' : 'lists'),
};
const TEXT: CachedPage = { parameters: [], invalidatedBy: () => 'expiry' };

/** Pages that may be cached, by their path; the Cache-Control of a 200 is that of the lists unless the page sets it. */
export const CACHED_PAGES: Readonly<Record<string, CachedPage>> = {
  '/': { parameters: CHECK_PARAMETERS, invalidatedBy: () => 'lists' },
  '/scammers': LIST,
  '/servers': LIST,
  '/legit': LIST,
  '/donate': TEXT,
  '/status': TEXT,
  '/jak-powstaja-wpisy': TEXT,
  '/odwolania': { parameters: ['nr'], invalidatedBy: () => 'lists' },
  '/zglos': { parameters: ['id'], invalidatedBy: () => 'expiry' },
  '/pomoc': TEXT,
  '/prywatnosc': TEXT,
  '/docs': TEXT,
  [DETAILS_PATH]: TEXT,
};
