import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { createNameIndex, makeNameTable } from '#src/serving/name-index.ts';
import type { FoundName, ListedName, NameIndex, NameMatch } from '#src/serving/name-index.ts';
import { foldText } from '#src/text/fold-text.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { sampleRecords } from '../../../scripts/sample/sample-records.ts';
import { trials } from '../../support/trials.ts';

const SEED = 20261122;
const SAMPLED = { scammers: 8_000, servers: 2_000, legit: 2_000 } as const;
const NO_RANKS = new Uint32Array();
const NOTHING = [[], [], []];

type Question = Parameters<NameIndex['find']>;

const nothingStale: Question[3] = () => false;
const makeIndex = (names: Iterable<ListedName>): NameIndex => createNameIndex(makeNameTable(names));

/** Looks at every name; sort leaves those of the same match and rank as they were added. */
function naiveFind(names: readonly ListedName[], [piece, perList, ranks, isStale]: Question): FoundName[][] {
  const matchOf = (folded: string): NameMatch => (folded === piece ? 1 : folded.startsWith(piece) ? 2 : 3);
  const rankOf = (row: number): number => ranks[row] ?? 2 ** 32;
  const holders = names.filter(({ row, folded }) => folded.includes(piece) && !isStale(row));
  return NOTHING.map((_, place) =>
    holders
      .filter(({ list }) => list === place)
      .map(({ row, folded }) => ({ row, match: matchOf(folded) }))
      .sort((one, other) => one.match - other.match || rankOf(one.row) - rankOf(other.row))
      .slice(0, perList),
  );
}

function shuffledRanks(random: Random, rows: number): Uint32Array {
  const ranks = Uint32Array.from({ length: rows }, (_, row) => row);
  for (let left = rows - 1; left > 0; left--) {
    const other = random.below(left + 1);
    [ranks[left], ranks[other]] = [ranks[other] as number, ranks[left] as number];
  }
  return ranks;
}

/** Of one to so many characters. */
function pieceOf(random: Random, folded: string, max: number): string {
  const characters = [...folded];
  const from = random.below(characters.length);
  return characters.slice(from, from + random.between(1, max)).join('');
}

const HOSTILE = [
  ...['🦊', '🦊🔥', 'lis🦊', '🦊lis', '👨‍👩‍👧', '🇵🇱', '𒀱'.repeat(100), `${'𒀱'.repeat(99)}a`, 'ﷺ'.repeat(100)],
  ...[
    'Zażółć gęślą jaźń',
    'zazolc gesla jazn',
    'ŻÓŁW',
    'źrebię',
    'Łódź',
    'straße',
    'ΑΣ',
    'Жук',
    'жуки',
    '字',
    '字幕',
  ],
  ...[
    'e\u0301le\u0300ve',
    'z̸̡a̵l̴g̷o',
    'a',
    'A',
    'b',
    'ab',
    'AB',
    'ba',
    'aa',
    'aaa',
    'aaaa',
    'aaaaaaaaab',
    'baaaaaaaaa',
  ],
  ...[
    'kot',
    'kotek',
    'mój kot',
    'kotkot',
    'kotakot',
    'kok',
    'otk',
    '\x7f',
    '\x7f\x7f\x7f',
    'a\x7fb',
    '\0',
    '\0\0\0',
    'a\0',
  ],
  ...[
    'ÿ',
    'ÿÿÿ',
    '\uffff',
    '\u{10ffff}',
    '\ufffd',
    'w'.repeat(400),
    `${'w'.repeat(399)}x`,
    `${'xy'.repeat(140)}koniec`,
  ],
].map(foldText);

