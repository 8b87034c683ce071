import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNameIndex, makeNameIndexParts } from '#src/entries/name-index.ts';
import type { NamedRow } from '#src/entries/name-index.ts';
import { SEPARATOR } from '#src/entries/sort-suffixes.ts';
import { foldText } from '#src/text/fold-text.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { sampleName } from '../../../scripts/sample/sample-name.ts';

const SEED = 20261121;
const BORDER = Buffer.of(SEPARATOR);

type Lists = readonly (readonly string[])[];

/** Row numbers count from 1 through all lists. */
function makeIndex(lists: Lists) {
  const pieces = lists.map((names) => names.flatMap((name) => [Buffer.from(name), BORDER]));
  let end = 0;
  const listEnds = pieces.map((list) => (end += Buffer.concat(list).length));
  const text = new Uint8Array(Buffer.concat([BORDER, ...pieces.flat()]));
  const rows = Uint32Array.from(lists.flat(), (_, number) => number + 1);
  return createNameIndex(makeNameIndexParts({ text, rows, listEnds }));
}

function naiveFind(
  lists: Lists,
  piece: string,
  perList: number,
  isStale: (row: number) => boolean,
): NamedRow[][] {
  let row = 0;
  return lists.map((names) =>
    names
      .map((name) => {
        row += 1;
        const match = name === piece ? (1 as const) : name.startsWith(piece) ? (2 as const) : (3 as const);
        return { row, match, holds: name.includes(piece) };
      })
      .filter(({ row: number, holds }) => holds && !isStale(number))
      .sort((one, other) => one.match - other.match || one.row - other.row)
      .slice(0, perList)
      .map(({ row: number, match }) => ({ row: number, match })),
  );
}

const nothingStale = (): boolean => false;

describe('the name index', () => {
  it('finds what a look at every name finds, in the same order', () => {
    // Few letters, so that pieces are often found, and often twice in a name; of one to four bytes.
    const letter = fc.constantFrom('a', 'b', 'n', 'l', ' ', 'Ж', '字', '🦊');
    const name = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
    const lists = fc.array(fc.array(name, { maxLength: 40 }), { minLength: 3, maxLength: 3 });
    const piece = fc.string({ unit: letter, minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(lists, piece, fc.integer({ min: 1, max: 5 }), fc.nat(3), (names, asked, perList, stale) => {
        const isStale = (row: number): boolean => stale > 0 && row % 4 === stale;
        const found = makeIndex(names).find(asked, perList, isStale);
        expect(found).toEqual(naiveFind(names, asked, perList, isStale));
      }),
      { seed: SEED, numRuns: 1_500 },
    );
  });

  describe('of many names', () => {
    const random = new Random(SEED);
    const many = Array.from({ length: 20_000 }, () => foldText(sampleName(random, 'scammers')));
    const lists = [many.slice(0, 15_000), many.slice(15_000, 18_000), many.slice(18_000)];
    const index = makeIndex(lists);

    it('agrees on pieces of one to eight characters, rare and in every second name', () => {
      for (let question = 0; question < 400; question++) {
        const letters = [...random.pick(many)];
        const from = random.below(letters.length);
        const piece = letters.slice(from, from + 1 + random.below(8)).join('');
        expect(index.find(piece, 21, nothingStale), piece).toEqual(naiveFind(lists, piece, 21, nothingStale));
      }
    });

    it('agrees on whole names, and finds nothing that is not there', () => {
      for (let question = 0; question < 200; question++) {
        const name = random.pick(many);
        expect(index.find(name, 21, nothingStale), name).toEqual(naiveFind(lists, name, 21, nothingStale));
        expect(index.find(`${name}\0`, 21, nothingStale)).toEqual([[], [], []]);
        expect(index.find(`${name}${random.below(1e9)}q`, 21, nothingStale)).toEqual([[], [], []]);
      }
    });

    it('leaves out as many stale rows as there are', () => {
      const isStale = (row: number): boolean => row % 50 !== 0;
      for (const piece of ['a', 'an', 'o', ...many.slice(0, 20)]) {
        expect(index.find(piece, 21, isStale), piece).toEqual(naiveFind(lists, piece, 21, isStale));
      }
    });
  });

  it('answers for no names at all', () => {
    expect(makeIndex([[], [], []]).find('a', 21, nothingStale)).toEqual([[], [], []]);
  });

  it('sorts thousands of equal and of very long names', () => {
    const lists = [Array.from({ length: 3_000 }, (_, at) => (at % 2 ? 'w'.repeat(100) : 'zenek')), [], []];
    const index = makeIndex(lists);
    for (const piece of ['w', 'www', 'w'.repeat(100), 'zenek', 'ek']) {
      expect(index.find(piece, 21, nothingStale)).toEqual(naiveFind(lists, piece, 21, nothingStale));
    }
  });
});
