/** The home page, which search engines keep: numbers, an invented example, and nobody's name. */
import { beforeAll, describe, expect, it } from 'vitest';
import { keepServing } from '../support/keep-serving.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

const ID = '1228899107513245741';
const DAY_MS = 86_400_000;

const textOf = (html: string): string =>
  html
    .replace(/^[^]*<main[^>]*>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replace(/[\s\u00a0]+/g, ' ');

describe('the home page', () => {
  let site: TestSite;

  beforeAll(async () => {
    const db = await makeDatabase();
    const now = Date.now();
    await importRecords(db, 'legit', [makeRecord({ name: 'MARKER trusted' })], now - 31 * DAY_MS);
    await importRecords(
      db,
      'scammers',
      [
        makeRecord({ id: ID, name: 'MARKER person', reportedAt: Date.parse('2026-11-18T12:00:00Z') }),
        makeRecord({
          name: 'MARKER risk',
          verified: false,
          reportedAt: Date.parse('2026-11-20T12:00:00Z'),
        }),
      ],
      now,
    );
    await importRecords(
      db,
      'servers',
      [makeRecord({ name: 'MARKER server', reportedAt: Date.parse('2026-11-19T12:00:00Z') })],
      now,
    );
    keepServing(db);
    site = await startTestSite(db.path, { OPERATOR_NAME: 'Anna [x](y)', PLATFORM_NAME: 'Gadacz' });
  });

  it('tells numbers that are true now', async () => {
    const text = textOf((await site.get('/')).text);
    expect(text).toMatch(
      /Zgłoszone osoby 2 Zgłoszone serwery 1 Lista zaufanych 1 Ostatnie potwierdzone zgłoszenie 19 listopada 2026 Zmiany z ostatnich 30 dni 3 Stan z \d\d:\d\d\./,
    );
  });

  it('names nobody who is on a list, and may be kept by search engines', async () => {
    const { text } = await site.get('/');
    expect(text).not.toContain('MARKER');
    expect(text).not.toContain(ID);
    expect(text).not.toContain('name="robots"');
  });

  it('says what this is, for which platform, and who runs it', async () => {
    const text = textOf((await site.get('/')).text);
    expect(text).toContain('czy ktoś zgłosił osobę lub serwer z platformy Gadacz.');
    expect(text).toContain('Czujkę prowadzi Anna [x](y) .');
  });

  it('has the field before everything else that can be used, and one example of an answer', async () => {
    const { text } = await site.get('/');
    const main = text.slice(text.indexOf('<main'));
    expect(main.search(/<a |<button|<input/)).toBe(main.search(/<input/));
    expect(textOf(text)).toContain('Ten wpis jest zmyślony.');
    expect(text).not.toContain('id="wynik"');
  });

  it.each(['/?search=', '/?search=https://sklep.example'])('shows no example beside %s', async (path) => {
    expect(textOf((await site.get(path)).text)).not.toContain('To ID jest na liście');
  });

  it('leaves out what there is none of', async () => {
    const db = await makeDatabase();
    const text = textOf((await (await startTestSite(db.path)).get('/')).text);
    expect(text).toContain('Zgłoszone osoby 0');
    expect(text).not.toMatch(/Ostatnie potwierdzone|Czujkę prowadzi|undefined/);
  });
});
