// Needs: chromium
/** The pictures of a proofs page: opened large by keyboard and hand. */
import { expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { PROOFS_WITH_IMAGES } from '../../support/page-states.ts';
import { DESK, PHONE_WIDTH, isFocused, useDemoSite, type Look } from '../../support/browser/visit.ts';

const { test } = useDemoSite();

const button = (page: Page, name: string): Locator => page.getByRole('button', { name });
const untilOpen = (page: Page, picture: 1 | 2): Promise<void> =>
  page.getByRole('dialog', { name: `Zrzut ${picture} z 2: ` }).waitFor();
const untilClosed = (page: Page): Promise<void> => page.locator('dialog').waitFor({ state: 'hidden' });

async function enlargeFirst(page: Page): Promise<Locator> {
  await page.goto(PROOFS_WITH_IMAGES.path);
  await page.locator('.proof picture').first().click();
  const image = page.locator('dialog img');
  await image.evaluate((element: HTMLImageElement) => element.decode());
  return image;
}

test('open large by keyboard, step, close by Escape, and the focus goes back', async ({ page }) => {
  await page.goto(PROOFS_WITH_IMAGES.path);
  const link = page.getByRole('link', { name: /^Ogłoszenie na kanale/ });
  await link.focus();
  await page.keyboard.press('Enter');
  await untilOpen(page, 1);
  expect(await isFocused(button(page, 'Zamknij'))).toBe(true);
  const image = page.locator('dialog img');
  expect(await image.getAttribute('alt')).toBe('Ogłoszenie na kanale handlowym, 19 listopada');
  await page.keyboard.press('ArrowLeft');
  await untilOpen(page, 2);
  await page.keyboard.press('ArrowRight');
  await untilOpen(page, 1);
  await page.keyboard.press('Escape');
  await untilClosed(page);
  expect(await isFocused(link)).toBe(true);
});

const desk: Look = { ...DESK, colorScheme: 'dark' };
test('open and close by clicks', desk, async ({ page }) => {
  await page.goto(PROOFS_WITH_IMAGES.path);
  await page.locator('.proof picture').nth(1).click();
  await untilOpen(page, 2);
  // The whole picture is seen, though it is higher than the window.
  const [picture, place] = [page.locator('dialog img'), page.getByRole('region', { name: 'Obraz' })];
  await picture.evaluate((element: HTMLImageElement) => element.decode());
  expect((await picture.boundingBox())?.height).toBe((await place.boundingBox())?.height);
  expect(await place.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  await button(page, 'Poprzedni').click();
  await untilOpen(page, 1);
  await button(page, 'Zamknij').click();
  await untilClosed(page);
});

test('stand whole in the width of their column, and no higher than 560 px', desk, async ({ page }) => {
  await page.goto(PROOFS_WITH_IMAGES.path);
  const images = page.locator('.proof img');
  const shown = await images.evaluateAll((all: HTMLImageElement[]) =>
    Promise.all(
      all.map(async (image) => {
        image.loading = 'eager';
        await image.decode();
        const { width, height } = image.getBoundingClientRect();
        const [wide = 0, high = 0] = ['width', 'height'].map((name) => Number(image.getAttribute(name)));
        const isWhole = Math.abs(width / height - wide / high) < 0.02;
        // No ground shows beside it.
        return {
          isWhole,
          isLow: height <= 560,
          fills: image.closest('a')?.offsetWidth === image.offsetWidth,
        };
      }),
    ),
  );
  expect(shown).toEqual(shown.map(() => ({ isWhole: true, isLow: true, fills: true })));
});

test('stand whole in the width of a phone, above what enlarges them', async ({ page }) => {
  await page.goto(PROOFS_WITH_IMAGES.path);
  const card = await page
    .locator('.proof')
    .first()
    .evaluate((element) => element.clientWidth);
  const image = page.locator('.proof img').first();
  expect(await image.evaluate((element: HTMLElement) => element.offsetWidth)).toBe(card);
  const { height = 0 } = (await page.getByRole('link', { name: 'Powiększ dowód 1' }).boundingBox()) ?? {};
  expect(height).toBeGreaterThanOrEqual(44);
});

test('are as wide as a phone, then large enough to be read, with one line of controls', async ({ page }) => {
  const image = await enlargeFirst(page);
  const width = async (): Promise<number> => Math.round((await image.boundingBox())?.width ?? 0);
  expect(await width()).toBe(PHONE_WIDTH);
  const lines = await page.locator('.viewer-bar > *').evaluateAll((parts) =>
    parts.map((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return Math.round((top + bottom) / 2);
    }),
  );
  expect(new Set(lines).size).toBe(1);
  await button(page, 'Powiększ').click();
  expect(await width()).toBe(760);
  const place = page.getByRole('region', { name: 'Obraz' });
  await place.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => place.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
  await button(page, 'Dopasuj').click();
  expect(await width()).toBe(PHONE_WIDTH);
});

test('grow under two fingers', async ({ page }) => {
  const device = await page.context().newCDPSession(page);
  await device.send('Emulation.setDeviceMetricsOverride', {
    width: PHONE_WIDTH,
    height: 800,
    deviceScaleFactor: 2,
    mobile: true,
  });
  await device.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await enlargeFirst(page);
  const scale = (): Promise<number> => page.evaluate(() => visualViewport?.scale ?? 0);
  expect(await scale()).toBe(1);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...places: readonly number[]) =>
    device.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: places.map((x, id) => ({ x: PHONE_WIDTH / 2 + x, y: 400, id })),
    });
  await touch('touchStart', -30, 30);
  for (let apart = 35; apart <= 90; apart += 5) await touch('touchMove', -apart, apart);
  await touch('touchEnd');
  await expect.poll(scale).toBeGreaterThan(1.5);
});
