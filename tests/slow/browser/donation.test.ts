// Needs: chromium
/** A donation's page in the hands of a donor: it follows by itself, says what changed, and is whole without script. */
import type { Locator, Page } from 'playwright-core';
import { openDatabase } from '#src/db/database.ts';
import { recordScan } from '#src/donations/monitoring.ts';
import { DONATION } from '#src/components/donation/donation-texts.ts';
import { donatePath } from '#src/paths.ts';
import { afterEach, expect } from 'vitest';
import { planDemo } from '../../support/demo-site.ts';
import { demoDonationId } from '../../../scripts/sample/demo-donations.ts';
import { useDemoSite } from '../../support/browser/visit.ts';

const HALF_AN_HOUR_MS = 30 * 60_000;
const ASK_EVERY_MS = 5_000;
const plan = planDemo();
let lookAgoMs = 0;
const { site, test } = useDemoSite({
  ...plan,
  keepUp(tx) {
    plan.keepUp?.(tx);
    recordScan(tx, Date.now() - lookAgoMs);
  },
});

function look(agoMs: number): void {
  lookAgoMs = agoMs;
  using db = openDatabase(site().databasePath, 'write');
  db.write((tx) => recordScan(tx, Date.now() - agoMs));
}

function change(id: string, facts: string): void {
  using db = openDatabase(site().databasePath, 'write');
  db.statement(`UPDATE donations SET ${facts}, revision = revision + 1 WHERE id = ?`).run(id);
}

/** Lets the page ask until it shows this: an answer may come after the next time was set. */
const untilShown = (page: Page, shown: Locator): Promise<void> =>
  expect
    .poll(async () => {
      await page.clock.runFor(ASK_EVERY_MS);
      return shown.count();
    })
    .toBe(1);

afterEach(() => look(0));

test('asks every five seconds, shows and says each change without loading', async ({ page }) => {
  const id = demoDonationId('confirming');
  const title = (name: string | RegExp): Locator => page.getByRole('heading', { level: 1, name });
  await page.clock.install();
  await page.goto(donatePath(id));
  await page.evaluate(() => {
    (window as unknown as { stays: boolean }).stays = true;
  });
  await title('Sieć potwierdza wpłatę: 2 z 6').waitFor();
  change(id, 'confirmations = 5');
  await page.clock.runFor(ASK_EVERY_MS);
  await title('Sieć potwierdza wpłatę: 5 z 6').waitFor();
  await page.locator('#status', { hasText: 'Sieć potwierdza wpłatę: 5 z 6' }).waitFor({ state: 'attached' });
  change(id, "confirmations = 6, status = 'confirmed'");
  await untilShown(page, title('Wpłata potwierdzona'));
  expect(await page.title()).toMatch(/^Wpłata potwierdzona/);
  change(id, "status = 'forwarded', role_status = 'done'");
  await untilShown(page, title(/^Dziękujemy za /));
  await page.locator('main').getByText('Rola premium jest już na Twoim koncie.').waitFor();
  const server = page.getByRole('link', { name: 'Otwórz serwer' });
  expect(await server.getAttribute('href')).toBe('https://czat.czujka.example');
  expect(await page.getByRole('link', { name: 'Odśwież' }).count()).toBe(0);
  expect(await page.evaluate(() => (window as unknown as { stays?: boolean }).stays)).toBe(true);
});

test('counts down by the clock of the server', async ({ page }) => {
  const countdown = page.locator('[data-countdown]');
  await page.clock.install({ time: Date.now() + HALF_AN_HOUR_MS });
  await page.goto(donatePath(demoDonationId('ending')));
  await page.clock.runFor(2 * ASK_EVERY_MS);
  await countdown.getByText(/^Zostało [56] min$/).waitFor();
});

test('shows and says that it cannot ask', async ({ page }) => {
  await page.clock.install();
  await page.goto(donatePath(demoDonationId('pending')));
  await page.route('**/donate/**', (route) => route.fulfill({ status: 502, body: '' }));
  await page.clock.runFor(70_000);
  await page.locator('[data-lost]', { hasText: DONATION.lost }).waitFor();
  await page.locator('#status', { hasText: DONATION.lost }).waitFor({ state: 'attached' });
});

test('is whole without script', { script: false }, async ({ page }) => {
  await page.goto(donatePath(demoDonationId('pending')));
  expect(await page.getByRole('link', { name: 'Otwórz w portfelu' }).getAttribute('href')).toMatch(
    /^litecoin:rltc1q\w+\?amount=0\.125$/,
  );
  expect(await page.getByRole('img', { name: /^Kod QR/ }).isVisible()).toBe(true);
  expect(await page.locator('.copy:visible').count()).toBe(0);
  await page.getByRole('link', { name: 'Odśwież' }).click();
  await page.getByRole('heading', { level: 1, name: 'Czekamy na wpłatę' }).waitFor();
});

test('says when nothing watches the chain, and takes it back, without loading', async ({ page }) => {
  const hasText = 'nie mamy świeżych danych z sieci Litecoin';
  const notice = page.locator('.answer .notice', { hasText });
  const promise = page.locator('main').getByText('Wpłatę i tak zobaczymy.');
  look(HALF_AN_HOUR_MS);
  await page.clock.install();
  await page.goto(donatePath(demoDonationId('pending')));
  await notice.waitFor();
  expect(await promise.count()).toBe(0);
  look(0);
  await untilShown(page, promise);
  expect(await notice.count()).toBe(0);
  look(HALF_AN_HOUR_MS);
  await untilShown(page, notice);
  await page.locator('#status', { hasText }).waitFor({ state: 'attached' });
});
