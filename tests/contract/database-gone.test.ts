/** When the database breaks under the running site, pages of entries fail in the one way and the others stay. */
import { beforeAll, expect, it } from 'vitest';
import { ERRORS } from '#src/components/layout/errors-texts.ts';
import { openDatabase } from '#src/db/database.ts';
import { plain, textOf } from '../support/page-text.ts';
import { makeSmallLists } from '../support/small-lists.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';

let site: TestSite;
beforeAll(async () => {
  const path = await makeSmallLists();
  site = await startTestSite(path);
  const db = openDatabase(path, 'write');
  // The log too: without a change, lists would be found in the orders in memory.
  for (const table of ['entries', 'published', 'changes'])
    db.connection.exec(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
  db.close();
});

it.each(['/', '/?search=kupskin', '/scammers', '/legit?id=280864204968068869'])(
  '%s says that it is no answer',
  async (path) => {
    const { status, text } = await site.get(path);
    expect(status).toBe(500);
    for (const words of [ERRORS.internal.title, ERRORS.internal.text, ERRORS.notResult])
      expect(textOf(text)).toContain(plain(words));
    expect(textOf(text)).toMatch(/Kod błędu: [0-9a-f]{8}/);
    expect(text).not.toContain('class="answer"');
  },
);

it('pages without entries stay, and an unknown page is still told apart', async () => {
  for (const path of ['/odwolania', '/pomoc', '/prywatnosc', '/jak-powstaja-wpisy', '/zglos', '/docs'])
    expect((await site.get(path)).status, path).toBe(200);
  const { status, text } = await site.get('/nie-ma-takiej');
  expect(status).toBe(404);
  expect(textOf(text)).toContain(plain(ERRORS.notFound.title));
});
