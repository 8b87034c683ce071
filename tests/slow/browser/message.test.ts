// Needs: chromium
/** Reports and appeals are written in the browser: only an ID or the number of an entry leaves it. */
import { describe, expect } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { planDemo } from '../../support/demo-site.ts';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { isFocused, useDemoSite } from '../../support/browser/visit.ts';

const plan = planDemo();
const { site, test } = useDemoSite({
  ...plan,
  settings: {
    ...plan.settings,
    REPORTS_CONTACT: 'zgloszenia@czujka.example',
    APPEALS_CONTACT: 'odwolania@czujka.example',
  },
});
const UNKNOWN_ID = '1100000000000000000';

const idField = (page: Page): Locator => page.getByLabel('ID konta albo serwera');
const copyButton = (page: Page): Locator => page.getByRole('button', { name: 'Kopiuj treść' });

/** The links from step to step. */
const next = (page: Page, name: 'zdarzenie' | 'wyjaśnienie' | 'dowody' | 'wysyłka'): Locator =>
  page.getByRole('link', { name: `Dalej: ${name}` });

async function typeId(page: Page, id: string): Promise<void> {
  await page.goto('/zglos');
  await idField(page).fill(id);
  await page.keyboard.press('Tab');
}

/** Requests of the page from now on, without the favicon, which the browser loads when it likes. */
function watchRequests(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const path = request.url().replace(site().origin, '');
    if (path !== '/favicon.svg') asked.push(path);
  });
  return asked;
}

/** The link to the mail has the text that the page shows. */
async function expectMail(page: Page, address: string, text: string): Promise<void> {
  const link = page.getByRole('link', { name: 'Otwórz w poczcie' });
  const { pathname, searchParams } = new URL((await link.getAttribute('href')) ?? '');
  expect(pathname).toBe(address);
  expect(searchParams.get('body')?.replaceAll('\r\n', '\n')).toBe(text);
}

describe('a report', () => {
  test('is written step by step, shown whole, and sends nothing but the ID', async ({ page }) => {
    await page.goto('/zglos', { waitUntil: 'networkidle' });
    const asked = watchRequests(page);
    const [id, what] = [idField(page), page.getByLabel('Co się stało')];
    await id.fill(UNKNOWN_ID);
    // The answer about the ID moves nothing under the finger.
    await page.getByLabel('Nick albo nazwa').fill('nowy_nick');
    await page.getByText('Tego ID nie ma na żadnej liście.').first().waitFor();
    await next(page, 'zdarzenie').click();
    expect(await id.isVisible()).toBe(false);
    expect(await page.locator('[aria-current=step]:visible').innerText()).toBe('Zdarzenie');
    await page.getByLabel('Przedmiot').check();
    await what.fill('Wpłata 50 zł & cisza?\nDruga linia');
    await page.getByLabel('Kiedy').fill('20 listopada');
    await page.keyboard.press('Enter');
    await page.getByLabel('Co masz na dowód').fill('Zrzut <b>');
    await page.goBack();
    expect(await what.inputValue()).toContain('Druga linia');
    await page.goForward();
    await next(page, 'wysyłka').click();
    const text = (await page.locator('.message pre:visible').textContent()) ?? '';
    expect(text).toBe(
      `ID konta albo serwera:\n${UNKNOWN_ID}\n\nNick albo nazwa:\nnowy_nick\n\nCo przepadło:\nPrzedmiot\n\n` +
        'Co się stało:\nWpłata 50 zł & cisza?\nDruga linia\n\nKiedy:\n20 listopada\n\nCo masz na dowód:\nZrzut <b>\n',
    );
    await expectMail(page, 'zgloszenia@czujka.example', text);
    expect(asked).toEqual([`/?search=${UNKNOWN_ID}`]);
    expect(new URL(page.url()).search).toBe('');
  });

  test('has the button of its first step on the first screen of a phone', async ({ page }) => {
    await page.goto('/zglos');
    const { y = 0, height = 0 } = (await next(page, 'zdarzenie').boundingBox()) ?? {};
    expect(y + height).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(660);
  });

  test('has the words of each step below its circles', async ({ page }) => {
    for (const step of [1, 2, 3, 4]) {
      await page.goto(`/zglos#krok-${step}`);
      const circles = await page.locator('.stepper:visible').boundingBox();
      const words = await page.locator('.stepper:visible + p').boundingBox();
      expect(words?.y).toBeGreaterThanOrEqual((circles?.y ?? Infinity) + (circles?.height ?? 0));
    }
  });

  test('shows the entry that there is already', async ({ page }) => {
    await typeId(page, `<@${DEMO_IDS.listed}>`);
    const link = page.getByRole('link', { name: 'Zobacz wpis' });
    await link.waitFor();
    const title = 'To konto ma potwierdzone zgłoszenie';
    expect(await page.locator('.message .notice').textContent()).toMatch(new RegExp(`^${title}\\.`));
    const [shown] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await shown.waitForLoadState();
    expect(await shown.locator('h1').textContent()).toContain(title);
    expect(await idField(page).inputValue()).toBe(`<@${DEMO_IDS.listed}>`);
  });

  test('waits for the look-up, and shows the entry in the next step', async ({ page }) => {
    await page.goto('/zglos');
    const answer = await page.request.get(`/?search=${DEMO_IDS.listed}`);
    await page.route('**/?search=*', (route) => route.fulfill({ response: answer }));
    await idField(page).fill(DEMO_IDS.listed);
    await page.keyboard.press('Enter');
    await page.getByLabel('Co się stało').waitFor();
    expect(await page.getByRole('link', { name: 'Zobacz wpis' }).isVisible()).toBe(true);
  });

  test('does not wait long for the look-up', async ({ page }) => {
    await page.goto('/zglos');
    await page.route('**/?search=*', () => undefined);
    await idField(page).fill(DEMO_IDS.listed);
    await next(page, 'zdarzenie').click();
    await page.getByLabel('Co się stało').waitFor({ timeout: 5_000 });
  });

  for (const [what, typed, status, message] of [
    ['a nick', 'kupskin', undefined, 'To nie wygląda na ID'],
    ['an invitation', 'https://example.gg/abc', undefined, 'To nie wygląda na ID'],
    ['a failing server', UNKNOWN_ID, 500, 'Nie udało się sprawdzić tego ID'],
    ['too many questions', UNKNOWN_ID, 429, 'Nie udało się sprawdzić tego ID'],
    ['a network that wants a login', UNKNOWN_ID, 200, 'Nie udało się sprawdzić tego ID'],
  ] as const)
    test(`says what it could not find out: ${what}`, async ({ page }) => {
      if (status !== undefined)
        await page.route('**/?search=*', (route) => route.fulfill({ status, body: 'Nie ma' }));
      await typeId(page, typed);
      const notice = page.locator('.message .notice', { hasText: message });
      await notice.waitFor();
      expect(await notice.locator('a').count()).toBe(0);
      await idField(page).fill('');
      await page.keyboard.press('Tab');
      await notice.waitFor({ state: 'hidden' });
    });

  test('is copied whole, and not without an ID and what happened', async ({ page }) => {
    await page.goto('/zglos');
    await next(page, 'zdarzenie').click();
    await page.getByText('Podaj ID konta.').waitFor();
    expect(await isFocused(idField(page))).toBe(true);
    await idField(page).fill(UNKNOWN_ID);
    expect(await page.getByText('Podaj ID konta.').count()).toBe(0);
    // A link into the middle leads back to what is missing.
    await page.goto('/zglos#krok-4');
    await copyButton(page).click();
    await page.getByText('Napisz, co się stało.').waitFor();
    expect(await page.getByText('Skopiowano').count()).toBe(0);
    await page.getByLabel('Co się stało').fill('Cisza.');
    await page.getByLabel('Kiedy').fill('wczoraj');
    await next(page, 'dowody').click();
    await next(page, 'wysyłka').click();
    await copyButton(page).click();
    await page.getByText('Skopiowano').first().waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe((await page.locator('.message pre').textContent())?.trim());
    expect(copied).toContain('Kiedy:\nwczoraj');
  });

  test('is text with its headings where no script runs', { script: false }, async ({ page }) => {
    await page.goto('/zglos');
    expect(await page.locator('.message :is(input, textarea, summary):visible').count()).toBe(0);
    expect(await page.locator('.message pre').isVisible()).toBe(true);
    await page.getByText('Skopiuj te punkty do wiadomości i uzupełnij je.').waitFor();
  });
});

