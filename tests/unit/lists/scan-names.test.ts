/** The pass over folded names, compared with a plain look at each of them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CHECK_RESULTS_MAX } from '#src/entries/check.ts';
import { scanNames } from '#src/lists/scan-names.ts';
import { encodeElements, encodeNames, Segment, type SortKeys } from '#src/lists/sort-orders.ts';
import { foldText } from '#src/text/fold-text.ts';
import { trials } from '../../support/trials.ts';

const LETTERS = ['a', 'b', 'ab', 'Ł', 'ß', '😀', 'щ', '"', ' ', '\u0000', 'ﬁ', '1'];
const text = (most: number) =>
  fc
    .array(fc.constantFrom(...LETTERS), { minLength: 1, maxLength: most })
    .map((letters) => foldText(letters.join('')));

function segmentsOf(names: readonly string[], size: number): Segment[] {
  const others = { flags: 0, entryId: '', reportedAt: 0, views: 0 };
  const keys = names.map((name, row): SortKeys => ({ row: row + 1, name, ...others }));
  return Array.from({ length: Math.ceil(keys.length / size) }, (_, at) => {
    const some = keys.slice(at * size, (at + 1) * size);
    return new Segment(encodeElements(some), encodeNames(some));
  });
}

function findPlainly(names: readonly string[], wanted: string): number[] {
  const rows = names.map((name, at) => ({ name, row: at + 1 })).filter(({ name }) => name.includes(wanted));
  const placeOf = (name: string): number => (name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2);
  return rows
    .toSorted((one, other) => placeOf(one.name) - placeOf(other.name))
    .slice(0, CHECK_RESULTS_MAX + 1)
    .map(({ row }) => row);
}

it('finds equal names, then those that begin with the search, then the rest, each in order', () => {
  const sizes = fc.integer({ min: 1, max: 200 });
  fc.assert(
    fc.property(fc.array(text(4), { maxLength: 250, size: 'max' }), text(3), sizes, (names, wanted, size) => {
      expect(scanNames(segmentsOf(names, size), wanted)).toEqual(findPlainly(names, wanted));
    }),
    { numRuns: trials(300, 3_000) },
  );
});

it('does not take what reaches over the end of a name for a hit', () => {
  const segments = segmentsOf(['ab', 'cd', 'ab'], 3);
  expect(scanNames(segments, 'b\nc')).toEqual([]);
  expect(scanNames(segments, 'ab')).toEqual([1, 3]);
});
