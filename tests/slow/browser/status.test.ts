// Needs: chromium
import type { Route } from 'playwright-core';
import { expect } from 'vitest';
import { STATUS } from '#src/components/status/status-texts.ts';
import { DESK, PHONE_WIDTH, useDemoSite } from '../../support/browser/visit.ts';

const { site, test } = useDemoSite();

test('puts what is new in its place and announces another word', DESK, async ({ page }) => {
  await page.clock.install();
  await page.goto('/status');
  const body = await (await fetch(`${site().origin}/status`)).text();
  await page.route('**/status', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: body.replaceAll(STATUS.overall.partly, STATUS.overall.good).replace(`: ${STATUS.health.bad}`, ''),
    }),
  );
  await page.clock.runFor(15_000);
  await page.getByRole('heading', { level: 1, name: STATUS.overall.good }).waitFor();
  expect(await page.title()).toContain(`${STATUS.overall.good} –`);
  expect(await page.locator('#status').textContent()).toBe(STATUS.overall.good);
  expect(await page.locator('[data-live=chat_platform] h3').textContent()).not.toContain(STATUS.health.bad);
});

const FAILURES: [string, (route: Route) => unknown][] = [
  ['a failing server', (route) => route.fulfill({ status: 500, body: '' })],
  ['a server that never answers', () => {}],
  ['the login page of a network', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Hotel' })],
];
for (const [name, answer] of FAILURES)
  test(`says after ${name} twice that it is old, and recovers`, DESK, async ({ page }) => {
    await page.clock.install();
    await page.goto('/status');
    await page.route('**/status', answer);
    await page.clock.runFor(45_000);
    await page.getByRole('heading', { level: 1, name: 'Brak świeżych danych' }).waitFor();
    expect(await page.title()).toMatch(/^Brak świeżych danych –/);
    expect(await page.locator('[data-live=overall] p').textContent()).toContain(
      'Ta strona może być nieaktualna.',
    );
    await page.unroute('**/status');
    await page.clock.runFor(15_000);
    await page.getByRole('heading', { level: 1, name: STATUS.overall.partly }).waitFor();
  });

test('is whole without script, with a link to renew it', { ...DESK, script: false }, async ({ page }) => {
  await page.goto('/status');
  expect(await page.locator('h1').textContent()).toContain(STATUS.overall.partly);
  await page.getByRole('link', { name: 'Odśwież' }).click();
  expect(new URL(page.url()).pathname).toBe('/status');
  expect(await page.getByText('Ta strona odświeża się sama').isVisible()).toBe(false);
  expect(await page.locator('[role=img]').count()).toBe(5);
});

test('shows on phones the same days as on a desk, which the percent is of, as wide as the row', async ({
  page,
}) => {
  await page.goto('/status');
  const [name, bars] = await Promise.all(
    ['.part h3', '.bars'].map((part) => page.locator(part).first().boundingBox()),
  );
  expect(bars?.x).toBe(name?.x);
  expect(bars?.width).toBe(PHONE_WIDTH - 2 * (name?.x ?? 0));
  // Two halves, one below the other.
  for (const half of [0, 1]) {
    const { x, width } = (await page.locator('.bars svg').nth(half).boundingBox()) ?? {};
    expect([x, width]).toEqual([bars?.x, bars?.width]);
  }
  expect(await page.getByText(STATUS.bars.bad, { exact: true }).isVisible()).toBe(true);
});

test('says only of what does not work how it is, and of all how long they worked', DESK, async ({ page }) => {
  await page.goto('/status');
  const names = await page.locator('.part h3').allInnerTexts();
  expect(names.filter((name) => name.includes(':')).map((name) => name.trim())).toEqual([
    'Sieć Litecoin: działa wolno',
    'Platforma czatu: nie działa',
    'Usługa ochrony: niepodłączona',
    'Publiczny bot ochrony: uruchamia się',
    'Bot ochrony dla administracji: niepodłączony',
  ]);
  expect(await page.locator('.part > p').first().textContent()).toMatch(/%$/);
});