describe('the name index', () => {
  it('finds what a look at every name finds, in the same order', () => {
    // Few letters, so that pieces are often found, and often twice in a name; of one to four bytes.
    const letter = fc.constantFrom('a', 'b', 'n', '\x7f', ' ', 'Ж', '字', '🦊');
    const folded = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
    const name = fc.record({ folded, list: fc.nat(2), row: fc.nat(200) });
    const names = fc.uniqueArray(name, { selector: ({ row }) => row, maxLength: 100, size: 'max' });
    // Of few values, so that some are equal, and not for all rows.
    const ranks = fc.uint32Array({ max: 20, maxLength: 200, size: 'max' });
    const piece = fc.string({ unit: letter, minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        names,
        piece,
        fc.integer({ min: 1, max: 5 }),
        ranks,
        fc.nat(3),
        (all, asked, perList, ranked, stale) => {
          const question: Question = [asked, perList, ranked, (row) => stale > 0 && row % 4 === stale];
          expect(makeIndex(all).find(...question)).toEqual(naiveFind(all, question));
        },
      ),
      { seed: SEED, numRuns: trials(300, 1_000) },
    );
  });

  describe('of many names', () => {
    const random = new Random(SEED);
    const sampled = LIST_KINDS.flatMap((kind, list) =>
      Array.from(sampleRecords(kind, { count: SAMPLED[kind], seed: SEED }), ({ name }) => ({
        list,
        folded: foldText(name),
      })),
    );
    const hostile = HOSTILE.flatMap((folded) => [0, 1, 2, 0].map((list) => ({ list, folded })));
    const names = [...sampled, ...hostile].map((name, row) => ({ ...name, row }));
    const index = makeIndex(names);
    // The last thousand rows have no rank.
    const ranks = shuffledRanks(random, names.length - 1_000);

    const expectTheSame = (piece: string, perList = 21, isStale = nothingStale): void => {
      const question: Question = [piece, perList, ranks, isStale];
      expect(index.find(...question), JSON.stringify(piece)).toEqual(naiveFind(names, question));
    };

    it('agrees on pieces of one to twenty characters', () => {
      for (let asked = 0; asked < trials(200, 1_000); asked++) {
        expectTheSame(pieceOf(random, random.pick(names).folded, 1 + (asked % 20)), random.between(1, 21));
      }
    });

    it('agrees on whole names, and finds nothing that is not there', () => {
      for (let asked = 0; asked < trials(60, 300); asked++) {
        const { folded } = random.pick(names);
        expectTheSame(folded);
        expect(index.find(`${folded}${random.below(1e9)}q`, 21, ranks, nothingStale)).toEqual(NOTHING);
      }
    });

    it('agrees on hostile names and on what they hold', () => {
      for (const folded of HOSTILE) {
        expectTheSame(folded);
        for (let asked = 0; asked < trials(2, 10); asked++) expectTheSame(pieceOf(random, folded, 20), 3);
        expectTheSame(`${folded}${random.pick(HOSTILE)}`);
      }
    });

    it('puts others in the place of stale rows', () => {
      for (const piece of [
        'a',
        'an',
        'kot',
        'ż',
        '_',
        ...HOSTILE,
        ...names.slice(0, 50).map(({ folded }) => folded),
      ]) {
        if (piece) expectTheSame(piece, 21, (row) => row % 50 !== 0);
      }
    });

    it('follows ranks that have changed', () => {
      for (const piece of ['a', 'ko', 'kot', 'kuba']) {
        const question: Question = [piece, 21, shuffledRanks(random, names.length), nothingStale];
        expect(index.find(...question), piece).toEqual(naiveFind(names, question));
      }
    });
  });

  it('tells apart what shares a bucket', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz0123456789_.-'];
    const triples = letters.flatMap((one) =>
      letters.flatMap((two) => letters.map((three) => one + two + three)),
    );
    const names = triples.map((folded, row) => ({ row, list: row % 3, folded }));
    const table = makeNameTable(names);
    const shared = table.bucketEnds.filter((end, bucket) => end - (table.bucketEnds[bucket - 1] ?? 0) > 1);
    expect(shared.length).toBeGreaterThan(100);
    const index = createNameIndex(table);
    for (const { row, list, folded } of names.filter((_, at) => at % trials(7, 1) === 0)) {
      const found = NOTHING.map((_, place) => (place === list ? [{ row, match: 1 }] : []));
      expect(index.find(folded, 21, NO_RANKS, nothingStale)).toEqual(found);
    }
  });

  it('finds nothing by half a character or by nothing', () => {
    const index = makeIndex(['🦊', '\ufffd', 'a\ufffdb'].map((folded, row) => ({ row, list: 0, folded })));
    for (const piece of ['', '\ud83e', '\udd8a', 'a\ud83e', '\udd8a\ud83e']) {
      expect(index.find(piece, 21, NO_RANKS, nothingStale)).toEqual(NOTHING);
    }
  });

  it('finds nothing across two names', () => {
    const index = makeIndex(['kot', 'ek', '', 'k', 'o'].map((folded, row) => ({ row, list: 0, folded })));
    for (const piece of ['kotek', 'tek', 'te', 'kk', 'ko\uffff', 'otÿ']) {
      expect(index.find(piece, 21, NO_RANKS, nothingStale), piece).toEqual(NOTHING);
    }
  });

  it('answers for no names at all', () => {
    for (const piece of ['a', 'ab', 'abc']) {
      expect(makeIndex([]).find(piece, 21, NO_RANKS, nothingStale)).toEqual(NOTHING);
    }
  });

  it('works on a table that another thread has handed over', () => {
    const table = makeNameTable([{ row: 7, list: 2, folded: 'zenek' }]);
    const moved = structuredClone(table, {
      transfer: (Object.values(table) as Uint8Array<ArrayBuffer>[]).map(({ buffer }) => buffer),
    });
    expect(table.text).toHaveLength(0);
    expect(createNameIndex(moved).find('nek', 1, NO_RANKS, nothingStale)).toEqual([
      [],
      [],
      [{ row: 7, match: 3 }],
    ]);
  });
});
