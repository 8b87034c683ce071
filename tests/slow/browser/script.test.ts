// Needs: chromium
/** Scripts add comfort, and pages are whole when scripts fail. */
import { describe, expect, it } from 'vitest';
import { ANSWER } from '#src/components/check/answer-texts.ts';
import { CHECK } from '#src/components/check/check-texts.ts';
import { FOOTER } from '#src/components/layout/navigation-texts.ts';
import { openDatabase } from '#src/db/database.ts';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import type { Page } from 'playwright-core';
import { removeEntry } from '../../support/change-log.ts';
import { close, isFocused, PHONE, useDemoSite } from '../../support/browser/visit.ts';

const { site, test, open } = useDemoSite();

async function check(page: Page, text: string): Promise<void> {
  await page.goto('/');
  await page.locator('#ask').fill(text);
  await page.keyboard.press('Enter');
}

/** Resolves when the site no longer has it. */
async function remove(id: string): Promise<void> {
  using db = openDatabase(site().databasePath, 'write', { mustExist: true });
  expect(removeEntry(db, 'scammers', id, 'appeal', Date.now())).toBe(true);
  const askServer = async () => (await fetch(`${site().origin}/api/check?id=${id}`)).text();
  await expect.poll(askServer).toBe('{"results":[]}');
}

const readClipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

describe('while somebody types', () => {
  test('shows entries with similar names or the same ID, and no verdict', PHONE, async ({ page }) => {
    await page.goto('/');
    const place = () => page.locator('#ask').boundingBox();
    await page.locator('#ask').pressSequentially('k');
    const before = await place();
    await page.locator('#ask').pressSequentially('upskin');
    await page.getByRole('list', { name: /wpisy na listach$/ }).waitFor();
    // The field moves once, with the first letter, and hits stay until others come.
    await page.locator('#ask').press('_');
    expect(await page.locator('.hits > li').count()).toBeGreaterThan(1);
    expect(await place()).toEqual(before);
    expect(await page.locator('#wynik').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('');
    await page.locator('#status', { hasText: /na listach/ }).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    expect(await page.locator('.live').textContent()).toBe('');
    expect(await page.locator('#ask').inputValue()).toBe('kupskin_');
    // It only resembles one.
    await page.locator('#ask').fill('Lis_Posredn1k');
    await page.getByRole('list', { name: /^Ten nick przypomina/ }).waitFor();
    await page.locator('#ask').fill('qqxxyy');
    await page.locator('.live', { hasText: CHECK.live.nothing }).waitFor();
    expect(await place()).toEqual(before);
    expect(await page.locator('body').textContent()).not.toContain(ANSWER.title('none', undefined));
  });

  test('answers a whole ID that is pasted or typed', PHONE, async ({ page }) => {
    await page.goto('/');
    const field = page.locator('#ask');
    await page.evaluate((id) => navigator.clipboard.writeText(id), DEMO_IDS.risk);
    // Seen only where fingers point.
    await page.locator('.paste', { hasText: CHECK.paste }).dispatchEvent('click');
    await page.getByRole('heading', { level: 1, name: ANSWER.title('warn', 'scammers') }).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe(DEMO_IDS.risk);
    await field.fill(DEMO_IDS.listed);
    await page.getByRole('heading', { level: 1, name: ANSWER.title('stop', 'scammers') }).waitFor();
    // A visitor who types may go on.
    expect(await isFocused(field)).toBe(true);
    expect(await field.inputValue()).toBe(DEMO_IDS.listed);
  });

  test('answers a mention, a link and a number of a report as they are pasted', PHONE, async ({ page }) => {
    for (const text of [`<@!${DEMO_IDS.listed}>`, `hej, ID: ${DEMO_IDS.listed} pilne`, 'r-ba06dy3yq0']) {
      await page.goto('/');
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await page.locator('#ask').focus();
      await page.keyboard.press('Control+V');
      await page.locator('#wynik', { hasText: 'potwierdzone zgłoszenie' }).waitFor();
    }
  });

  test('says that a pasted text was cut, also inside of an ID', PHONE, async ({ page }) => {
    await page.goto('/');
    await page.evaluate(
      (copied) => navigator.clipboard.writeText(copied),
      ` ${'a '.repeat(41)}${DEMO_IDS.listed}`,
    );
    await page.locator('#ask').focus();
    await page.keyboard.press('Control+V');
    await page.locator('.notice', { hasText: CHECK.cut }).waitFor();
    expect(await page.locator('#wynik').count()).toBe(0);
  });

  test('asks again for an ID that it has asked for, which the browser has kept', PHONE, async ({ page }) => {
    const id = '1032772169896386306';
    const ask = async (verdict: 'stop' | 'none'): Promise<void> => {
      await check(page, id);
      const name = ANSWER.title(verdict, verdict === 'stop' ? 'scammers' : undefined);
      await page.getByRole('heading', { level: 1, name }).waitFor();
    };
    await ask('stop');
    await remove(id);
    await ask('none');
  });

  test('asks again for a page that the browser shows again on the way back', PHONE, async ({ page }) => {
    const id = '899704853800443221';
    await page.goto(`/?search=${id}`);
    await page.getByRole('heading', { level: 1, name: ANSWER.title('stop', 'scammers') }).waitFor();
    await page.goto('/pomoc');
    await remove(id);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: ANSWER.title('none', undefined) }).waitFor();
  });

  test('takes an old verdict away with the first keystroke', PHONE, async ({ page }) => {
    await page.goto(`/?search=${DEMO_IDS.listed}`);
    await page.locator('#wynik').waitFor();
    await page.locator('#ask').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    expect(await page.locator('#wynik').count()).toBe(0);
    expect(await page.locator('h1').textContent()).toContain(CHECK.title);
    expect(await page.title()).toContain(CHECK.title);
  });
});

