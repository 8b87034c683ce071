// Needs: chromium
/** When the database breaks under the running site, pages of entries fail in the one way and the others stay. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { startDemoSite } from '../../support/demo-site.ts';
import type { DemoSite } from '../../support/demo-site.ts';

let site: DemoSite;
beforeAll(async () => {
  site = await startDemoSite();
  const db = openDatabase(site.databasePath, 'write');
  // The log too: by itself, the read model would go on with what it has.
  for (const table of ['entries', 'changes'])
    db.connection.exec(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
  db.close();
});
afterAll(() => site.close());

it.each(['/', '/?search=kupskin', '/scammers', '/legit?id=280864204968068869'])(
  '%s says that it is no answer',
  async (path) => {
    const response = await fetch(site.origin + path);
    const html = await response.text();
    expect(response.status).toBe(500);
    expect(html).toMatch(/<h1[^>]*>Coś się zepsuło po naszej stronie<\/h1>/);
    expect(html).toContain('nie jest wynik sprawdzenia');
    expect(html).toMatch(/Nr zdarzenia [0-9a-f]{8}/);
    expect(html).not.toContain('class="answer"');
  },
);

it.each(['/odwolania', '/pomoc', '/prywatnosc', '/jak-powstaja-wpisy', '/zglos', '/docs'])(
  '%s stays',
  async (path) => {
    expect((await fetch(site.origin + path)).status).toBe(200);
  },
);

it('an unknown page is still told apart', async () => {
  const response = await fetch(`${site.origin}/nie-ma-takiej`);
  expect(response.status).toBe(404);
  expect(await response.text()).toMatch(
    /<h1[^>]*>Nie\u00a0ma takiej strony<\/h1>|<h1[^>]*>Nie ma takiej strony<\/h1>/,
  );
});
