/**
 * `npm run screenshots`: a picture of every page in every state, on a phone and a desk, light and dark, in the ignored
 * folder screenshots/. The site has to be built; the demo's entries are in a database of their own.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { buildIfNeeded } from './build.ts';
import { startDemoSite } from './gallery/demo-site.ts';
import type { DemoSite } from './gallery/demo-site.ts';
import { launchBrowser } from './gallery/launch-browser.ts';
import { PAGE_STATES, PROOFS_WITH_IMAGES, UNWATCHED_STATES } from './gallery/page-states.ts';
import type { PageState } from './gallery/page-states.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'screenshots');
const WIDTHS = [390, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Rows of lists are drawn when they come near the window: taller than any page but the API's. */
const HEIGHT = 9_000;

/** States that somebody's hand makes. */
const HANDS: readonly { name: string; path: string; act: (page: Page) => Promise<void> }[] = [
  {
    name: 'check-typing',
    path: '/',
    act: async (page) => {
      await page.locator('#ask').pressSequentially('kup');
      await page.locator('.live .rows').waitFor();
    },
  },
  {
    name: 'check-failed',
    path: '/',
    act: async (page) => {
      await page.route('**/?search=*', (route) => route.fulfill({ status: 500, body: '' }));
      await page.locator('#ask').fill('kupskin');
      await page.keyboard.press('Enter');
      await page.locator('.notice').waitFor();
      await page.unroute('**/?search=*');
    },
  },
  {
    name: 'proofs-dialog',
    path: PROOFS_WITH_IMAGES.path,
    act: async (page) => {
      // The gallery's window is as tall as a page; the dialog fills the window of a person.
      await page.setViewportSize({ width: page.viewportSize()?.width ?? 0, height: 800 });
      await page.locator('.enlarge').first().click();
      await page.locator('dialog img').evaluate((image: HTMLImageElement) => image.decode());
    },
  },
  {
    name: 'list-menu-open',
    path: '/scammers',
    act: async (page) => {
      await page.locator('.menu:visible summary').last().click();
    },
  },
];

/** Pages of a failing server; the front door fills in what src/http/error-pages.ts leaves open. */
const FAILURES = { 'error-429': '429/index.html', 'error-500': '500.html' } as const;

buildIfNeeded();
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const only = process.argv[2] ?? '';
let pictures = 0;
const browser = await launchBrowser();
try {
  await withSite(startDemoSite(), (site) =>
    forEachLook(browser, site, async (page, take) => {
      await takeStates(page, PAGE_STATES, take);
      await takeHands(page, take);
      await takeFailures(page, take);
    }),
  );
  for (const looks of ['behind', 'never'] as const) {
    await withSite(startDemoSite(looks), (site) =>
      forEachLook(browser, site, (page, take) => takeStates(page, UNWATCHED_STATES[looks], take)),
    );
  }
} finally {
  await browser.close();
}
process.stdout.write(`${pictures} pictures in screenshots/\n`);

type Take = (name: string) => Promise<void>;

async function withSite(starting: Promise<DemoSite>, work: (site: DemoSite) => Promise<void>): Promise<void> {
  const site = await starting;
  try {
    await work(site);
  } finally {
    await site.close();
  }
}

async function forEachLook(
  browser: Browser,
  site: DemoSite,
  work: (page: Page, take: Take) => Promise<void>,
): Promise<void> {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({
        baseURL: site.origin,
        viewport: { width, height: HEIGHT },
        colorScheme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await work(page, async (name) => {
        const height = await page.evaluate(() => {
          document.body.style.minBlockSize = '0';
          const { bottom } = (document.querySelector('.foot') ?? document.body).getBoundingClientRect();
          return Math.ceil(bottom);
        });
        const path = join(FOLDER, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height } });
        pictures += 1;
      });
      await context.close();
    }
  }
}

async function takeStates(page: Page, states: readonly PageState[], take: Take): Promise<void> {
  for (const { name, path } of states) {
    if (!name.includes(only)) continue;
    await page.goto(path);
    await take(name);
  }
}

async function takeHands(page: Page, take: Take): Promise<void> {
  const width = page.viewportSize()?.width ?? 0;
  for (const { name, path, act } of HANDS) {
    if (!name.includes(only)) continue;
    await page.goto(path);
    await act(page);
    await take(name);
    await page.setViewportSize({ width, height: HEIGHT });
  }
}

async function takeFailures(page: Page, take: Take): Promise<void> {
  for (const [name, file] of Object.entries(FAILURES)) {
    if (!name.includes(only)) continue;
    const body = readFileSync(join(ROOT, 'dist/client', file), 'utf8')
      .replaceAll('__SECONDS__', '23')
      .replaceAll('__INCIDENT__', '0a1b2c3d');
    await page.route('**/broken', (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
    );
    await page.goto('/broken');
    await take(name);
    await page.unroute('**/broken');
  }
}