it('leaves the screen of a phone to the field once a finger touches it', async () => {
  const there = await open(PHONE, { isMobile: true, hasTouch: true });
  const { page } = there;
  await page.goto('/');
  const field = page.locator('#ask');
  await page.getByRole('button', { name: 'Sprawdź' }).tap();
  await page.locator('#ask-error').waitFor();
  await page.goto('/');
  await field.tap();
  const before = await field.boundingBox();
  expect(before?.y).toBeLessThan(120);
  await page.keyboard.type('kup');
  await page.locator('.hits > li').nth(2).waitFor();
  // The keyboard leaves 400 px.
  const hits = await page.locator('.hits').boundingBox();
  expect((hits?.y ?? 0) + (hits?.height ?? 400)).toBeLessThanOrEqual(400);
  // Nothing moves under the finger.
  expect(await field.boundingBox()).toEqual(before);
  await field.fill('');
  await field.blur();
  await page.waitForFunction(
    (y) => (document.querySelector('#ask')?.getBoundingClientRect().y ?? 0) > y,
    before?.y ?? 0,
  );
  await field.fill('kup');
  await page.getByRole('button', { name: 'Sprawdź' }).tap();
  await page.locator('#wynik').waitFor();
  await close(there);
});

it('lets the row that was followed become the card of its answer', async () => {
  const there = await open(PHONE, { reducedMotion: 'no-preference' });
  const { page } = there;
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
  for (const part of ['answer', 'ask']) expect(parts).toContain(`group(${part})`);
  // Nothing fades, so that no text lies on another and no ground shines through.
  expect(parts).not.toMatch(/(old|new)\(/);
  await close(there);
});

describe('an answer fetched by script', () => {
  test('is the answer that the address gives, with working copy buttons', PHONE, async ({ page }) => {
    await check(page, `<@${DEMO_IDS.listed}>`);
    await page.locator('#wynik').waitFor();
    const fetched = await page.locator('main').innerText();
    await page.getByRole('button', { name: /^Kopiuj ID/ }).click();
    await page.locator('.copy', { hasText: '✓' }).waitFor();
    expect(await readClipboard(page)).toBe(DEMO_IDS.listed);
    expect(await page.locator('#status').textContent()).toBe('Skopiowano');
    await page.reload();
    const stand = /stan na [\d:]+/gi;
    expect((await page.locator('main').innerText()).replace(stand, '')).toBe(fetched.replace(stand, ''));
  });

  test('returns to the form by Back', PHONE, async ({ page }) => {
    await check(page, DEMO_IDS.trusted);
    const [field, answer] = [page.locator('#ask'), page.locator('#wynik')];
    await answer.waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: CHECK.title }).waitFor();
    expect(await field.inputValue()).toBe(DEMO_IDS.trusted);
    expect(await isFocused(field)).toBe(true);
    await page.goForward();
    await answer.waitFor();
    expect(await isFocused(answer)).toBe(true);
  });

  test(
    'shows the answer of its address after Back and Forward, also when answers are slow',
    PHONE,
    async ({ page }) => {
      const answer = page.locator('#wynik', { hasText: ANSWER.title('none', undefined) });
      await check(page, DEMO_IDS.listed);
      await page.locator('#wynik').waitFor();
      await page.locator('#ask').fill('999999999999999999');
      await page.keyboard.press('Enter');
      await answer.waitFor();
      // It never comes.
      await page.route('**/?search=*', () => {});
      const asked = page.waitForRequest('**/?search=*');
      await page.goBack();
      await asked;
      const aborted = page.waitForEvent('requestfailed');
      await page.goForward();
      await aborted;
      expect(await answer.count()).toBe(1);
    },
  );

  test(
    'has the page of a removed report again on the way back, and no old verdict meanwhile',
    PHONE,
    async ({ page }) => {
      const id = '372351120251303673';
      await page.goto(`/?search=${id}`);
      const address = (await page.locator('a[href^="/wpis/"]').first().getAttribute('href')) ?? '';
      await remove(id);
      await page.goto(address);
      const removed = await page.locator('#wynik').textContent();
      await page.locator('#ask').fill(DEMO_IDS.listed);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: ANSWER.title('stop', 'scammers') }).waitFor();
      const late = Promise.withResolvers<void>();
      await page.route('**/wpis/*', async (route) => {
        await late.promise;
        await route.continue();
      });
      await page.goBack();
      await page.locator('#wynik').waitFor({ state: 'detached' });
      late.resolve();
      await page.locator('#wynik').waitFor();
      expect(await page.locator('#wynik').textContent()).toBe(removed);
    },
  );

  test('puts the focus into the field when the question is wrong', PHONE, async ({ page }) => {
    await page.goto('/');
    const button = page.getByRole('button', { name: 'Sprawdź' });
    const right = await button.boundingBox();
    await button.click();
    await page.locator('#ask[aria-invalid=true]').waitFor();
    // Both stay in one row and keep their widths.
    expect(await button.boundingBox()).toEqual({
      ...right,
      y: (await page.locator('#ask').boundingBox())?.y,
    });
    expect(await isFocused(page.locator('#ask'))).toBe(true);
    expect(await page.locator('#ask-error').textContent()).toContain('Wpisz');
  });
});

