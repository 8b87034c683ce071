import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import type { EntrySummary } from '#src/entries/entry.ts';
import { LOOK_ALIKES_MAX } from '#src/entries/verdict.ts';
import { findLookAlikes } from '#src/serving/look-alikes.ts';
import { listServingFiles } from '#src/serving/serving-file.ts';
import { ServingReader } from '#src/serving/serving-reader.ts';
import { makeShapes, shapesAsked, shapesOf } from '#src/serving/shapes.ts';
import { compareNames, compareToTrusted, spellName } from '#src/text/look-alike.ts';
import { keepServing } from '../../support/keep-serving.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import { readState } from '../../support/read-model.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { AFFIXED, drawNicks, GAMERS, POLISH, readPairs, SPOOFS, SWAPPED } from '../../unit/text/look-alike-pairs.ts';

const NAMES = [...Object.values(SPOOFS).flat(), ...readPairs(POLISH), ...readPairs(GAMERS)].flat();
/** Close to names that there are: one letter is left out, doubled or another, two are swapped, or a word is added. */
const near = fc.oneof(
  fc
    .tuple(fc.constantFrom(...NAMES), fc.nat(), fc.constantFrom('', 'x', 'l', '0', 'rn', 'ł', '_'))
    .map(([name, at, piece]) => {
      const points = [...name];
      points.splice(at % points.length, at % 2, piece);
      return points.join('').trim() || 'x';
    }),
  fc.tuple(fc.constantFrom(...NAMES), fc.nat()).map(([name, at]) => {
    const points = [...name];
    const place = at % points.length;
    points.splice(place, 2, ...points.slice(place, place + 2).reverse());
    return points.join('').trim() || 'x';
  }),
  fc
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom('*_pl', 'real_*', 'mm_*_pomoc', '*1', '*_2_pl', '*pl7'))
    .map(([name, around]) => around.replace('*', name)),
);

const readerOf = (db: Database): ServingReader => {
  const reader = new ServingReader(db, (error) => {
    throw error;
  });
  expect(reader.look()).toBe('ready');
  return reader;
};

describe('look-alikes of the serving file', () => {
  it('share a shape with whatever looks like them', () => {
    fc.assert(
      fc.property(near, near, fc.constantFrom(...NAMES), (one, other, name) => {
        for (const [asked, listed] of [
          [one, other],
          [one, name],
          [name, other],
        ] as [string, string][]) {
          if (!compareToTrusted(spellName(asked), spellName(listed))) continue;
          const shapes = new Set(shapesOf(spellName(listed)));
          expect(
            shapesAsked(spellName(asked)).some((shape) => shapes.has(shape)),
            `${asked} ${listed}`,
          ).toBe(true);
        }
      }),
      { numRuns: 5_000 },
    );
  });

  it('share a shape with the imitations of a trusted name', () => {
    const missed = [...AFFIXED, ...SWAPPED].filter(([asked, listed]) => {
      const shapes = shapesAsked(spellName(asked));
      return !shapesOf(spellName(listed)).some((shape) => shapes.includes(shape));
    });
    expect(missed).toEqual([]);
  });

  it('are those that a look at every entry finds, after additions, changes and removals', async () => {
    const db = await makeDatabase();
    const lists = ['scammers', 'servers', 'legit'] as const;
    for (const [at, list] of lists.entries())
      await importRecords(
        db,
        list,
        NAMES.filter((_, place) => place % 3 === at).map((name) => makeRecord({ name })),
      );
    keepServing(db);
    for (let round = 0; round < 3; round++) {
      const now = readState(db);
      const reader = readerOf(db);
      const all = lists.flatMap((list) => now[list]);
      for (const name of fc.sample(near, { numRuns: 150, seed: round })) {
        const asked = spellName(name);
        const compare = ({ list, name: listed }: Pick<EntrySummary, 'list' | 'name'>) =>
          (list === 'legit' ? compareToTrusted : compareNames)(asked, spellName(listed));
        const expected = all.filter(compare);
        // Of more, only the first are told, and of a crowd none.
        if (expected.length > LOOK_ALIKES_MAX) continue;
        const found = findLookAlikes(reader, asked, () => false);
        expect(found.map(({ entry }) => entry._id).toSorted(), name).toEqual(
          expected.map(({ _id }) => _id).toSorted(),
        );
        expect(found.every(({ entry, why }) => compare(entry) === why)).toBe(true);
      }
      reader.close();
      assertShapes(db);
      const list = lists[round] ?? 'scammers';
      const [first, second, ...rest] = now[list];
      if (first) removeEntry(db, list, first.id, 'mistake', NOW);
      const changed = [second, ...rest.slice(0, 20)].flatMap((entry) => entry ?? []);
      await importRecords(
        db,
        list,
        changed.map(({ id }, at) => makeRecord({ id, name: NAMES[(at * 7 + round) % NAMES.length] ?? 'x' })),
        NOW + round + 1,
      );
      keepServing(db);
    }
  });

  it('warn of at most one in a hundred nicks that are on no list, among a hundred thousand', () => {
    const draw = drawNicks(11);
    const byShape = new Map<number, string[]>();
    const listed = new Set<string>();
    while (listed.size < 100_000) listed.add(draw());
    for (const name of listed)
      for (const shape of shapesOf(spellName(name)))
        byShape.set(shape, [...(byShape.get(shape) ?? []), name]);
    let asked = 0;
    let warned = 0;
    while (asked < 10_000) {
      const name = draw();
      if (listed.has(name)) continue;
      asked += 1;
      const spelling = spellName(name);
      const found = shapesAsked(spelling).flatMap((shape) => byShape.get(shape) ?? []);
      if (found.some((other) => compareNames(spelling, spellName(other)))) warned += 1;
    }
    expect(warned).toBeLessThanOrEqual(100);
  });
});

/** The table holds what it would hold if it were made now. */
function assertShapes(db: Database): void {
  const [path = ''] = listServingFiles(db.path);
  const file = openDatabase(path, 'write');
  const read = (): unknown[] => file.connection.prepare('SELECT * FROM shapes').all();
  file.connection.exec('BEGIN');
  const kept = read();
  file.connection.exec('DELETE FROM shapes');
  makeShapes(file);
  expect(kept.length).toBeGreaterThan(100);
  expect(kept).toEqual(read());
  file.connection.exec('ROLLBACK');
  file.close();
}
