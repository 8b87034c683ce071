import { describe, expect, it } from 'vitest';
import {
  decide,
  parseVerdictQuery,
  parseVerdictsQuery,
  verdictOf,
  warningsOf,
  type Listed,
} from '#src/entries/verdict.ts';

const REPORTED: Listed = { list: 'scammers', verified: true };
const RISK: Listed = { list: 'servers', verified: false };
const TRUSTED: Listed = { list: 'legit', verified: true };
const ID = '123456789012345678';

it('an entry of the trusted list is trust, verified or not; others are reports or risks', () => {
  expect(verdictOf(TRUSTED)).toBe('trusted');
  expect(verdictOf({ ...TRUSTED, verified: false })).toBe('trusted');
  expect(verdictOf(REPORTED)).toBe('reported');
  expect(verdictOf(RISK)).toBe('risk');
});

describe('the deciding entry', () => {
  it.each<[readonly Listed[], readonly Listed[]]>([
    [[], []],
    [[TRUSTED], [TRUSTED]],
    [
      [RISK, REPORTED],
      [REPORTED, RISK],
    ],
    [
      [REPORTED, RISK],
      [REPORTED, RISK],
    ],
    [[RISK, TRUSTED], [RISK]],
    [
      [TRUSTED, RISK, REPORTED],
      [REPORTED, RISK],
    ],
    [
      [TRUSTED, { ...TRUSTED, verified: false }],
      [TRUSTED, { ...TRUSTED, verified: false }],
    ],
  ])('of %j comes first, and trust only where nothing is reported', (entries, expected) => {
    expect(decide(entries)).toEqual(expected);
  });
});

describe('the query of a verdict', () => {
  it('reads the name as the field on the page does, and leaves out what is not given', () => {
    expect(parseVerdictQuery([['name', ' @Jan#0001 ']])).toEqual({
      query: { id: undefined, name: 'Jan' },
      problems: [],
    });
    expect(parseVerdictQuery([['id', ` ${ID} `]]).query).toEqual({ id: ID, name: undefined });
  });

  it('refuses what is too long', () => {
    expect(parseVerdictQuery([['id', '1'.repeat(65)]]).problems).toMatchObject([{ parameter: 'id' }]);
    expect(parseVerdictQuery([['name', 'x'.repeat(101)]]).problems).toMatchObject([{ parameter: 'name' }]);
  });
});

describe('the query of many verdicts', () => {
  it('takes each ID once, in their order, without the spaces around', () => {
    expect(parseVerdictsQuery([['ids', '2, 1 ,2,3']])).toEqual({ query: ['2', '1', '3'], problems: [] });
  });

  it('takes a hundred, with 64 characters each', () => {
    const ids = Array.from({ length: 100 }, (_, at) => String(at).padStart(64, 'x'));
    expect(parseVerdictsQuery([['ids', ids.join(',')]])).toEqual({ query: ids, problems: [] });
  });

  it.each([
    ['none', []],
    ['an empty one', [['ids', '1,,2']]],
    ['one that is too long', [['ids', `1,${'2'.repeat(65)}`]]],
    ['too many', [['ids', Array.from({ length: 101 }, () => '1').join()]]],
  ] as const)('refuses %s', (_, pairs) => {
    expect(parseVerdictsQuery(pairs as never)).toEqual({
      query: [],
      problems: [
        {
          parameter: 'ids',
          given: expect.any(String) as string,
          allowed: 'od 1 do 100 ID oddzielonych przecinkami, każde najwyżej 64 znaki',
        },
      ],
    });
  });

  it('names what was given, cut', () => {
    const [problem] = parseVerdictsQuery([['ids', `${'3'.repeat(65)},1`]]).problems;
    expect(problem?.given).toBe('3'.repeat(64));
    expect(parseVerdictsQuery([]).problems[0]?.given).toBe('');
  });

  it('says once that it is far too long', () => {
    expect(parseVerdictsQuery([['ids', '1'.repeat(12_801)]]).problems).toMatchObject([
      { allowed: 'najwyżej 12800 znaków (podano 12801)' },
    ]);
  });
});

describe('warnings', () => {
  const bare = { id: undefined, name: undefined };

  it('tell whom the name looks like', () => {
    expect(warningsOf(bare, false, [])).toEqual([]);
    expect(warningsOf(bare, false, ['legit'])).toEqual(['looks_like_trusted']);
    expect(warningsOf(bare, false, ['servers'])).toEqual(['looks_like_reported']);
    expect(warningsOf(bare, false, ['scammers', 'legit'])).toEqual([
      'looks_like_trusted',
      'looks_like_reported',
    ]);
  });

  it('tell of scripts that are mixed and of what cannot be seen', () => {
    expect(warningsOf({ ...bare, name: 'Jan' }, false, [])).toEqual([]);
    expect(warningsOf({ ...bare, name: 'J\u0430n' }, false, [])).toEqual(['mixed_scripts']);
    expect(warningsOf({ ...bare, name: 'J\u200ban' }, false, [])).toEqual(['hidden_characters']);
  });

  it.each(['1', '1234567890123456', '123456789012345678901', `x${ID}`, `${ID}x`])(
    'tell that %s is no ID of the platform',
    (id) => {
      expect(warningsOf({ ...bare, id }, true, [])).toEqual(['id_malformed']);
    },
  );

  it('tell that an ID may have lost its last digits in a double, unless it is listed', () => {
    expect(warningsOf({ ...bare, id: '123456789012345680' }, false, [])).toEqual(['id_rounded']);
    expect(warningsOf({ ...bare, id: '123456789012345680' }, true, [])).toEqual([]);
    expect(warningsOf({ ...bare, id: ID }, false, [])).toEqual([]);
    expect(warningsOf({ ...bare, id: '9007199254740991' }, false, [])).toEqual(['id_malformed']);
  });
});
