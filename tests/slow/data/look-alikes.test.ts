import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import type { PublicSummary } from '#src/entries/entry.ts';
import { formerNamesOf } from '#src/entries/former-names.ts';
import { LOOK_ALIKES_MAX } from '#src/entries/verdict.ts';
import {
  findLookAlikes,
  hashesAsked,
  hashesOf,
  writeLookAlikeHashes,
} from '#src/lists/look-alike-hashes.ts';
import { compareNames, compareToTrusted, normalizeName } from '#src/text/look-alike.ts';
import { removeEntry } from '../../support/change-log.ts';
import { updateIndexes } from '../../support/update-indexes.ts';
import { importRecords, makeRecord, NOW } from '../../support/make-entries.ts';
import { readState } from '../../support/read-model.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { AFFIXED, drawNicks, GAMERS, POLISH, readPairs, SPOOFS, SWAPPED } from '../../unit/text/look-alike-pairs.ts';

const NAMES = [...SPOOFS, ...readPairs(POLISH), ...readPairs(GAMERS)].flat();
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
    .tuple(fc.constantFrom(...NAMES), fc.constantFrom('*_pl', 'real_*', 'mm_*_pomoc', '*1', '*_2_pl', '*pl7', '*_pomo', 'od*'))
    .map(([name, around]) => around.replace('*', name)),
);

it('share a hash with whatever looks like them', () => {
  fc.assert(
    fc.property(near, near, fc.constantFrom(...NAMES), (one, other, name) => {
      for (const [asked, listed] of [
        [one, other],
        [one, name],
        [name, other],
      ] as [string, string][]) {
        if (!compareToTrusted(normalizeName(asked), normalizeName(listed))) continue;
        const hashes = new Set(hashesOf(normalizeName(listed)));
        const isFound = hashesAsked(normalizeName(asked)).some((hash) => hashes.has(hash));
        expect(isFound, `${asked} ${listed}`).toBe(true);
      }
    }),
    { numRuns: 5_000 },
  );
});

it('share a hash with the imitations of a trusted name', () => {
  const missed = [...AFFIXED, ...SWAPPED].filter(([asked, listed]) => {
    const hashes = hashesAsked(normalizeName(asked));
    return !hashesOf(normalizeName(listed)).some((hash) => hashes.includes(hash));
  });
  expect(missed).toEqual([]);
});

it('are those that a look at every entry finds, after additions, changes and removals', async () => {
  const db = await makeDatabase();
  const lists = ['scammers', 'servers', 'legit'] as const;
  for (const [at, list] of lists.entries()) {
    const names = NAMES.filter((_, place) => place % 3 === at);
    await importRecords(db, list, Array.from(names, (name) => makeRecord({ name })));
  }
  await updateIndexes(db);
  for (let round = 0; round < 3; round++) {
    const now = readState(db);
    const all = lists.flatMap((list) => now[list]);
    for (const name of fc.sample(near, { numRuns: 150, seed: round })) {
      const asked = normalizeName(name);
      const compare = ({ _id, list, name: listed }: Pick<PublicSummary, '_id' | 'list' | 'name'>) => {
        const why = (list === 'legit' ? compareToTrusted : compareNames)(asked, normalizeName(listed));
        const had = formerNamesOf(db, _id).some((former) => normalizeName(former).folded === asked.folded);
        return had && why !== 'same_name' ? 'former_name' : why;
      };
      const expected = all.filter(compare);
      // Of more, only the first are told, and of a crowd none.
      if (expected.length > LOOK_ALIKES_MAX) continue;
      const found = findLookAlikes(db, asked, (entry) => entry);
      const ids = found.map(({ entry }) => entry._id);
      expect(ids.toSorted(), name).toEqual(expected.map(({ _id }) => _id).toSorted());
      expect(found.every(({ entry, why }) => compare(entry) === why)).toBe(true);
    }
    assertHashes(db);
    const list = lists[round] ?? 'scammers';
    const [first, second, ...rest] = now[list];
    if (first) removeEntry(db, list, first.id, 'mistake', NOW);
    const changed = [second, ...rest.slice(0, 20)].flatMap((entry) => entry ?? []);
    const nameOf = (at: number): string => NAMES[(at * 7 + round) % NAMES.length] ?? 'x';
    const records = changed.map(({ id }, at) => makeRecord({ id, name: nameOf(at) }));
    await importRecords(db, list, records, NOW + round + 1);
    await updateIndexes(db);
  }
});

it('warn of at most one in a hundred nicks that are on no list, among a hundred thousand', () => {
  const draw = drawNicks(11);
  const byHash = new Map<number, string[]>();
  const listed = new Set<string>();
  while (listed.size < 100_000) listed.add(draw());
  for (const name of listed)
    for (const hash of hashesOf(normalizeName(name)))
      byHash.set(hash, [...(byHash.get(hash) ?? []), name]);
  let asked = 0;
  let warned = 0;
  while (asked < 10_000) {
    const name = draw();
    if (listed.has(name)) continue;
    asked += 1;
    const normalized = normalizeName(name);
    const found = hashesAsked(normalized).flatMap((hash) => byHash.get(hash) ?? []);
    if (found.some((other) => compareNames(normalized, normalizeName(other)))) warned += 1;
  }
  expect(warned).toBeLessThanOrEqual(100);
});

/** The table holds what it would hold if it were made now. */
function assertHashes(db: Database): void {
  const read = (): unknown[] =>
    db.connection.prepare('SELECT * FROM look_alike_hashes ORDER BY hash, is_reported, detail, row').all();
  const kept = read();
  const rows = db.statement('SELECT row FROM published').pluck().all() as number[];
  db.connection.exec('BEGIN; DELETE FROM look_alike_hashes');
  db.write((tx) => writeLookAlikeHashes(tx, rows));
  expect(kept.length).toBeGreaterThan(100);
  expect(kept).toEqual(read());
  db.connection.exec('ROLLBACK');
}
