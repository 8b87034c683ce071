/** `/pomoc`: what to do, by what was lost. */
import { expect, it } from 'vitest';
import { plain } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const { path } = await makeDatabase();
const { text } = await (await startTestSite(path)).get('/pomoc');
const main = plain(text.slice(text.indexOf('<main'), text.indexOf('</main>')));

it('comforts first, then has the steps of each loss and of what follows', () => {
  const cases = main.match(/<details class="case".*?<\/details>/gs) ?? [];
  expect(cases).toHaveLength(6);
  for (const steps of cases)
    expect(steps).toMatch(/<h3>.+<\/summary> ?<ol id="[a-z]+" class="steps"> ?<li> ?<strong>/);
  expect(cases.filter((steps) => steps.includes('" open>'))).toEqual(cases.slice(0, 1));
  expect(main.indexOf('To nie Twoja wina')).toBeLessThan(main.indexOf(cases[0] ?? ''));
});

it('shows how to find an ID unfolded', () => {
  expect(main).toContain('<details class="find-id" open>');
});

it('names before the steps the two numbers that help everywhere, and no other that the settings do not give', () => {
  const calls = [...main.matchAll(/href="tel:([^"]+)"/g)];
  expect(calls.map(([, number]) => number)).toEqual(['112', '116111']);
  expect(calls[0]?.index).toBeLessThan(main.indexOf('class="steps"'));
  expect(main).not.toMatch(/SMS prześlij|Dodaj bota/);
});

it('promises of another helpline neither that it is free nor that it answers by night', async () => {
  const other = await startTestSite(path, { YOUTH_HELPLINE_PHONE: '800 121 212' });
  expect(main).toContain('bezpłatny i działa całą dobę');
  expect((await other.get('/pomoc')).text).not.toMatch(/bezpłatn|dobę/);
});
