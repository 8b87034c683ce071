// Needs: chromium
/** The pictures of a proofs page: opened large by keyboard and hand, and reachable without script. */
import { describe, expect } from 'vitest';
import { PROOFS_WITH_IMAGES } from '../../support/page-states.ts';
import { PHONE, useDemoSite } from '../../support/browser/visit.ts';

const { test } = useDemoSite();

describe('the pictures', () => {
  test(
    'open large by keyboard, step by arrows, close by Escape, and the focus goes back',
    PHONE,
    async ({ page }) => {
      await page.goto(PROOFS_WITH_IMAGES.path);
      const link = page.getByRole('link', { name: /^Powiększ dowód.1$/ });
      await link.focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: /^Dowód.1.z.4$/ });
      await dialog.waitFor();
      const focused = (): Promise<string | null> =>
        page.evaluate(() => document.activeElement?.textContent ?? null);
      expect((await focused())?.trim()).toBe('Zamknij');
      const image = page.locator('dialog img');
      expect(await image.getAttribute('alt')).toBe('Ogłoszenie na kanale handlowym, 19 listopada');
      await image.evaluate((element: HTMLImageElement) => element.decode());
      expect(await page.getByRole('button', { name: 'Poprzedni' }).isDisabled()).toBe(true);
      await page.keyboard.press('ArrowRight');
      await page.getByRole('dialog', { name: /^Dowód.2.z.4$/ }).waitFor();
      expect(await page.getByRole('button', { name: 'Następny' }).isDisabled()).toBe(true);
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowLeft');
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'hidden' });
      expect(await link.evaluate((element) => element === document.activeElement)).toBe(true);
    },
  );

  test(
    'open by a click on the picture, and a click beside it closes',
    { width: 1280, colorScheme: 'dark', script: true },
    async ({ page }) => {
      await page.goto(PROOFS_WITH_IMAGES.path);
      await page.locator('.proof figure > a').nth(1).click();
      await page.getByRole('dialog', { name: /^Dowód.2.z.4$/ }).waitFor();
      await page.getByRole('button', { name: 'Poprzedni' }).click();
      await page.getByRole('dialog', { name: /^Dowód.1.z.4$/ }).waitFor();
      await page.getByRole('button', { name: 'Zamknij' }).click();
      await page.locator('dialog').waitFor({ state: 'hidden' });
    },
  );

  test(
    'are as wide as a phone, then as large as they are, with the controls in one line',
    PHONE,
    async ({ page }) => {
      await page.goto(PROOFS_WITH_IMAGES.path);
      await page.locator('.enlarge').first().click();
      const image = page.locator('dialog img');
      await image.evaluate((element: HTMLImageElement) => element.decode());
      expect(Math.round((await image.boundingBox())?.width ?? 0)).toBe(PHONE.width);
      const lines = await page.locator('.viewer-bar > *').evaluateAll((parts) =>
        parts.map((part) => {
          const { top, bottom } = part.getBoundingClientRect();
          return Math.round((top + bottom) / 2);
        }),
      );
      expect(new Set(lines).size).toBe(1);
      await page.getByRole('button', { name: 'Powiększ' }).click();
      expect((await image.boundingBox())?.width).toBe(Number(await image.getAttribute('width')));
      const place = page.getByRole('region', { name: 'Obraz' });
      await place.focus();
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => place.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
      await page.getByRole('button', { name: 'Zmniejsz' }).click();
      expect(Math.round((await image.boundingBox())?.width ?? 0)).toBe(PHONE.width);
    },
  );

  test('grow under two fingers', PHONE, async ({ page }) => {
    const device = await page.context().newCDPSession(page);
    await device.send('Emulation.setDeviceMetricsOverride', {
      width: PHONE.width,
      height: 800,
      deviceScaleFactor: 2,
      mobile: true,
    });
    await device.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await page.goto(PROOFS_WITH_IMAGES.path);
    await page.locator('.enlarge').first().click();
    await page.locator('dialog img').evaluate((element: HTMLImageElement) => element.decode());
    const scale = (): Promise<number> => page.evaluate(() => visualViewport?.scale ?? 0);
    expect(await scale()).toBe(1);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart = 0) =>
      device.send('Input.dispatchTouchEvent', {
        type,
        touchPoints:
          type === 'touchEnd'
            ? []
            : [-apart, apart].map((from, id) => ({ x: PHONE.width / 2 + from, y: 400, id })),
      });
    await touch('touchStart', 30);
    for (let apart = 35; apart <= 90; apart += 5) await touch('touchMove', apart);
    await touch('touchEnd');
    await expect.poll(scale).toBeGreaterThan(1.5);
  });

  test('are links to their files without script', { ...PHONE, script: false }, async ({ page }) => {
    await page.goto(PROOFS_WITH_IMAGES.path);
    const address = await page.locator('.enlarge').first().getAttribute('href');
    const answer = await page.request.get(address ?? '');
    expect(answer.status()).toBe(200);
    expect(answer.headers()['content-type']).toBe('image/webp');
    expect(await page.locator('dialog').isVisible()).toBe(false);
  });
});
