/** A browser over the demo site; every page that a test opens is watched for what may never happen. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { launchBrowser } from '../launch-browser.ts';
import { startDemoSite, type DemoSite, type SitePlan } from '../demo-site.ts';

export const PHONE_WIDTH = 390;

/** A visitor has a phone in light colours that runs scripts, where this says nothing else. */
export interface Look extends BrowserContextOptions {
  readonly width?: number;
  readonly script?: boolean;
}

export const DESK: Look = { width: 1280 };

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Complaints of the browser and requests to other hosts since the visitor came. */
  readonly troubles: string[];
}

type Run = (visitor: Visitor) => Promise<void>;

/** Call at the top of a test file: the site and the browser live as long as its tests. */
export function useDemoSite(plan?: SitePlan) {
  let site: DemoSite;
  let browser: Browser;
  const open = async ({ width = PHONE_WIDTH, script = true, ...options }: Look = {}): Promise<Visitor> => {
    const context = await browser.newContext({
      baseURL: site.origin,
      viewport: { width, height: width < 500 ? 660 : 800 },
      colorScheme: 'light',
      javaScriptEnabled: script,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    const page = await context.newPage();
    return { page, context, troubles: watch(context, page, options.baseURL ?? site.origin) };
  };
  beforeAll(async () => {
    [site, browser] = await Promise.all([startDemoSite(plan), launchBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });
  return {
    site: () => site,
    open,
    /** Defines a test with a visitor of its own, who meets no trouble. */
    test: (name: string, ...given: [look: Look, run: Run] | [run: Run]): void => {
      const [look, run] = given.length === 1 ? [{}, given[0]] : given;
      it(name, async () => {
        const visitor = await open(look);
        await run(visitor);
        await close(visitor);
      });
    },
  };
}

function watch(context: BrowserContext, page: Page, origin: string): string[] {
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    // Chromium writes a line for a page that rightly answers 404, or that a test made fail.
    if (message.text().startsWith('Failed to load resource')) return;
    troubles.push(`console: ${message.text()}`);
  });
  context.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) troubles.push(`request: ${request.url()}`);
  });
  return troubles;
}

export function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((found) => found === document.activeElement);
}

export async function expectNoOverflow(page: Page): Promise<void> {
  const widths = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }));
  expect(widths.page).toBeLessThanOrEqual(widths.window);
}

export async function close({ context, troubles }: Visitor): Promise<void> {
  expect(troubles).toEqual([]);
  await context.close();
}
