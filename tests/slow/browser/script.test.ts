// Needs: chromium
/** What script adds, and that the page is whole when it fails. */
import { describe, expect, it } from 'vitest';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { close, useDemoSite } from '../../support/browser/visit.ts';
import type { Look } from '../../support/browser/visit.ts';

const { open, site } = useDemoSite();
const PHONE: Look = { width: 390, colorScheme: 'light', script: true };

describe('while somebody types', () => {
  it('shows entries with similar names, and no verdict', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto('/');
    await page.locator('#ask').pressSequentially('kupskin');
    await page.getByRole('heading', { level: 2, name: /^Na listach: \d+ podobn/ }).waitFor();
    expect(await page.locator('.live .rows > li').count()).toBeGreaterThan(1);
    expect(await page.locator('#wynik').count()).toBe(0);
    expect(new URL(page.url()).search).toBe('');
    await page.locator('#status', { hasText: /na listach/ }).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    expect(await page.locator('.live').textContent()).toBe('');
    expect(await page.locator('#ask').inputValue()).toBe('kupskin');
    await close(visitor);
  });

  it('does not say "no entry" before the question is asked', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto('/');
    await page.locator('#ask').pressSequentially('qqxxyy');
    await page.locator('.live', { hasText: 'Na razie nic podobnego.' }).waitFor();
    expect(await page.locator('body').textContent()).not.toContain('Nie ma na żadnej liście');
    await close(visitor);
  });

  it('says that a whole ID has an entry, and leaves the verdict to Enter', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto('/');
    await page.locator('#ask').fill(DEMO_IDS.risk);
    await page.locator('.live', { hasText: 'Na listach jest wpis z tym ID.' }).waitFor();
    expect(await page.locator('#wynik').count()).toBe(0);
    await close(visitor);
  });

  it('takes an old verdict away with the first keystroke', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto(`/?search=${DEMO_IDS.listed}`);
    await page.locator('#wynik').waitFor();
    await page.locator('#ask').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    expect(await page.locator('#wynik').count()).toBe(0);
    expect(await page.locator('h1').textContent()).toContain('Sprawdź, zanim zapłacisz');
    expect(await page.title()).toContain('Sprawdź, zanim zapłacisz');
    await close(visitor);
  });
});

describe('an answer fetched by script', () => {
  it('is the answer that the address gives, with working copy buttons', async () => {
    const visitor = await open(PHONE, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = visitor;
    await page.goto('/');
    await page.locator('#ask').fill(`<@${DEMO_IDS.listed}>`);
    await page.keyboard.press('Enter');
    await page.locator('#wynik').waitFor();
    const fetched = await page.locator('main').innerText();
    const button = page.getByRole('button', { name: /^Kopiuj ID/ });
    await button.click();
    await page.locator('.copy', { hasText: 'Skopiowano' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(DEMO_IDS.listed);
    expect(await page.locator('#status').textContent()).toBe('Skopiowano');
    await page.reload();
    const stand = /Stan z .*/g;
    expect((await page.locator('main').innerText()).replace(stand, '')).toBe(fetched.replace(stand, ''));
    await close(visitor);
  });

  it('returns to the form by Back', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto('/');
    await page.locator('#ask').fill(DEMO_IDS.trusted);
    await page.keyboard.press('Enter');
    await page.locator('#wynik').waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Sprawdź, zanim zapłacisz' }).waitFor();
    const field = page.locator('#ask');
    expect(await field.inputValue()).toBe(DEMO_IDS.trusted);
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.goForward();
    await page.locator('#wynik').waitFor();
    expect(await page.locator('#wynik').evaluate((element) => element === document.activeElement)).toBe(true);
    await close(visitor);
  });

  it('puts the focus into the field when the question is wrong', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto('/');
    await page.getByRole('button', { name: 'Sprawdź' }).click();
    await page.locator('#ask[aria-invalid=true]').waitFor();
    expect(await page.locator('#ask').evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await page.locator('#ask-error').textContent()).toContain('Wpisz');
    await close(visitor);
  });
});

describe('a check that fails', () => {
  it.each([
    {
      name: 'the server breaks',
      answer: { status: 500 },
      words: 'Nie udało się sprawdzić. To nie jest wynik sprawdzenia.',
    },
    {
      name: 'the limit is used up',
      answer: { status: 429, headers: { 'Retry-After': '23' } },
      words: 'Za dużo zapytań. Spróbuj ponownie za 23 s. To nie jest wynik sprawdzenia.',
    },
  ])('is no answer: $name', async ({ answer, words }) => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto(`/?search=${DEMO_IDS.listed}`);
    await page.route('**/?search=*', (route) => route.fulfill({ ...answer, body: '' }));
    await page.locator('#ask').fill(DEMO_IDS.risk);
    await page.keyboard.press('Enter');
    const box = page.locator('.notice[data-kind=error]');
    await box.waitFor();
    expect((await box.innerText()).replaceAll('\u00a0', ' ')).toContain(words);
    expect(await page.locator('#wynik, .answer').count()).toBe(0);
    expect(await page.locator('#ask').inputValue()).toBe(DEMO_IDS.risk);
    await close(visitor);
  });

  it('says so when there is no connection, and asks again', async () => {
    const visitor = await open(PHONE);
    const { page, context } = visitor;
    await page.goto('/');
    await context.setOffline(true);
    await page.locator('#ask').fill(DEMO_IDS.risk);
    await page.keyboard.press('Enter');
    await page.locator('.notice', { hasText: 'Brak połączenia.' }).waitFor();
    await context.setOffline(false);
    await page.getByRole('link', { name: 'Sprawdź ponownie' }).click();
    await page.getByRole('heading', { name: 'To ID jest na liście ryzyka' }).waitFor();
    await close(visitor);
  });
});

