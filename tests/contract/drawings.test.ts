/** Marks, icons and the lighthouse, which a page draws. */
import { describe, expect, it } from 'vitest';
import { planDemo } from '../support/demo-site.ts';
import { PAGE_STATES } from '../support/page-states.ts';
import { updateIndexes } from '../support/update-indexes.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

describe('a page', async () => {
  const db = await makeDatabase();
  const { fill, keepUp, settings } = planDemo();
  await fill(db);
  if (keepUp) db.write(keepUp);
  await updateIndexes(db);
  const site = await startTestSite(db.path, settings);
  const read = async (name: string): Promise<string> => {
    const { path = '' } = PAGE_STATES.find((state) => state.name === name) ?? {};
    return (await site.get(path)).text;
  };

  it.each([
    'check',
    'check-listed',
    'check-nick-similar',
    'list-scammers',
    'status',
    'text-pomoc',
    'text-docs',
  ])('draws the marks and icons that it shows, each once: %s', async (name) => {
    const page = await read(name);
    const drawn = [...page.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id);
    const shown = [...page.matchAll(/<use href="#([^"]+)"/g)].map(([, id]) => id);
    expect(drawn.toSorted()).toEqual([...new Set(shown)].toSorted());
  });

  it.each([
    ['check', 'lit'],
    ['donate', 'lit'],
    ['error-404', 'dark'],
    ['list-scammers-empty', 'fog'],
    ['donation-forwarded', 'bright'],
  ])('has the lighthouse of its state: %s', async (name, lamp) => {
    expect((await read(name)).match(/(?<=class="lighthouse" data-lamp=")\w+/g)).toEqual([lamp]);
  });

  it.each(['list-scammers', 'list-scammers-past-end', 'check-none', 'check-listed', 'donation-pending'])(
    'has none where it would say something else: %s',
    async (name) => expect(await read(name)).not.toContain('lighthouse'),
  );
});
