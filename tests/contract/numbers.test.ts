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

it.each([
  [
    1,
    { added: [1], removed: [1], granted: [0], decided: [0, 0, 4] },
    '1 dodany wpis 1 usunięty wpis 1 odwołanie czeka na decyzję Gdy',
  ],
  [
    3,
    { added: [12_003], removed: [37], granted: [9], decided: [4, 0, 0, 1] },
    '12 003 dodane wpisy 37 usuniętych wpisów 9 z nich po odwołaniu 3 odwołania czekają na decyzję 1 dzień tyle najwyżej czekała połowa odwołań Gdy',
  ],
  [
    5,
    { added: [25], decided: [2, 0, 0, 1, 3] },
    '25 dodanych wpisów 5 odwołań czeka na decyzję 3 dni tyle najwyżej czekała połowa odwołań Gdy',
  ],
  [0, { added: [2], removed: [3] }, '2 dodane wpisy 3 usunięte wpisy W tym czasie nikt się nie odwołał. Gdy'],
  [0, { added: [2], decided: [1] }, '2 dodane wpisy Gdy'],
])('says in numbers what became of entries, with %i open appeals', async (open, counts, numbers) => {
  expect(await show(open, counts)).toContain(`Ostatni rok w liczbach ${numbers}`);
});

it('says nothing while nothing was added', async () => {
  expect(await show(0, {})).not.toContain('Ostatni rok');
});
