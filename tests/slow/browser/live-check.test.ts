// Needs: chromium
/** The check by script: what is typed, pasted and answered, on the way back too, and when it fails. */
import { describe, expect } from 'vitest';
import { ANSWER } from '#src/components/check/answer-texts.ts';
import { CHECK } from '#src/components/check/check-texts.ts';
import { openDatabase } from '#src/db/database.ts';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import type { Page } from 'playwright-core';
import { removeEntry } from '../../support/change-log.ts';
import { DESK, isFocused, useDemoSite } from '../../support/browser/visit.ts';

const { site, test } = useDemoSite();

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
  test('moves nothing on a desk, and covers no link of the head', DESK, async ({ page }) => {
    await page.goto('/');
    const places = () =>
      Promise.all(
        ['#ask', 'h1', '.lighthouse', '.tasks'].map((part) => page.locator(part).first().boundingBox()),
      );
    const before = await places();
    await page.locator('#ask').pressSequentially('kupskin');
    await page.locator('.hits > li').first().waitFor();
    expect(await places()).toEqual(before);
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key);
    expect(await isFocused(page.locator('.hits a').first())).toBe(true);
    await page.keyboard.press('ArrowUp');
    expect(await isFocused(page.locator('#ask'))).toBe(true);
    await page.locator('.nav a').first().click({ trial: true, timeout: 2_000 });
  });

  test('shows entries with similar names or the same ID, and no verdict', async ({ page }) => {
    await page.goto('/');
    const place = () => page.locator('#ask').boundingBox();
    await page.locator('#ask').pressSequentially('k');
    const before = await place();
    await page.locator('#ask').pressSequentially('upskin');
    await page.getByRole('list', { name: /wpisy na listach zgłoszonych$/ }).waitFor();
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

  test('answers a whole ID that is pasted or typed', async ({ page }) => {
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

  test('answers a mention, a link and a number of a report as they are pasted', async ({ page }) => {
    for (const text of [`<@!${DEMO_IDS.listed}>`, `hej, ID: ${DEMO_IDS.listed} pilne`, 'r-ba06dy3yq0']) {
      await page.goto('/');
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await page.locator('#ask').focus();
      await page.keyboard.press('Control+V');
      await page.locator('#wynik', { hasText: 'potwierdzone zgłoszenie' }).waitFor();
    }
  });

  test('says that a pasted text was cut, also inside of an ID', async ({ page }) => {
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

  test('asks again for an ID that it has asked for, which the browser has kept', async ({ page }) => {
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

  test('asks again for a page that the browser shows again on the way back', async ({ page }) => {
    const id = '899704853800443221';
    await page.goto(`/?search=${id}`);
    await page.getByRole('heading', { level: 1, name: ANSWER.title('stop', 'scammers') }).waitFor();
    await page.goto('/pomoc');
    await remove(id);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: ANSWER.title('none', undefined) }).waitFor();
  });

  test('shows no account of a removed entry when its appeal is opened again', async ({ page }) => {
    const id = '1406295335239218696';
    await page.goto(`/odwolania?nr=${id}`);
    await page.locator('.person').waitFor();
    await page.goto('/pomoc');
    await remove(id);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Odwołania' }).waitFor();
    expect(await page.locator('.person').count()).toBe(0);
  });

  test('takes an old verdict away with the first keystroke', async ({ page }) => {
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

const FINGERS = { isMobile: true, hasTouch: true };
test('leaves the screen of a phone to the field once a finger touches it', FINGERS, async ({ page }) => {
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
});

describe('an answer fetched by script', () => {
  test('is the answer that the address gives, with working copy buttons', async ({ page }) => {
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

  test('returns to the form by Back', async ({ page }) => {
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

  test('shows the answer of its address after Back and Forward, also when answers are slow', async ({
    page,
  }) => {
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
  });

  test('has the page of a removed report again on the way back, and no old verdict meanwhile', async ({
    page,
  }) => {
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
  });

  test('puts the focus into the field when the question is wrong', async ({ page }) => {
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
  test('is no answer when the server breaks or the limit is used up', async ({ page }) => {
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

  test('says so when there is no connection, and asks again', async ({ page, context }) => {
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
