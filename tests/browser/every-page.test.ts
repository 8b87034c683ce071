/** Every page in every state: axe-core, the console, other hosts, the width of 320 px, valid HTML. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { HtmlValidate } from 'html-validate';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startDemoSite } from '../support/demo-site.ts';
import { renderFailures } from '../support/failures.ts';
import { HOSTILE_TEXTS, PAGE_STATES } from '../support/page-states.ts';
import { STATUS_STATES } from '../support/status-states.ts';
import { close, expectNoOverflow, useDemoSite } from './support/visit.ts';
import type { Look, Visitor } from './support/visit.ts';

const { open, site } = useDemoSite();

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FAILURES = await renderFailures();

const LOOKS = [
  { width: 390, colorScheme: 'light', script: true },
  { width: 1280, colorScheme: 'dark', script: true },
] as const satisfies Look[];

describe.each(LOOKS)('$width px, $colorScheme', (look) => {
  // Hostile texts change names and numbers, not colours: once is enough.
  const states = PAGE_STATES.filter(({ name }) => look.colorScheme === 'light' || !name.includes('hostile'));

  // One visitor looks at all of them: a window of its own for each costs more than the page.
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await open(look);
  });
  afterAll(() => visitor.context.close());
  afterEach(() => expect(visitor.troubles.splice(0)).toEqual([]));

  it.each(states)('has no fault: $name', async ({ name, path, status = 200 }) => {
    const { page } = visitor;
    const response = await page.goto(path);
    expect(response?.status(), name).toBe(status);
    expect(await violations(page)).toEqual([]);
    await expectNoOverflow(page);
  });

  it.each(FAILURES)('has no fault: $name', async ({ html }) => {
    const { page } = visitor;
    await page.route('**/broken', (route) =>
      route.fulfill({ status: 200, contentType: 'text/html; charset=utf-8', body: html }),
    );
    await page.goto('/broken');
    expect(await violations(page)).toEqual([]);
    await expectNoOverflow(page);
    await page.unroute('**/broken');
  });
});

it.each(Object.entries(STATUS_STATES))('has no fault: %s', async (_name, plan) => {
  const own = await startDemoSite(plan);
  try {
    for (const look of LOOKS) {
      const visitor = await open(look, { baseURL: own.origin });
      expect((await visitor.page.goto('/status'))?.status()).toBe(200);
      expect(await violations(visitor.page)).toEqual([]);
      await expectNoOverflow(visitor.page);
      const html = await visitor.page.content();
      expect(html).not.toMatch(/NaN|Infinity|undefined|Invalid Date/);
      await close(visitor);
    }
  } finally {
    await own.close();
  }
});

it('is never wider than 320 px, also when no script of ours arrives', async () => {
  const visitor = await open({ width: 320, colorScheme: 'dark', script: true });
  await visitor.page.route('**/*.js', (route) => route.abort());
  for (const { path } of PAGE_STATES) {
    await visitor.page.goto(path);
    await expectNoOverflow(visitor.page);
  }
  await visitor.page.goto('/scammers');
  expect(await violations(visitor.page)).toEqual([]);
  await close(visitor);
});

it('is never wider than a phone whose text is twice as large', async () => {
  const visitor = await open({ width: 390, colorScheme: 'light', script: true });
  const { page } = visitor;
  const tooWide: string[] = [];
  for (const { name, path } of PAGE_STATES.filter((state) => !state.name.includes('hostile'))) {
    await page.goto(path);
    const isTooWide = await page.evaluate(() => {
      const { documentElement } = document;
      documentElement.style.setProperty('font-size', '200%');
      return documentElement.scrollWidth > documentElement.clientWidth;
    });
    if (isTooWide) tooWide.push(name);
  }
  expect(tooWide).toEqual([]);
  await close(visitor);
});

it('has no fault while somebody types, with a menu open, with an error of the script', async () => {
  const visitor = await open({ width: 390, colorScheme: 'light', script: true });
  const { page } = visitor;
  await page.goto('/');
  await page.locator('#ask').pressSequentially('kup');
  await page.locator('.live .rows').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.route('**/?search=*', (route) => route.fulfill({ status: 500, body: '' }));
  await page.keyboard.press('Enter');
  await page.locator('.notice').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.goto('/scammers');
  await page.locator('.menu:visible summary').last().click();
  expect(await violations(page)).toEqual([]);
  await close(visitor);
});

it.each(Object.entries(HOSTILE_TEXTS))('shows a hostile search as text: %s', async (_name, text) => {
  const visitor = await open({ width: 320, colorScheme: 'light', script: true });
  const { page } = visitor;
  for (const path of ['/', '/scammers']) {
    await page.goto(`${path}?${new URLSearchParams({ search: text })}`);
    const field = page.locator('main input[name=search]');
    expect([...(await field.inputValue())].length).toBeLessThanOrEqual(100);
    expect(await field.inputValue()).toBe(text.trim());
    expect(await page.locator('main img:not(.avatar), main script:not([src]), main b').count()).toBe(0);
  }
  await close(visitor);
});

it('is valid HTML in every state', async () => {
  const validator = new HtmlValidate({
    extends: ['html-validate:recommended'],
    rules: {
      // Astro writes HTML5 void elements either way, and white space as the template has it.
      'void-style': 'off',
      'no-trailing-whitespace': 'off',
      'doctype-style': 'off',
      // Names of entries stand in titles.
      'long-title': 'off',
      // Same-origin files of the same build.
      'require-sri': 'off',
    },
  });
  const faults: string[] = [];
  const pages = await Promise.all(
    PAGE_STATES.map(async ({ name, path }) => ({
      name,
      html: await (await fetch(site().origin + path)).text(),
    })),
  );
  for (const { name, html } of [...pages, ...FAILURES]) {
    const report = await validator.validateString(html);
    for (const result of report.results) {
      for (const message of result.messages) {
        faults.push(`${name}:${message.line} ${message.ruleId}: ${message.message}`);
      }
    }
  }
  expect(faults).toEqual([]);
});

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const results = await page.evaluate(() =>
    (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run({
      // What is right need not be told of, and no rule that is on reads stylesheets.
      resultTypes: ['violations'],
      preload: false,
    }),
  );
  return results.violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .slice(0, 3)
        .map((node) => node.html.slice(0, 160))
        .join(' | ')}`,
  );
}
