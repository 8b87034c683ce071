/**
 * `npm run screenshots`: the main pages on a phone and a desk, light and dark, in the ignored folder screenshots/, and
 * the two pictures of the README. An argument limits it to the states with that word in their name.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { buildIfNeeded } from '../scripts/build.ts';
import { startDemoSite } from './support/demo-site.ts';
import { renderFailures } from './support/failures.ts';
import { launchBrowser } from './support/launch-browser.ts';
import { PAGE_STATES } from './support/page-states.ts';

const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'screenshots');
const README_PICTURES = [
  { shows: 'check-listed-1280-light', file: 'check-answer.png', height: 640 },
  { shows: 'list-scammers-390-light', file: 'list-phone.png', height: 844 },
] as const;
const README_FOLDER = join(ROOT, 'tests/pictures');
const MAIN_STATES = (
  'check check-listed check-risk check-trusted check-server check-none check-nick-similar list-scammers ' +
  'list-scammers-filtered list-scammers-empty list-servers list-legit list-entry-long proofs-many ' +
  'donation-pending donation-confirming donation-forwarded donate status text-pomoc text-docs error-404'
).split(' ');
const WIDTHS = [390, 1280] as const;
const SCHEMES = ['light', 'dark'] as const;
/** Taller than any page but the API's, because rows of lists are drawn when they come near the window. */
const HEIGHT = 9_000;

buildIfNeeded();
rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const isWanted = ({ name }: { readonly name: string }): boolean => name.includes(process.argv[2] ?? '');
const states = PAGE_STATES.filter((state) => MAIN_STATES.includes(state.name) && isWanted(state));
const failures = (await renderFailures()).filter(isWanted);
const browser = await launchBrowser();
const site = await startDemoSite();
let pictures = 0;

async function take(page: Page, shows: string, width: number): Promise<void> {
  const height = await page.evaluate(() => {
    document.body.style.minBlockSize = '0';
    const { bottom } = (document.querySelector('.foot') ?? document.body).getBoundingClientRect();
    return Math.ceil(bottom);
  });
  const clip = { x: 0, y: 0, width, height };
  await page.screenshot({ path: join(FOLDER, `${shows}.png`), fullPage: true, clip });
  const wanted = README_PICTURES.find((picture) => picture.shows === shows);
  if (wanted)
    await page.screenshot({
      path: join(README_FOLDER, wanted.file),
      clip: { ...clip, height: wanted.height },
    });
  pictures += 1;
}

try {
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const context = await browser.newContext({
        baseURL: site.origin,
        viewport: { width, height: HEIGHT },
        colorScheme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      for (const { name, path } of states) {
        await page.goto(path, { waitUntil: 'networkidle' });
        await take(page, `${name}-${width}-${colorScheme}`, width);
      }
      for (const { name, html } of failures) {
        await page.route('**/broken', (route) =>
          route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }),
        );
        await page.goto('/broken');
        await take(page, `${name}-${width}-${colorScheme}`, width);
        await page.unroute('**/broken');
      }
      await context.close();
    }
  }
} finally {
  await site.close();
  await browser.close();
}
process.stdout.write(`${pictures} pictures in screenshots/\n`);