describe('a check that fails', () => {
  test('is no answer when the server breaks or the limit is used up', PHONE, async ({ page }) => {
    for (const [answer, words] of [
      [{ status: 500 }, CHECK.live.failed],
      // The page of a network that wants a login.
      [{ status: 200 }, CHECK.live.failed],
      [{ status: 429, headers: { 'Retry-After': '23' } }, CHECK.live.limited.replace('{N}', '23')],
    ] as const) {
      await page.goto(`/?search=${DEMO_IDS.listed}`);
      await page.route('**/?search=*', (route) => route.fulfill({ ...answer, body: '' }));
      await page.locator('#ask').fill(DEMO_IDS.risk);
      await page.keyboard.press('Enter');
      const box = page.locator('.notice[data-kind=error]');
      await box.waitFor();
      expect(await box.innerText()).toContain(words);
      expect(await page.locator('#wynik, .answer').count()).toBe(0);
      expect(await page.locator('#ask').inputValue()).toBe(DEMO_IDS.risk);
      await page.unroute('**/?search=*');
    }
  });

  test('says so when there is no connection, and asks again', PHONE, async ({ page, context }) => {
    await page.goto('/');
    await context.setOffline(true);
    await page.locator('#ask').fill(DEMO_IDS.risk);
    await page.keyboard.press('Enter');
    await page.locator('.notice', { hasText: 'Brak połączenia z internetem.' }).waitFor();
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Sprawdź ponownie' }).click();
    await page.getByRole('heading', { name: ANSWER.title('warn', 'scammers') }).waitFor();
  });
});

describe('small things', () => {
  test(
    'has nick and badge at the same places in every row, and a copy button for fingers beside the ID',
    PHONE,
    async ({ page }) => {
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
      expect([...new Set(places)]).toEqual([
        expect.stringContaining('"width":44,"height":44,"isBeside":true'),
      ]);
    },
  );

  test('has the ID and the link to copy by hand when the clipboard refuses', PHONE, async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: () => Promise.reject(new Error()) },
      });
    });
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

  test('remembers the theme from the first painted frame on', PHONE, async ({ page }) => {
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

  test('closes an open menu by Esc and gives the focus back', PHONE, async ({ page }) => {
    await page.goto('/scammers');
    const menu = page.locator('.menu:visible', { hasText: 'Kolejność' });
    await menu.locator('summary').click();
    await menu.getByRole('link').first().focus();
    await page.keyboard.press('Escape');
    expect(await menu.getAttribute('open')).toBeNull();
    expect(await isFocused(menu.locator('summary'))).toBe(true);
  });

  test('leads by keyboard: skip link, sign, navigation, field', PHONE, async ({ page }) => {
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

  test('keeps nicks and IDs whole when they are selected, framed ones too', PHONE, async ({ page }) => {
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
});

test('avatars that do not come leave the letter, no broken image', PHONE, async ({ page }) => {
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
