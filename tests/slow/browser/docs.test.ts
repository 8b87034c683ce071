// Needs: chromium
/** The documentation says what the interface answers, and its forms work with a script and without. */
import { expect, it } from 'vitest';
import type { ApiDocument } from '#src/http/openapi.ts';
import { DESK, useDemoSite } from '../../support/browser/visit.ts';

const { site, test } = useDemoSite();
const UNSCRIPTED = { ...DESK, script: false };

/** Measured anew each time. */
const CHANGING = new Set(['latencyMs', 'checkedAt', 'dataAt', 'updatedAt']);
/** Their examples are of hashes and times that no two databases share. */
const NOT_COMPARED = [
  '/api/status/history',
  '/api/changes',
  '/api/donate/status',
  '/snapshots/manifest.json',
];

/** Answers of endpoints that the table names only. */
const FOR_MACHINES = ['Health', 'Readiness', 'ApiDescription'];

const readDocument = async (): Promise<ApiDocument> =>
  (await (await fetch(`${site().origin}/openapi.json`)).json()) as ApiDocument;

function withoutChanging(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => (CHANGING.has(key) && value !== null ? '' : value));
}

it('shows answers that the interface gives', async () => {
  let compared = 0;
  for (const [path, { get }] of Object.entries((await readDocument()).paths)) {
    const given = get.responses['200'];
    const content = given && 'content' in given ? given.content?.['application/json'] : undefined;
    if (NOT_COMPARED.includes(path)) continue;
    for (const { summary = '', value } of Object.values(content?.examples ?? {})) {
      const answer = await (await fetch(site().origin + summary.replace('GET ', ''))).text();
      expect(withoutChanging(answer), summary).toEqual(withoutChanging(JSON.stringify(value)));
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(5);
});

test('has every endpoint, parameter and field of the document', DESK, async ({ page }) => {
  await page.goto('/docs');
  const document = await readDocument();
  const text = (await page.locator('main').textContent()) ?? '';
  for (const [path, { get }] of Object.entries(document.paths)) {
    expect(text).toContain(path);
    for (const { name } of get.parameters ?? []) expect(text).toContain(name);
  }
  for (const [name, { properties = {} }] of Object.entries(document.components.schemas))
    for (const [field, { enum: values = [] }] of Object.entries(properties))
      if (!FOR_MACHINES.includes(name)) for (const word of [field, ...values]) expect(text).toContain(word);
});

for (const path of ['/docs', '/docs/en'])
  test(`unfolds on ${path} what the contents lead to, without a script`, UNSCRIPTED, async ({ page }) => {
    await page.goto(path);
    const body = page.getByRole('group', { name: '/api/changes', exact: true });
    expect(await body.isVisible()).toBe(false);
    await page.locator('.contents').getByRole('link', { name: '/api/changes', exact: true }).click();
    expect(await body.isVisible()).toBe(true);
    // Its name is on the screen, too.
    const { y = -1 } =
      (await page.locator('details[open] > summary', { hasText: '/api/changes' }).boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
  });

test('opens an answer without a script', UNSCRIPTED, async ({ page }) => {
  await page.goto('/docs#check');
  await page.locator('form[action="/api/check"] button').click();
  expect(new URL(page.url()).pathname).toBe('/api/check');
  expect(await page.locator('body').innerText()).toContain('"kupskin"');
});

test('shows an answer in place with a script', DESK, async ({ page }) => {
  const form = page.locator('form[action="/api/check"]');
  await page.goto('/docs#check');
  await form.locator('[name=id]').fill('1');
  await form.locator('button').click();
  await form.getByText(/^200 · \d+ ms$/).waitFor();
  expect(await form.locator('pre').innerText()).toMatch(/RateLimit-Limit: 1000[^]*"results": \[\]/);
  await form.locator('[name=id]').fill('');
  await form.locator('button').click();
  await form.getByText(/^400 · /).waitFor();
  expect(await form.locator('pre').innerText()).toContain('Podaj nick albo ID.');
  expect(page.url()).toMatch(/\/docs#check$/);
});

test('remembers the language of the examples, and copies what it shows', DESK, async ({ page }) => {
  await page.goto('/docs');
  const python = page.locator('[data-language=Python] pre');
  const shown = () => Promise.all([0, 1].map((at) => python.nth(at).isVisible()));
  expect(await shown()).toEqual([false, false]);
  await page.getByText('Python', { exact: true }).first().click();
  expect(await shown()).toEqual([true, true]);
  await page.getByRole('button', { name: 'Kopiuj: Zapytanie: Python' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^import json/);
  await page.reload();
  expect(await shown()).toEqual([true, true]);
});