describe('small things', () => {
  it('selects the ID when the clipboard refuses', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto('/scammers');
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', {
        value: { writeText: () => Promise.reject(new Error()) },
      });
    });
    const row = page.locator('.rows > li').first();
    await row.getByRole('button').click();
    const shown = (await row.locator('.id').textContent())?.trim();
    expect(await page.evaluate(() => getSelection()?.toString().replace(/\s/g, ''))).toBe(shown);
    await page.locator('#status', { hasText: 'Zaznaczono. Skopiuj ręcznie.' }).waitFor({ state: 'attached' });
    await close(visitor);
  });

  it('remembers the theme from the first painted frame on', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto('/');
    const ground = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await ground();
    await page.getByLabel('Ciemny').check();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.goto('/scammers', { waitUntil: 'commit' });
    await page.locator('html[data-theme=dark]').waitFor();
    expect(await ground()).toBe(dark);
    await page.waitForLoadState();
    await page.getByLabel('Systemowy').check();
    await page.reload();
    expect(await ground()).toBe(light);
    await close(visitor);
  });

  it('closes an open menu by Esc and gives the focus back', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto('/scammers');
    const menu = page.locator('.menu:visible', { hasText: 'Kolejność' });
    await menu.locator('summary').click();
    await menu.getByRole('link').first().focus();
    await page.keyboard.press('Escape');
    expect(await menu.getAttribute('open')).toBeNull();
    expect(await menu.locator('summary').evaluate((summary) => summary === document.activeElement)).toBe(
      true,
    );
    await close(visitor);
  });

  it('leads by keyboard: skip link, sign, navigation, field', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto('/');
    const stops: (string | null)[] = [];
    for (let stop = 0; stop < 7; stop += 1) {
      await page.keyboard.press('Tab');
      stops.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute('href') ?? document.activeElement?.id ?? null,
        ),
      );
    }
    expect(stops).toEqual(['#tresc', '/', '/', '/scammers', '/servers', '/legit', 'ask']);
    await close(visitor);
  });

  it('keeps IDs whole when they are selected', async () => {
    const visitor = await open(PHONE);
    const { page } = visitor;
    await page.goto(`${site().origin}/?search=${DEMO_IDS.listed}`);
    const selected = await page.evaluate(() => {
      const id = document.querySelector('.answer .id');
      if (id) getSelection()?.selectAllChildren(id);
      return getSelection()?.toString();
    });
    expect(selected).toBe(DEMO_IDS.listed);
    await close(visitor);
  });
});

describe('avatars that do not come', () => {
  it.each([`/?search=${DEMO_IDS.listed}`, '/scammers'])(
    'leave their ground, no broken image: %s',
    async (path) => {
      const visitor = await open(PHONE);
      const { page } = visitor;
      await page.route('**/api/chat/avatar/**', (route) =>
        route.fulfill({ contentType: 'text/html', body: 'x' }),
      );
      await page.goto(path);
      const ground = page.locator('span.avatar').first();
      await ground.waitFor();
      expect(await ground.boundingBox()).toMatchObject({ width: 48, height: 48 });
      await close(visitor);
    },
  );
});
