// Needs: chromium
/** Scripts add comfort, and pages are whole when scripts fail. */
import { expect } from 'vitest';
import { FOOTER } from '#src/components/layout/navigation-texts.ts';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { isFocused, useDemoSite } from '../../support/browser/visit.ts';

const { test } = useDemoSite();

const MOVING = { reducedMotion: 'no-preference' } as const;
test('lets the row that was followed become the card of its answer', MOVING, async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener('pagereveal', (event) => {
      void event.viewTransition?.ready.then(() => {
        const effects = document.getAnimations().map(({ effect }) => effect as KeyframeEffect);
        const { dataset } = document.documentElement;
        dataset['moving'] = effects.map(({ pseudoElement }) => pseudoElement).join(' ');
      });
    });
  });
  await page.goto('/scammers');
  await page.locator('.row-link').nth(1).click();
  const moving = page.locator('html[data-moving]');
  await moving.waitFor({ state: 'attached' });
  const parts = await moving.getAttribute('data-moving');
  expect(parts).toContain('group(answer)');
  // Nothing fades, so that no text lies on another and no ground shines through.
  expect(parts).not.toMatch(/(old|new)\(/);
});

test('has nick and badge at the same places in every row, and a copy button for fingers beside the ID', async ({
  page,
}) => {
  await page.goto('/scammers');
  const places = await page.locator('.row').evaluateAll((rows) =>
    rows.map((row) => {
      const boxOf = (part: string) => row.querySelector(part)?.getBoundingClientRect() ?? new DOMRect();
      const [id, copy] = [boxOf('.id'), boxOf('.copy')];
      const isBeside = copy.x - id.right <= 16 && Math.abs(copy.y + 22 - id.y - id.height / 2) <= 2;
      return JSON.stringify([
        ...['.avatar', 'h3', '.badge'].map((part) => boxOf(part).x),
        { width: copy.width, height: copy.height, isBeside },
      ]);
    }),
  );
  expect(places).toHaveLength(30);
  expect([...new Set(places)]).toEqual([expect.stringContaining('"width":44,"height":44,"isBeside":true')]);
});

for (const clipboard of ['refuses', 'is missing, as without HTTPS'])
  test(`has the ID and the link to copy by hand when the clipboard ${clipboard}`, async ({ page }) => {
    await page.addInitScript((isThere) => {
      const refusing = { writeText: () => Promise.reject(new Error()) };
      Object.defineProperty(navigator, 'clipboard', { value: isThere ? refusing : undefined });
    }, clipboard === 'refuses');
    await page.goto(`/?search=${DEMO_IDS.listed}`);
    const share = page.locator('[data-share]');
    const address = new URL((await share.getAttribute('data-share')) ?? '').pathname;
    await share.evaluate((button, path) => button.setAttribute('data-share', path), address);
    await share.click();
    await page.waitForURL(`**${address}`);
    await page.goto('/scammers');
    const row = page.locator('.rows > li').first();
    await row.getByRole('button').click();
    const shown = (await row.locator('.id').textContent())?.trim();
    expect(await page.evaluate(() => getSelection()?.toString().replace(/\s/g, ''))).toBe(shown);
    await page.locator('#status', { hasText: 'Zaznaczono. Skopiuj ręcznie.' }).waitFor({ state: 'attached' });
  });

test('remembers the theme from the first painted frame on', async ({ page }) => {
  await page.goto('/');
  const ground = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.getByLabel(FOOTER.theme[0]).selectOption(FOOTER.themes.dark[0]);
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.goto('/scammers', { waitUntil: 'commit' });
  await page.locator('html[data-theme=dark]').waitFor();
  expect(await ground()).toBe(dark);
  await page.waitForLoadState();
  await page.getByLabel(FOOTER.theme[0]).selectOption(FOOTER.themes.system[0]);
  await page.reload();
  expect(await ground()).toBe(light);
});

test('closes an open menu by Esc and gives the focus back', async ({ page }) => {
  await page.goto('/scammers');
  const menu = page.locator('.menu:visible', { hasText: 'Kolejność' });
  await menu.locator('summary').click();
  await menu.getByRole('link').first().focus();
  await page.keyboard.press('Escape');
  expect(await menu.getAttribute('open')).toBeNull();
  expect(await isFocused(menu.locator('summary'))).toBe(true);
});

test('leads by keyboard: skip link, sign, navigation, field', async ({ page }) => {
  await page.goto('/');
  const skip = page.locator('.skip').first();
  await skip.focus();
  await skip.click({ trial: true });
  await page.reload();
  const stops: (string | null)[] = [];
  for (let stop = 0; stop < 6; stop += 1) {
    await page.keyboard.press('Tab');
    stops.push(
      await page.evaluate(
        () => document.activeElement?.getAttribute('href') ?? document.activeElement?.id ?? null,
      ),
    );
  }
  expect(stops).toEqual(['#tresc', '/', '/scammers', '/legit', '/pomoc', 'ask']);
});

test('keeps nicks and IDs whole when they are selected, framed ones too', async ({ page }) => {
  await page.goto(`/?search=${DEMO_IDS.trusted}`);
  const select = (part: string) =>
    page.evaluate((selector) => {
      const parts = [...document.querySelectorAll(selector)];
      return parts.map((one) => {
        getSelection()?.selectAllChildren(one);
        return getSelection()?.toString().trim();
      });
    }, part);
  expect(await select('.answer .id:not(.unseen)')).toEqual([
    DEMO_IDS.trusted,
    DEMO_IDS.trusted,
    '1228899107513245741',
  ]);
  const nicks = '.stage p:has(.nick)';
  expect(await select(nicks)).toEqual(['Lis_Posrednik', 'Lis_Posrednlk']);
  const heard = await Promise.all((await page.locator(nicks).all()).map((nick) => nick.ariaSnapshot()));
  expect(heard).toEqual(['- paragraph: Lis_Posrednik', '- paragraph: Lis_Posrednlk']);
});

test('avatars that do not come leave the letter, no broken image', async ({ page }) => {
  await page.route('**/api/chat/avatar/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: 'x' }),
  );
  for (const [path, size] of [
    [`/?search=${DEMO_IDS.listed}`, 56],
    ['/scammers', 48],
  ] as const) {
    await page.goto(path);
    const ground = page.locator('.avatar').first();
    expect(await ground.boundingBox()).toMatchObject({ width: size, height: size });
    const nick = (await page.locator('.answer .nick, .row .nick').first().textContent())?.trim();
    expect(nick).toMatch(/^\p{L}/u);
    expect(await ground.textContent()).toBe(nick?.[0]);
    expect(await ground.locator('img').boundingBox()).toMatchObject({ width: 0, height: 0 });
  }
});
