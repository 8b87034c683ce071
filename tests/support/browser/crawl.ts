/** A visitor who follows every link of the site in a browser, and everything that the browser complains of. */
import { vi } from 'vitest';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { MANIFEST_PATH, pathsOf, type Manifest } from '#src/entries/snapshots/manifest.ts';
import { PART_IDS } from '#src/status/status.ts';
import { DEMO_DONATION_NAMES, demoDonationId } from '../../../scripts/sample/demo-donations.ts';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { donatePath, SITEMAP_PATH } from '#src/paths.ts';
import { launchBrowser } from '../launch-browser.ts';

/** Programs read these, or the demo prints them, so that no page leads there. */
const UNLINKED = [
  ...['/robots.txt', SITEMAP_PATH, '/.well-known/security.txt', MANIFEST_PATH],
  ...DEMO_DONATION_NAMES.map((name) => donatePath(demoDonationId(name))),
  ...LIST_KINDS.map((list) => `/api/${list}`),
  ...Object.values(DEMO_IDS).flatMap((id) =>
    ['/?search=', '/api/check?id=', '/api/verdict?id='].map((of) => of + id),
  ),
  ...['status', ...PART_IDS].map((part) => `/badge/${part}.svg`),
  '/api/status/history?id=database&range=7d',
];
/** Scripts, styles and fonts: the pages load them, and a visitor opens none. */
const PART_OF_PAGES = /^\/(?:_astro|@|src|node_modules)/;
const TABS = 3;
/**
 * The page of private proofs answers 403. Chromium's own viewers of pictures and XML have styles that the policy of the site
 * forbids. Vite tells of itself in development.
 */
function isIntended(path: string, told: string): boolean {
  if (told.startsWith('[vite] connect')) return true;
  if (/\.\w+$/.test(path)) return told.includes('Content Security Policy');
  return path.startsWith('/proofs/') && /\b403\b/.test(told);
}

/** Addresses in pages, feeds and the sitemap. */
const ADDRESS = /(?:href|content)="((?:https?:\/)?\/[^"]+)"|<loc>([^<]+)|(\/proofs\/images\/[\w.]+)/g;

/**
 * Comes to each page as another client of a proxy, because no visitor reads a thousand pages in a minute.
 * @param mostOfKind pages whose addresses differ only in an ID and in values of parameters; default: all of them
 * @returns the paths and the complaints
 */
export async function crawl(origin: string, mostOfKind = Infinity) {
  await using browser = await launchBrowser();
  const visited: string[] = [];
  const troubles: string[] = [];
  const known = new Set<string>();
  const kinds = new Map<string, number>();
  const add = (address: string): string[] => {
    const url = new URL(address.replaceAll('&amp;', '&'), origin);
    const path = url.pathname + url.search;
    // All filters at once are too many to try.
    if (url.origin !== origin || known.has(path) || url.searchParams.size > 2 || PART_OF_PAGES.test(path))
      return [];
    known.add(path);
    const kind = [url.pathname.replaceAll(/[0-9a-f]{12,}/g, 'ID'), ...url.searchParams.keys()].join();
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    return (kinds.get(kind) ?? 0) <= mostOfKind ? [path] : [];
  };

  /** @returns what the pages lead to */
  const visit = async (paths: Iterable<string>): Promise<string[]> => {
    await using context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce' });
    const page = await context.newPage();
    const next: string[] = [];
    let path = '';
    const complain = (what: string): number => troubles.push(`${path}: ${what}`);
    page.on('pageerror', ({ message }) => complain(`script: ${message}`));
    page.on('console', (message) => {
      if (!isIntended(path, message.text())) complain(`${message.type()}: ${message.text()}`);
    });
    page.on('requestfailed', (request) => complain(`${request.url()} ${request.failure()?.errorText}`));
    page.on('response', (response) => {
      const told = `${response.url()} ${response.status()}`;
      if (response.status() >= 400 && !isIntended(path, told)) complain(told);
    });
    for (path of paths) {
      visited.push(path);
      const client = `10.0.${visited.length >> 8}.${visited.length & 255}`;
      await context.setExtraHTTPHeaders({ 'X-Forwarded-For': client });
      const response = await page.goto(path, { waitUntil: 'load' });
      for (const [, quoted, located, picture] of ((await response?.text()) ?? '').matchAll(ADDRESS))
        next.push(...add(quoted ?? located ?? picture ?? ''));
      for (const image of await page.evaluate(lookAtImages)) complain(`does not show ${image}`);
    }
    return next;
  };

  // The worker publishes it a moment after the start.
  const readChunks = async () => pathsOf((await (await fetch(origin + MANIFEST_PATH)).json()) as Manifest);
  const chunks = await vi.waitFor(readChunks, 20_000);
  for (let paths = ['/', ...UNLINKED, ...chunks].flatMap(add); paths.length > 0;) {
    const shared = paths.values();
    paths = (await Promise.all(Array.from({ length: TABS }, () => visit(shared)))).flat();
  }
  return { visited, troubles };
}

/** Runs in the page. @returns the addresses of broken images */
async function lookAtImages(): Promise<string[]> {
  const images = [...document.querySelectorAll('img')];
  for (const image of images) image.loading = 'eager';
  const results = await Promise.allSettled(images.map((image) => image.decode()));
  return images.filter((_, at) => results[at]?.status === 'rejected').map(({ src }) => src);
}
