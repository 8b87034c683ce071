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
    expect(main).toMatch(
      new RegExp(`Najpierw</span>.+</summary> ?<ol id="${id}" class="steps" start="2"> ?<li>`),
    );
  expect(main.indexOf('To nie Twoja wina')).toBeLessThan(main.indexOf(kinds));
});

it('shows how to find an ID unfolded', () => {
  expect(main).toContain('<details class="find-id" open>');
});

it('names before the steps the two numbers that help everywhere, and no other that the settings do not give', () => {
  const calls = [...main.matchAll(/href="tel:([^"]+)"/g)];
  expect(calls.map(([, number]) => number)).toEqual(['112', '116111']);
  expect(calls[0]?.index).toBeLessThan(main.indexOf('Najpierw'));
  expect(main).not.toMatch(/SMS prześlij|Dodaj bota/);
});

it('promises of another helpline neither that it is free nor that it answers by night', async () => {
  const other = await startTestSite(path, { YOUTH_HELPLINE_PHONE: '800 121 212' });
  expect(main).toContain('bezpłatny i działa całą dobę');
  expect((await other.get('/pomoc')).text).not.toMatch(/bezpłatn|dobę/);
});
