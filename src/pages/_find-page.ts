import { CHECK_PARAMETERS } from '#src/entries/check-schema.ts';
import { LIST_PARAMETERS } from '#src/entries/list-query.ts';
import type { PageFacts } from '#src/http/render-page.ts';
import {
  DETAILS_PATH,
  DOCS_PATH,
  ENGLISH_DOCS_PATH,
  PROOF_IMAGES_PATH,
  REPORT_NUMBER,
  REPORT_PAGES_PATH,
} from '#src/paths.ts';

/** Pages that are not kept share a route, because their number has no bound. */
const OTHER: PageFacts = { rateLimit: 'pages', route: 'page', parameters: [], keptUntil: () => 'notKept' };

const LIST: Partial<PageFacts> = {
  parameters: LIST_PARAMETERS,
  keptUntil: (query) => (query.get('search') ? 'search' : 'listChange'),
};
const ENTRY: Partial<PageFacts> = {
  keptUntil: () => 'listChange',
  route: `${REPORT_PAGES_PATH}{reportId}`,
};
const TEXT: Partial<PageFacts> = { keptUntil: () => 'expiry' };

/** Pages that are kept. The Cache-Control of a 200 is that of the lists unless the page sets it. */
const KEPT_PAGES: Readonly<Record<string, Partial<PageFacts>>> = {
  '/': { parameters: CHECK_PARAMETERS, keptUntil: () => 'listChange' },
  '/scammers': LIST,
  '/servers': LIST,
  '/legit': LIST,
  '/donate': TEXT,
  '/status': TEXT,
  '/jak-powstaja-wpisy': TEXT,
  '/odwolania': { parameters: ['nr'], keptUntil: () => 'listChange' },
  '/zglos': { parameters: ['id'], keptUntil: () => 'expiry' },
  '/pomoc': TEXT,
  '/prywatnosc': TEXT,
  [DOCS_PATH]: TEXT,
  [ENGLISH_DOCS_PATH]: TEXT,
  [DETAILS_PATH]: TEXT,
};

/** @param path of a page, or of none */
export function findPage(path: string): PageFacts {
  if (path.startsWith(PROOF_IMAGES_PATH)) return { ...OTHER, rateLimit: 'pictures' };
  const isEntry =
    path.startsWith(REPORT_PAGES_PATH) && REPORT_NUMBER.test(path.slice(REPORT_PAGES_PATH.length));
  const kept = isEntry ? ENTRY : KEPT_PAGES[path];
  return kept ? { ...OTHER, route: path, ...kept } : OTHER;
}
