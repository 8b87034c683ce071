/** The visitors' journeys, click by click. */
import { expect } from 'vitest';
import { ANSWER } from '#src/components/check/answer-texts.ts';
import { CHECK } from '#src/components/check/check-texts.ts';
import { NICK_ANSWER } from '#src/components/check/nick-answer-texts.ts';
import { LISTS } from '#src/components/list/lists-texts.ts';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { expectNoOverflow, isFocused, type Look, type useDemoSite } from './visit.ts';

const LISTED = ANSWER.title('stop', 'scammers');

export function describeJourneys(test: ReturnType<typeof useDemoSite>['test'], look: Look = {}): void {
  test('check an ID: the sentence, what to do, where to go after paying', look, async ({ page }) => {
    await page.goto('/');
    await page.getByLabel(CHECK.label).fill(DEMO_IDS.listed);
    await page.keyboard.press('Enter');
    const title = page.getByRole('heading', { level: 1, name: LISTED });
    await title.waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe(DEMO_IDS.listed);
    expect(await page.title()).toMatch(new RegExp(`^${LISTED}`));
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.locator('.answer').getAttribute('data-role')).toBe('stop');
    expect(await page.locator('.steps li').first().textContent()).toContain('Zablokuj rozmówcę');
    // The verdict, and the ID to compare, stand on the first screen of a phone.
    const id = await page.locator('.answer .id-line').first().boundingBox();
    if (look.width === undefined) expect((id?.y ?? 0) + (id?.height ?? 0)).toBeLessThanOrEqual(660);
    if (look.script !== false) expect(await isFocused(title)).toBe(true);
    await expectNoOverflow(page);
    await page.getByRole('link', { name: 'Zobacz, co zrobić' }).click();
    await page.getByRole('heading', { name: 'Pieniądze albo konto już przepadły?' }).waitFor();
    expect(page.url()).toMatch(/\/pomoc#po-wplacie$/);
  });

  test(
    'check a nick: rows to compare, then the ID decides; back and forward keep both',
    look,
    async ({ page }) => {
      await page.goto('/');
      await page.getByLabel(CHECK.label).fill('Lis_Posrednlk');
      await page.getByRole('button', { name: 'Sprawdź' }).click();
      const ofNick = NICK_ANSWER.same('stop', 1, 'accounts', false, false);
      await page.getByRole('heading', { level: 1, name: ofNick }).waitFor();
      expect(await page.locator('.answer').textContent()).toContain(
        NICK_ANSWER.lead('accounts', 1, 1, true).replaceAll('*', ''),
      );
      // The one above is of the trusted person whose nick looks like it.
      await page.locator('.answer').getByRole('link', { name: LISTS.seeEntry }).first().click();
      await page.getByRole('heading', { level: 1, name: LISTED }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { level: 1, name: ofNick }).waitFor();
      expect(await page.locator('#ask').inputValue()).toBe('Lis_Posrednlk');
      await page.goForward();
      await page.getByRole('heading', { level: 1, name: LISTED }).waitFor();
    },
  );

  test('browse and filter, back and forward: every state is an address', look, async ({ page }) => {
    await page.goto('/scammers');
    const count = page.locator('.count h2');
    const all = await count.textContent();
    await page.getByRole('link', { name: 'Niepotwierdzone', exact: true }).click();
    await page.waitForURL(/status=risk/);
    expect(await page.locator('.rows > li:not([data-role=warn])').count()).toBe(0);
    await page.locator('.menu:visible summary', { hasText: 'Kolejność' }).click();
    await page.locator('.menu:visible').getByRole('link', { name: 'A–Ż' }).click();
    await page.waitForURL(/sort=az/);
    expect(page.url()).toContain('status=risk');
    const first = await page.locator('.rows h3').first().textContent();
    await page.locator('.pager').getByRole('link', { name: LISTS.pager.next }).click();
    await page.waitForURL(/skip=30/);
    expect(await page.locator('.rows h3').first().textContent()).not.toBe(first);
    await expectNoOverflow(page);
    await page.goBack();
    expect(await page.locator('.rows h3').first().textContent()).toBe(first);
    await page.goForward();
    await page.waitForURL(/skip=30/);
    await page.locator('.filters > ul').getByRole('link', { name: LISTS.status.all }).click();
    await page.waitForURL((url) => url.search === '?sort=az');
    expect(await count.textContent()).toBe(all);
  });

  test('find myself and appeal: search, whole entry, report number, appeals', look, async ({ page }) => {
    await page.goto('/scammers');
    await page.getByLabel(LISTS.searchLabel('scammers')).fill('ZamówieniaOdRęki');
    await page.getByRole('button', { name: 'Szukaj' }).click();
    await page.getByRole('link', { name: LISTS.seeEntry }).click();
    await page.getByRole('heading', { name: 'Skąd wzięła się sprawa' }).waitFor();
    expect(await page.locator('.facts').textContent()).toMatch(/Numer zgłoszenia\s*R-[0-9A-Z]{10}/);
    const aside = page.locator('.side');
    expect(await aside.textContent()).toContain('To Twoje konto?');
    await expectNoOverflow(page);
    await aside.getByRole('link', { name: 'Odwołaj się' }).click();
    await page.getByRole('heading', { level: 1, name: /^Odwołanie od wpisu/ }).waitFor();
  });
}
