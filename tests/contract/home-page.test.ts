/** The home page, which search engines keep: the field, what to do, numbers, and no person's name. */
import { expect, it } from 'vitest';
import { HOME } from '#src/components/check/home-texts.ts';
import { FOOTER } from '#src/components/layout/navigation-texts.ts';
import { updateIndexes } from '../support/update-indexes.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { plain, textOf } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const ID = '1228899107513245741';
const DAY_MS = 86_400_000;

const db = await makeDatabase();
const now = Date.now();
const lastMonth = now - 31 * DAY_MS;
const trusted = makeRecord({ name: 'MARKER trusted', reportedAt: lastMonth });
await importRecords(db, 'legit', [trusted], lastMonth);
const at = (day: number): number => Date.parse(`2026-11-${day}T12:00:00Z`);
const reported = [
  makeRecord({ id: ID, name: 'MARKER person', reportedAt: at(18) }),
  makeRecord({ name: 'MARKER risk', verified: false, reportedAt: at(20) }),
];
await importRecords(db, 'scammers', reported, now);
await importRecords(db, 'servers', [makeRecord({ name: 'MARKER server', reportedAt: at(19) })], now);
await updateIndexes(db);
const site = await startTestSite(db.path, { OPERATOR_NAME: 'Anna [x](y)', PLATFORM_NAME: 'Gadacz' });

it('has the field first, then what to do when something has happened, and numbers that are true now', async () => {
  const { text } = await site.get('/');
  const main = text.slice(text.indexOf('<main'));
  expect(main.search(/<a |<button|<input/)).toBe(main.search(/<input/));
  expect(text).not.toContain('id="wynik"');
  const { tasks } = HOME;
  // Who is on the lists stands above the fold.
  const sentences = 'Na listach: 2 zgłoszone konta i 1 serwer. Najnowszy wpis: 20 listopada 2026.';
  const known = textOf(text).indexOf(sentences);
  expect(known).toBeGreaterThan(0);
  expect(known).toBeLessThan(textOf(text).indexOf(plain(tasks.title)));
  expect(text.match(/>2</g)).toBeNull();
  for (const { name, href } of tasks.rows) expect(text).toMatch(new RegExp(`href="${href}"[^]*?${name}`));
});

it('leads to lists that count themselves and each other, whatever is searched for', async () => {
  const { text } = await site.get('/servers?search=qqqq');
  const tabs = /aria-label="Listy">([^]*?)<\/nav>/.exec(text)?.[1] ?? '';
  expect(textOf(tabs).trim()).toBe('Osoby 2 Serwery 1 Zaufani 1');
  expect(tabs.match(/<a [^>]*aria-current="true"/g)).toEqual([expect.stringContaining('"/servers"')]);
});

it('names nobody who is on a list, and may be kept by search engines', async () => {
  const { text } = await site.get('/');
  expect(text).not.toContain('MARKER');
  expect(text).not.toContain(ID);
  expect(text).not.toContain('name="robots"');
});

it('ends with all pages in groups, and leaves out what has no address', async () => {
  const { text } = await site.get('/');
  const groups = FOOTER.groups(undefined, undefined).map(([[title], ...links]) =>
    plain([title, ...links.flatMap(([href, words]) => (href ? [words] : []))].join(' ')),
  );
  expect(textOf(text.slice(text.indexOf('<footer')))).toContain(groups.join(' '));
});

it('says for which platform it is and who runs it, and leaves out what is not set', async () => {
  const { text } = await site.get('/');
  expect(textOf(text)).toContain(plain(HOME.lead('Gadacz')));
  // No link is made of the operator's words.
  expect(text).toContain('Anna [x](y)');
  const bare = await (await startTestSite((await makeDatabase()).path)).get('/');
  expect(textOf(bare.text)).toContain(plain(HOME.lead(undefined)));
  expect(bare.text).not.toMatch(/Czujkę prowadzi|undefined/);
  expect(textOf(bare.text)).not.toContain('Mamy wpisy');
});