describe('an appeal', () => {
  test('begins at the entry, with what one has to say', async ({ page }) => {
    await page.goto(`/?search=${DEMO_IDS.listed}`);
    await page.getByRole('link', { name: 'Odwołaj się' }).click();
    await page.getByRole('heading', { level: 1, name: 'Odwołanie od wpisu' }).waitFor();
    await page.waitForLoadState('networkidle');
    // Headings of what is empty are left out.
    const text = (await page.locator('.message pre').textContent()) ?? '';
    expect(await page.getByLabel('Numer zgłoszenia').count()).toBe(0);
    await next(page, 'dowody').click();
    await page.getByText('Napisz, co się nie zgadza.').waitFor();
    const asked = watchRequests(page);
    await page.getByLabel('Co się nie zgadza').fill('To nie ja.');
    await next(page, 'dowody').click();
    await next(page, 'wysyłka').click();
    await expectMail(page, 'odwolania@czujka.example', `${text}\nCo się nie zgadza:\nTo nie ja.\n`);
    expect(asked).toEqual([]);
    await page.getByRole('link', { name: 'Zmień' }).click();
    await page.getByLabel('Numer zgłoszenia').fill(DEMO_IDS.listed);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Odwołanie od wpisu' }).waitFor();
    expect(await page.locator('.message > .person').isVisible()).toBe(true);
  });

  test('says once that there is no such entry, and goes on then', async ({ page }) => {
    await page.goto('/odwolania', { waitUntil: 'networkidle' });
    const asked = watchRequests(page);
    await page.getByLabel('Numer zgłoszenia').fill('R-0000000000');
    await page.keyboard.press('Enter');
    await page.locator('.message').getByText('Nie znaleźliśmy takiego wpisu.').waitFor();
    expect(await isFocused(page.getByLabel('Numer zgłoszenia'))).toBe(true);
    await next(page, 'wyjaśnienie').click();
    await page.getByLabel('Co się nie zgadza').waitFor();
    expect(asked).toEqual(['/odwolania?nr=R-0000000000']);
  });

  for (const [where, status] of Object.entries({ 'the server breaks': 500, 'a network wants a login': 200 }))
    test(`goes on where ${where}, and says that the entry was not found out`, async ({ page }) => {
      await page.goto('/odwolania');
      await page.route('**/odwolania?nr=*', (route) => route.fulfill({ status, body: 'Nie ma' }));
      await page.getByLabel('Numer zgłoszenia').fill('R-0000000000');
      await next(page, 'wyjaśnienie').click();
      await page.getByLabel('Co się nie zgadza').waitFor();
      expect(await page.getByText('Nie udało się znaleźć wpisu.').first().isVisible()).toBe(true);
    });
});
