/** `/pomoc`: what to do, by what was lost. */
import { expect, it } from 'vitest';
import { plain } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const { path } = await makeDatabase();
const { text } = await (await startTestSite(path)).get('/pomoc');
const main = plain(text.slice(text.indexOf('<main'), text.indexOf('</main>')));

it('comforts first, then leads from each loss to its steps', () => {
  const kinds = /aria-label="Co przepadło">(.*?)<\/nav>/s.exec(main)?.[1] ?? '';
  const targets = [...kinds.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id);
  expect(targets).toHaveLength(6);
  for (const id of targets)
    expect(main).toMatch(new RegExp(`<h3 id="${id}">[^<]+</h3> <ol class="steps"> <li>`));
  expect(main.indexOf('To nie Twoja wina')).toBeLessThan(main.indexOf(kinds));
});

it('shows how to find an ID unfolded', () => {
  expect(main).toContain('<details class="find-id" open>');
});

it('names no number that the settings do not give', () => {
  expect([...main.matchAll(/href="tel:([^"]+)"/g)].map(([, number]) => number)).toEqual(['112']);
  expect(main).not.toMatch(/telefon zaufania|SMS prześlij|Dodaj bota/);
});
