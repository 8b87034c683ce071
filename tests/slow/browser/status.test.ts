// Needs: chromium
/** The status page renews itself, keeps what is open, and says when it is old. */
import { expect } from 'vitest';
import { useDemoSite } from '../../support/browser/visit.ts';

const { site, test } = useDemoSite();
const LOOK = { width: 1280, colorScheme: 'light', script: true } as const;

test(
  'puts what is new in its place, announces another word, and keeps tables open',
  LOOK,
  async ({ page }) => {
    await page.clock.install();
    await page.goto('/status');
    await page.locator('summary').first().click();
    const body = await (await fetch(`${site().origin}/status`)).text();
    await page.route('**/status', (route) =>
      route.fulfill({
        contentType: 'text/html; charset=utf-8',
        body: body
          .replaceAll('Częściowo działa', 'Wszystko działa')
          .replace(/nie działa<\/p>/, 'działa, 5&nbsp;ms</p>'),
      }),
    );
    await page.clock.runFor(15_000);
    await page.getByRole('heading', { level: 1, name: 'Wszystko działa' }).waitFor();
    expect(await page.title()).toMatch(/^Wszystko działa/);
    expect(await page.locator('#status').textContent()).toBe('Wszystko działa');
    expect(await page.locator('details').first().getAttribute('open')).not.toBeNull();
    expect(await page.locator('[data-live=chat_platform] .part > p').textContent()).toContain('5');
  },
);

test('says after two failures that it is old, and recovers', LOOK, async ({ page }) => {
  await page.clock.install();
  await page.goto('/status');
  await page.route('**/status', (route) => route.fulfill({ status: 500, body: '' }));
  await page.clock.runFor(15_000);
  await page.clock.runFor(15_000);
  await page.getByRole('heading', { level: 1, name: 'Brak świeżych danych' }).waitFor();
  expect(await page.title()).toMatch(/^Brak świeżych danych –/);
  expect(await page.locator('[data-live=overall] p').textContent()).toContain(
    'Ta strona może być nieaktualna.',
  );
  await page.unroute('**/status');
  await page.clock.runFor(15_000);
  await page.getByRole('heading', { level: 1, name: 'Częściowo działa' }).waitFor();
});

test('is whole without script, with a link to renew it', { ...LOOK, script: false }, async ({ page }) => {
  await page.goto('/status');
  expect(await page.locator('h1').textContent()).toContain('Częściowo działa');
  await page.getByRole('link', { name: 'Odśwież' }).click();
  expect(new URL(page.url()).pathname).toBe('/status');
  expect(await page.getByText('Ta strona odświeża się sama').isVisible()).toBe(false);
  expect(await page.locator('svg[role=img]').count()).toBe(3 + 5);
});
