import { expect, it } from 'vitest';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { textOf } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const db = await makeDatabase();
const site = await startTestSite(db.path);
const TODAY = new Date().toISOString().slice(0, 10);
/** Each count is of one kind and as many days as its place. */
const show = async (open: number, counts: object): Promise<string> => {
  db.connection.exec('DELETE FROM entry_counts; DELETE FROM appeals');
  for (const [what, numbers] of Object.entries(counts) as [string, number[]][])
    for (const [days, count] of numbers.entries())
      db.statement('INSERT INTO entry_counts VALUES (?, ?, ?, ?)').run(TODAY, what, days, count);
  db.statement('INSERT INTO appeals (row, opened_at) SELECT row, 1 FROM entries LIMIT ?').run(open);
  site.clock.now += 400_000;
  return textOf((await site.get('/jak-powstaja-wpisy')).text).replaceAll('\u00a0', ' ');
};
await importRecords(
  db,
  'scammers',
  Array.from({ length: 5 }, () => makeRecord()),
);

const TILES = 'Listy w liczbach 5 zgłoszonych osób 0 zgłoszonych serwerów 0 zaufanych osób';

it.each([
  [
    1,
    { added: [1], removed: [1], granted: [0], decided: [0, 0, 4] },
    'W ostatnim roku dopisaliśmy 1 wpis (licząc te, których dziś nie ma na listach), a usunęliśmy 1 wpis. Rozpatrzyliśmy 4 odwołania. Na decyzję czeka 1 odwołanie. Kto',
  ],
  [
    3,
    { added: [12_003], removed: [37], granted: [2, 3], decided: [4, 0, 0, 1] },
    'W ostatnim roku dopisaliśmy 12 003 wpisy (licząc te, których dziś nie ma na listach), a usunęliśmy 37 wpisów, w tym 5 po odwołaniu. Rozpatrzyliśmy 7 odwołań. Połowa czekała najwyżej 1 dzień. Na decyzję czekają 3 odwołania. Kto',
  ],
  [
    5,
    { added: [25], decided: [2, 0, 0, 1, 3] },
    'W ostatnim roku nie usunęliśmy żadnego wpisu. Rozpatrzyliśmy 6 odwołań. Połowa czekała najwyżej 3 dni. Na decyzję czeka 5 odwołań. Kto',
  ],
  [
    0,
    { added: [2], removed: [3] },
    'W ostatnim roku dopisaliśmy 2 wpisy (licząc te, których dziś nie ma na listach), a usunęliśmy 3 wpisy. Kto',
  ],
  [0, {}, 'Kto'],
])('says in numbers what became of entries, with %i open appeals', async (open, counts, numbers) => {
  expect(await show(open, counts)).toContain(`${TILES} ${numbers}`);
});

it('says nothing while the lists are empty', async () => {
  const empty = await startTestSite((await makeDatabase()).path);
  expect((await empty.get('/jak-powstaja-wpisy')).text).not.toContain('w liczbach');
});
