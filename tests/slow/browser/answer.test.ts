// Needs: chromium
/** The card of an answer: two columns on a desk, one on a phone, and what can be done with it. */
import { expect } from 'vitest';
import { ANSWER } from '#src/components/check/answer-texts.ts';
import { demoDonationId } from '../../../scripts/sample/demo-donations.ts';
import { DEMO_IDS } from '../../../scripts/sample/demo-records.ts';
import { DESK, useDemoSite } from '../../support/browser/visit.ts';

const { test } = useDemoSite();

const BY_ID = [...Object.values(DEMO_IDS), '1100000000000000000'].map((id) => `/?search=${id}`);
const NO_NICK = '/?search=nikt_taki_nie_istnieje';
const BY_NICK = ['/?search=szybki_handel', NO_NICK];
/** Their texts have 11, 158, 380, 6,400 and 93 characters. */
const LONG_AND_SHORT = [
  '1073037018721518479',
  '376533480656971571',
  '216059984293609623',
  '867207539610419821',
  '496842889849239947',
].map((id) => `/?search=${id}`);
const DONATION = `/donate/${demoDonationId('pending')}`;

test('has its right column on a desk, and the dates below both columns', DESK, async ({ page }) => {
  for (const path of [...BY_ID, NO_NICK, DONATION]) {
    await page.goto(path);
    const card = await page.locator('.answer').boundingBox();
    const side = await page.locator('.answer .side').boundingBox();
    expect(side?.width, path).toBe(352);
    expect((card?.x ?? 0) + (card?.width ?? 0) - (side?.x ?? 0) - 352, path).toBeLessThanOrEqual(2);
    if (BY_ID.slice(0, -1).includes(path)) {
      const last = page.locator('.cols + .facts:has(+ .acts)');
      expect(await last.locator('dt').allTextContents(), path).toEqual(
        expect.arrayContaining([ANSWER.facts.updated, expect.stringMatching(/^Numer /)]),
      );
      expect(await page.locator('.answer time').count(), path).toBeGreaterThan(1);
    }
  }
});

test(
  'has the reason before sharing on a desk, the right column beside the reason, and sharing below both',
  DESK,
  async ({ page }) => {
    await page.goto(BY_ID[0] ?? '');
    const [steps, reason, side, acts] = await Promise.all(
      ['.do', '.why', '.side', '> .acts'].map((part) => page.locator(`.answer ${part}`).boundingBox()),
    );
    const ends = [steps, reason, side, acts].map((box) => Math.round((box?.y ?? 0) + (box?.height ?? 0)));
    expect(ends).toEqual([...ends].sort((one, other) => one - other));
    expect(ends[1]).toBe(ends[2]);
    expect(side?.y).toBeLessThan(steps?.y ?? 0);
  },
);

test('is nowhere empty from the middle on', DESK, async ({ page }) => {
  for (const path of [...BY_ID, NO_NICK, ...LONG_AND_SHORT]) {
    await page.goto(path);
    const filled = await page.locator('.cols').evaluate((columns) => {
      const [, side = 1] = [columns, columns.querySelector('.side')].map((part) => part?.clientHeight);
      const ends = (parts: Iterable<Element>): number =>
        Math.max(...[...parts].map((part) => part.getBoundingClientRect().bottom));
      const { top } = columns.getBoundingClientRect();
      return [
        (ends(columns.querySelectorAll(':is(.do, .cols > .why) > *')) - top) / side,
        (ends(columns.querySelectorAll('.side > *')) - top) / side,
      ];
    });
    for (const part of filled) expect(part, path).toBeGreaterThan(0.5);
  }
});

test('shows the first step on the first screen of a phone, and look-alikes above the reason', async ({
  page,
}) => {
  for (const path of BY_ID) {
    await page.goto(path);
    const step = await page.locator('.steps > li').first().boundingBox();
    expect(step?.y, path).toBeLessThan(660);
  }
  await page.goto(`/?search=${DEMO_IDS.trusted}`);
  const places = ['.steps', '.stage', '.why', '.side'].map((part) => page.locator(part).boundingBox());
  const tops = (await Promise.all(places)).map((box) => box?.y ?? 0);
  expect(tops).toEqual([...tops].sort((one, other) => one - other));
});

test('shows each date under its name on a phone, and copying beside the ID', async ({ page }) => {
  for (const path of BY_ID) {
    await page.goto(path);
    const columns = await page
      .locator('.dates > div')
      .evaluateAll((dates) =>
        dates.map(({ children }) => [...children].map((part) => part.getBoundingClientRect().x)),
      );
    for (const [name, value] of columns) expect(value, path).toBe(name);
    const id = await page.locator('.person .id').boundingBox();
    const copy = await page.locator('.person .copy').boundingBox();
    expect(copy, path).toMatchObject({ width: 44, height: 44 });
    const middle = (id?.y ?? 0) + (id?.height ?? 0) / 2;
    expect(Math.abs((copy?.y ?? 0) + 22 - middle), path).toBeLessThanOrEqual(2);
    expect(id?.height, path).toBeLessThan(34);
  }
});

test('is shared and printed, also one that script has fetched', async ({ page }) => {
  await page.addInitScript(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  for (const path of [...BY_ID, ...BY_NICK]) {
    await page.goto('/');
    await page.locator('#ask').fill(new URL(path, 'http://x').searchParams.get('search') ?? '');
    await page.keyboard.press('Enter');
    const card = page.locator('.answer');
    await card.getByRole('button', { name: ANSWER.share }).click();
    await card.getByRole('button', { name: ANSWER.shared }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^https:\/\/czujka\.example\/./,
    );
    const print = card.getByRole('button', { name: ANSWER.print });
    expect(await print.count(), path).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    // Of no entry, nothing is worth a sheet.
    if ([BY_ID.at(-1), NO_NICK].includes(path)) expect(await print.count(), path).toBe(0);
    else await print.click().then(() => page.locator('body[data-printed]').waitFor());
    await page.setViewportSize({ width: 390, height: 844 });
  }
});
