import { checkQuerySchema } from '#src/entries/check.ts';
import { listQuerySchema } from '#src/entries/list-query.ts';
import type { PageRules } from '#src/http/render-page.ts';
import {
  DETAILS_PATH,
  DOCS_PATH,
  ENGLISH_DOCS_PATH,
  PROOF_IMAGES_PATH,
  REPORT_NUMBER,
  REPORT_PAGES_PATH,
} from '#src/paths.ts';

/** Pages that are not cached share a route, because their number has no bound. */
const OTHER: PageRules = {
  rateLimit: 'pages',
  route: 'page',
  parameters: [],
  cachedHereUntil: () => 'notCached',
};

const LIST: Partial<PageRules> = {
  parameters: Object.keys(listQuerySchema.shape),
  cachedHereUntil: (query) => (query.get('search') || query.get('id') ? 'oneSecond' : 'listChange'),
};
const ENTRY: Partial<PageRules> = {
  cachedHereUntil: () => 'oneSecond',
  route: `${REPORT_PAGES_PATH}{reportId}`,
};
const TEXT: Partial<PageRules> = { cachedHereUntil: () => 'expiry' };

/** Pages that are cached. The Cache-Control of a 200 is that of the lists unless the page sets it. */
const CACHED_PAGES: Readonly<Record<string, Partial<PageRules>>> = {
  '/': {
    parameters: Object.keys(checkQuerySchema.shape),
    cachedHereUntil: (query) => (query.size > 0 ? 'oneSecond' : 'listChange'),
  },
  '/scammers': LIST,
  '/servers': LIST,
  '/legit': LIST,
  '/donate': TEXT,
  '/status': TEXT,
  '/jak-powstaja-wpisy': TEXT,
  '/odwolania': { parameters: ['nr'], cachedHereUntil: () => 'oneSecond' },
  '/zglos': { parameters: ['id'], cachedHereUntil: () => 'oneSecond' },
  '/pomoc': TEXT,
  '/prywatnosc': TEXT,
  [DOCS_PATH]: TEXT,
  [ENGLISH_DOCS_PATH]: TEXT,
  [DETAILS_PATH]: TEXT,
};

/** @param path of a page, or of none */
export function pageRules(path: string): PageRules {
  if (path.startsWith(PROOF_IMAGES_PATH)) return { ...OTHER, rateLimit: 'pictures' };
  const isEntry =
    path.startsWith(REPORT_PAGES_PATH) && REPORT_NUMBER.test(path.slice(REPORT_PAGES_PATH.length));
  const rules = isEntry ? ENTRY : CACHED_PAGES[path];
  return rules ? { ...OTHER, route: path, ...rules } : OTHER;
}
