import { describe, expect, it } from 'vitest';
import {
  orderByVerdict,
  parseVerdictQuery,
  parseVerdictsQuery,
  warningsOf,
  type JudgedEntry,
} from '#src/entries/verdict.ts';

const REPORTED: JudgedEntry = { list: 'scammers', verified: true };
const RISK: JudgedEntry = { list: 'servers', verified: false };
const TRUSTED: JudgedEntry = { list: 'legit', verified: true };
const HIJACKED = { ...TRUSTED, verified: false };
const ID = '123456789012345678';

it('the deciding entry comes first, and trust only where nothing is reported', () => {
  expect(orderByVerdict([TRUSTED])).toEqual([TRUSTED]);
  expect(orderByVerdict([TRUSTED, RISK, REPORTED])).toEqual([REPORTED, RISK]);
  expect(orderByVerdict([REPORTED, RISK])).toEqual([REPORTED, RISK]);
  expect(orderByVerdict([RISK, TRUSTED])).toEqual([RISK]);
  expect(orderByVerdict([HIJACKED, RISK])).toEqual([RISK]);
  expect(orderByVerdict([TRUSTED, HIJACKED])).toEqual([HIJACKED, TRUSTED]);
});

it('the query of a verdict has the name as the field on the page does, and leaves out what is not given', () => {
  const query = { id: undefined, name: 'Jan' };
  expect(parseVerdictQuery([['name', ' @Jan#0001 ']])).toEqual({ query, problems: [] });
  expect(parseVerdictQuery([['id', ` ${ID} `]]).query).toEqual({ id: ID, name: undefined });
});

describe('the query of many verdicts', () => {
  it('takes each ID once, in their order, without the spaces around', () => {
    expect(parseVerdictsQuery([['ids', '2, 1 ,2,3']])).toEqual({ query: ['2', '1', '3'], problems: [] });
  });

  it('takes IDs of 64 characters, and names a longer one, cut', () => {
    const ids = Array.from({ length: 100 }, (_, at) => String(at).padStart(64, 'x'));
    expect(parseVerdictsQuery([['ids', ids.join(',')]])).toEqual({ query: ids, problems: [] });
    const [problem] = parseVerdictsQuery([['ids', `${'3'.repeat(65)},1`]]).problems;
    const allowed = 'od 1 do 100 ID oddzielonych przecinkami, każde najwyżej 64 znaki';
    expect(problem).toEqual({ parameter: 'ids', raw: '3'.repeat(64), allowed });
  });

  it.each(['', '1,,2', '1,'.repeat(100) + '1', '1'.repeat(12_801)])('refuses %s once', (ids) => {
    expect(parseVerdictsQuery([['ids', ids]]).problems).toHaveLength(1);
  });
});

describe('warnings', () => {
  const bare = { id: undefined, name: undefined };

  it('tell whom the name looks like', () => {
    expect(warningsOf(bare, false, [])).toEqual([]);
    expect(warningsOf(bare, false, ['legit'])).toEqual(['looks_like_trusted']);
    expect(warningsOf(bare, false, ['servers'])).toEqual(['looks_like_reported']);
    const both = ['looks_like_trusted', 'looks_like_reported'];
    expect(warningsOf(bare, false, ['scammers', 'legit'])).toEqual(both);
  });

  it('tell of scripts that are mixed and of what cannot be seen', () => {
    expect(warningsOf({ ...bare, name: 'Jan' }, false, [])).toEqual([]);
    expect(warningsOf({ ...bare, name: 'J\u0430n' }, false, [])).toEqual(['mixed_scripts']);
    expect(warningsOf({ ...bare, name: 'J\u200ban' }, false, [])).toEqual(['hidden_characters']);
  });

  it.each(['1234567890123456', '123456789012345678901', `x${ID}`])('tell that %s is no ID', (id) => {
    expect(warningsOf({ ...bare, id }, true, [])).toEqual(['id_malformed']);
  });

  it('tell that an ID may have lost its last digits in a double, unless it is listed', () => {
    expect(warningsOf({ ...bare, id: '123456789012345680' }, false, [])).toEqual(['id_rounded']);
    expect(warningsOf({ ...bare, id: '123456789012345680' }, true, [])).toEqual([]);
    expect(warningsOf({ ...bare, id: ID }, false, [])).toEqual([]);
    expect(warningsOf({ ...bare, id: '9007199254740991' }, false, [])).toEqual(['id_malformed']);
  });
});
