/**
 * `npm run screenshots`: a picture of every page in every state, on a phone and a desk, light and dark, in the ignored
 * folder screenshots/; one of them is the README's. The site has to be built; the demo's entries are in a database of
 * their own.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { buildIfNeeded } from './build.ts';
import { startChatPlatform } from './demo/chat-platform.ts';
import { planDemo, startDemoSite } from './gallery/demo-site.ts';
import type { DemoSite } from './gallery/demo-site.ts';
import { renderFailures } from './gallery/failures.ts';
import { launchBrowser } from './gallery/launch-browser.ts';
import {
  PAGE_STATES,
  PAGES_WITH_FACES,
  PROOFS_WITH_IMAGES,
  UNWATCHED_STATES,
} from './gallery/page-states.ts';
import type { PageState } from './gallery/page-states.ts';
import { STATUS_STATES } from './gallery/status-states.ts';
import { DEMO_IDS, demoRecords } from './sample/demo-records.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'screenshots');
/** The picture that the README shows; it is in the repository. */
const README_PICTURE = {
  shows: 'check-listed-1280-light',
  path: join(ROOT, 'tests/pictures/check-answer.png'),
  height: 560,
} as const;
const WIDTHS = [390, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Rows of lists are drawn when they come near the window: taller than any page but the API's. */
const HEIGHT = 9_000;
/** Two calls each, of the 40 a second that a site may make. */
const AVATAR_EVERY_MS = 60;

/** A state that somebody's hand makes. */
interface Hand {
  readonly name: string;
  readonly path: string;
  readonly act: (page: Page) => Promise<void>;
}

/** Avatars that do not arrive leave their place empty. */
const WITHOUT_AVATARS: Hand = {
  name: 'faces-lost',
  path: '/scammers',
  act: async (page) => {
    await page.route('**/api/chat/avatar/**', (route) => route.abort());
    await page.reload({ waitUntil: 'networkidle' });
    await page.unroute('**/api/chat/avatar/**');
  },
};

const HANDS: readonly Hand[] = [
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
    name: 'status-table',
    path: '/status',
    act: async (page) => {
      await page.locator('.part summary').first().click();
    },
  },
  {
    name: 'status-stale',
    path: '/status',
    act: async (page) => {
      await page.clock.install();
      await page.goto('/status');
      await page.route('**/status', (route) => route.fulfill({ status: 500, body: '' }));
      await page.clock.runFor(30_000);
      await page.getByRole('heading', { name: 'Brak świeżych danych' }).waitFor();
      await page.unroute('**/status');
      await page.clock.resume();
    },
  },
  {
    name: 'text-zglos-filled',
    path: '/zglos',
    act: async (page) => {
      await page.getByLabel('ID konta').fill(DEMO_IDS.listed);
      await page.getByLabel('Nick albo nazwa').fill('kupskin_24');
      await page.getByLabel('Co się stało').fill('Zaliczka 120 zł za doładowanie. Po wpłacie cisza.');
      await page.getByRole('link', { name: 'Zobacz wpis' }).waitFor();
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

/** Sites of their own: one for each state of the status page, and one on which accounts have pictures. */
interface Gallery {
  readonly states: readonly PageState[];
  readonly start: () => Promise<DemoSite>;
  readonly hands?: readonly Hand[];
  /** Pages of a failing server, which no site shows. */
  readonly failures?: typeof renderFailures;
}

const GALLERIES: readonly Gallery[] = [
  { states: PAGE_STATES, start: () => startDemoSite(), hands: HANDS, failures: renderFailures },
  { states: PAGES_WITH_FACES, start: startSiteWithFaces, hands: [WITHOUT_AVATARS] },
  ...(['behind', 'never'] as const).map((looks) => ({
    states: UNWATCHED_STATES[looks],
    start: () => startDemoSite(planDemo(looks)),
  })),
  ...Object.entries(STATUS_STATES).map(([name, plan]) => ({
    states: [{ name, path: '/status' }],
    start: () => startDemoSite(plan),
  })),
];

/** Every picture is asked for beforehand, no faster than the platform is, so that the gallery is the same each time. */
async function startSiteWithFaces(): Promise<DemoSite> {
  const platform = await startChatPlatform();
  const plan = planDemo();
  const site = await startDemoSite({ ...plan, settings: { ...plan.settings, ...platform.settings } });
  for (const list of ['scammers', 'legit'] as const) {
    for (const { id } of demoRecords(list)) {
      await fetch(`${site.origin}/api/chat/avatar/${id}`);
      await sleep(AVATAR_EVERY_MS);
    }
  }
  return {
    ...site,
    async close() {
      await site.close();
      platform.close();
    },
  };
}

buildIfNeeded();
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const only = process.argv[2] ?? '';
const isWanted = ({ name }: { readonly name: string }): boolean => name.includes(only);
const browser = await launchBrowser();
let pictures = 0;

async function photograph(
  site: DemoSite,
  gallery: Gallery,
  failures: Awaited<ReturnType<typeof renderFailures>>,
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
      const take = async (name: string): Promise<void> => {
        const height = await page.evaluate(() => {
          document.body.style.minBlockSize = '0';
          const { bottom } = (document.querySelector('.foot') ?? document.body).getBoundingClientRect();
          return Math.ceil(bottom);
        });
        const shows = `${name}-${width}-${colorScheme}`;
        const path = join(FOLDER, `${shows}.png`);
        await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height } });
        if (shows === README_PICTURE.shows)
          await page.screenshot({
            path: README_PICTURE.path,
            clip: { x: 0, y: 0, width, height: README_PICTURE.height },
          });
        pictures += 1;
      };
      for (const { name, path } of gallery.states.filter(isWanted)) {
        await page.goto(path, { waitUntil: 'networkidle' });
        await take(name);
      }
      for (const { name, path, act } of (gallery.hands ?? []).filter(isWanted)) {
        await page.goto(path);
        await act(page);
        await take(name);
        await page.setViewportSize({ width, height: HEIGHT });
      }
      for (const { name, html: body } of failures.filter(isWanted)) {
        await page.route('**/broken', (route) =>
          route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
        );
        await page.goto('/broken');
        await take(name);
        await page.unroute('**/broken');
      }
      await context.close();
    }
  }
}

try {
  for (const gallery of GALLERIES) {
    const failures = (await gallery.failures?.()) ?? [];
    const named = [...gallery.states, ...(gallery.hands ?? []), ...failures];
    if (!named.some(isWanted)) continue;
    const site = await gallery.start();
    try {
      await photograph(site, gallery, failures);
    } finally {
      await site.close();
    }
  }
} finally {
  await browser.close();
}
process.stdout.write(`${pictures} pictures in screenshots/\n`);
