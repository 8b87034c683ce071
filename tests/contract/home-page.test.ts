/** The home page, which search engines keep: numbers, an invented example, and nobody's name. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ANSWER } from '#src/components/check/answer-texts.ts';
import { HOME } from '#src/components/check/home-texts.ts';
import { LISTS } from '#src/components/list/lists-texts.ts';
import { keepServing } from '../support/keep-serving.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { plain, textOf } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

const ID = '1228899107513245741';
const DAY_MS = 86_400_000;

describe('the home page', () => {
  let site: TestSite;

  beforeAll(async () => {
    const db = await makeDatabase();
    const now = Date.now();
    await importRecords(db, 'legit', [makeRecord({ name: 'MARKER trusted' })], now - 31 * DAY_MS);
    const at = (day: number): number => Date.parse(`2026-11-${day}T12:00:00Z`);
    const reported = [
      makeRecord({ id: ID, name: 'MARKER person', reportedAt: at(18) }),
      makeRecord({ name: 'MARKER risk', verified: false, reportedAt: at(20) }),
    ];
    await importRecords(db, 'scammers', reported, now);
    await importRecords(db, 'servers', [makeRecord({ name: 'MARKER server', reportedAt: at(19) })], now);
    await keepServing(db);
    site = await startTestSite(db.path, { OPERATOR_NAME: 'Anna [x](y)', PLATFORM_NAME: 'Gadacz' });
  });

  it('has the field first, then numbers that are true now and an invented answer', async () => {
    const { text } = await site.get('/');
    const main = text.slice(text.indexOf('<main'));
    expect(main.search(/<a |<button|<input/)).toBe(main.search(/<input/));
    expect(text).not.toContain('id="wynik"');
    const { title } = LISTS;
    const { figures, example } = HOME;
    const numbers = [
      `${title.scammers} 2 ${title.servers} 1 ${title.legit} 1`,
      `${figures.confirmed} 19 listopada 2026 ${figures.changes} 3 Stan z`,
    ].join(' ');
    expect(textOf(text)).toContain(plain(numbers));
    expect(textOf(text)).toContain(plain(example.invented));
  });

  it('names nobody who is on a list, and may be kept by search engines', async () => {
    const { text } = await site.get('/');
    expect(text).not.toContain('MARKER');
    expect(text).not.toContain(ID);
    expect(text).not.toContain('name="robots"');
  });

  it('says for which platform it is and who runs it, and leaves out what is not set', async () => {
    const { text } = await site.get('/');
    expect(textOf(text)).toContain(plain(HOME.lead('Gadacz')));
    // No link is made of the operator's words.
    expect(text).toContain('Anna [x](y)');
    const bare = await (await startTestSite((await makeDatabase()).path)).get('/');
    expect(textOf(bare.text)).toContain(plain(HOME.lead(undefined)));
    expect(bare.text).not.toMatch(/Czujkę prowadzi|undefined/);
    expect(textOf(bare.text)).not.toContain(plain(HOME.figures.confirmed));
  });

  it.each(['/?search=', '/?search=https://sklep.example'])('shows no example beside %s', async (path) => {
    expect(textOf((await site.get(path)).text)).not.toContain(plain(ANSWER.title('stop', undefined)));
  });
});
