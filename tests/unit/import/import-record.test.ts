import { describe, expect, it } from 'vitest';
import type { ListKind } from '#src/entries/entry.ts';
import { parseImportRecord } from '#src/entries/import-record.ts';

const VALID = { id: '100000000000000001', name: 'nick', reason: 'Powód.', verified: true };
const TURTLE = '🐢';

function parse(facts: object, list: ListKind = 'scammers') {
  return parseImportRecord({ ...VALID, ...facts }, list);
}

function taken(facts: object, list?: ListKind) {
  const checked = parse(facts, list);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.record;
}

/** `field: problem`, one for each problem. */
function problemsOf(value: unknown, list: ListKind = 'scammers'): string[] {
  const checked = parseImportRecord(value, list);
  return checked.ok ? [] : checked.problems.map(({ field, problem }) => `${field}: ${problem}`);
}

function problems(facts: object, list?: ListKind): string[] {
  return problemsOf({ ...VALID, ...facts }, list);
}

describe('a record', () => {
  it('is taken as it is, with its optional fields absent', () => {
    expect(taken({})).toEqual(VALID);
  });

  it.each([
    ['a string', 'text', ': must be an object, not a string'],
    ['a number', 5, ': must be an object, not 5'],
    ['null', null, ': must be an object, not null'],
    ['an array', [VALID], ': must be an object, not an array'],
  ])('is no %s', (_name, value, problem) => {
    expect(problemsOf(value)).toEqual([problem]);
  });

  it('lists every problem at once', () => {
    expect(problems({ id: '', name: 7, verified: 'yes', views: -1 })).toEqual([
      'id: is empty or invisible; at least one visible character is needed',
      'name: must be a string, not 7',
      'verified: must be true or false, not a string',
      'views: must be at least 0',
    ]);
  });

  it.each(['id', 'name', 'reason', 'verified'])('needs %s', (field) => {
    const { [field as keyof typeof VALID]: _left, ...rest } = VALID;
    const needed = field === 'verified' ? 'true or false' : 'a string';
    expect(problemsOf(rest)).toEqual([`${field}: is missing; ${needed} is needed`]);
  });

  it('refuses null where a value is needed', () => {
    expect(problems({ name: null })).toEqual(['name: must be a string, not null']);
    expect(problems({ views: null })).toEqual(['views: must be a number, not null']);
  });

  it('refuses unknown fields by name', () => {
    expect(problems({ veryfied: true, Name: 'x' })).toEqual([': unknown field "veryfied", "Name"']);
    expect(
      problemsOf(JSON.parse(`{"id":"1","name":"a","reason":"","verified":true,"__proto__":{}}`)),
    ).toEqual([': unknown field "__proto__"']);
  });

  it('does not take what Object.prototype has for its own', () => {
    expect(problems({ constructor: 'x' })).toEqual([': unknown field "constructor"']);
  });
});

describe.each([
  ['id', 64],
  ['name', 100],
  ['reportId', 64],
] as const)('%s', (field, lengthMax) => {
  const tooLong = [`${field}: is too long; at most ${lengthMax} characters are allowed`];

  it(`has at most ${lengthMax} code points`, () => {
    expect(problems({ [field]: 'x'.repeat(lengthMax) })).toEqual([]);
    expect(problems({ [field]: 'x'.repeat(lengthMax + 1) })).toEqual(tooLong);
  });

  it('counts a character outside the basic plane as one', () => {
    expect(problems({ [field]: TURTLE.repeat(lengthMax) })).toEqual([]);
    expect(problems({ [field]: TURTLE.repeat(lengthMax + 1) })).toEqual(tooLong);
  });

  it.each([
    ['nothing', ''],
    ['zero-width characters only', '\u200b\u200d\u2060'],
    ['a right-to-left override only', '\u202e'],
    ['a variation selector only', '\ufe0f'],
    ['a Hangul filler only', '\u3164'],
  ])('refuses %s', (_name, text) => {
    expect(problems({ [field]: text })).toEqual([
      `${field}: is empty or invisible; at least one visible character is needed`,
    ]);
  });

  it.each([
    ['a space before', ' x'],
    ['a space behind', 'x '],
    ['a no-break space', '\u00a0x'],
    ['an ideographic space', 'x\u3000'],
    ['a byte order mark', '\ufeffx'],
  ])('refuses outer white space: %s', (_name, text) => {
    expect(problems({ [field]: text })).toEqual([`${field}: begins or ends with white space; remove it`]);
  });

  it.each([
    ['NUL', 'a\u0000b'],
    ['newline', 'a\nb'],
    ['tab', 'a\tb'],
    ['escape', 'a\u001bb'],
    ['delete', 'a\u007fb'],
    ['next line (C1)', 'a\u0085b'],
    ['line separator', 'a\u2028b'],
    ['paragraph separator', 'a\u2029b'],
  ])('refuses a control character: %s', (_name, text) => {
    expect(problems({ [field]: text })).toEqual([
      `${field}: holds a control character or line break; only visible text is allowed`,
    ]);
  });

  it.each([
    ['a high surrogate', 'a\ud83d'],
    ['a low surrogate', '\udc22b'],
    ['surrogates in the wrong order', 'a\udc22\ud83db'],
  ])('refuses %s alone', (_name, text) => {
    expect(problems({ [field]: text })).toEqual([
      `${field}: holds half of a surrogate pair; only whole characters are allowed`,
    ]);
  });

  it.each([
    ['zero-width characters', 'a\u200bb\u200d'],
    ['a right-to-left override', '\u202egnp.exe'],
    ['inner spaces', 'a  b'],
    ['markup', '<b>&amp;"\'`'],
    ['Polish letters', 'Żółw Źdźbło'],
    ['an emoji of several code points', '👨‍👩‍👧‍👦'],
  ])('keeps %s as given', (_name, text) => {
    expect(taken({ [field]: text })[field]).toBe(text);
  });
});

describe('id and name', () => {
  it('are strings, never numbers: a number of 18 digits would lose its last ones', () => {
    expect(problems({ id: 100000000000000001 })).toEqual(['id: must be a string, not 100000000000000000']);
  });

  it('may be words that mean something to JavaScript', () => {
    for (const word of ['__proto__', 'constructor', 'null', 'undefined', '0']) {
      expect(taken({ id: word, name: word })).toMatchObject({ id: word, name: word });
    }
  });
});

describe('reason', () => {
  it('has at most 20,000 code points', () => {
    const tooLong = ['reason: is too long; at most 20000 characters are allowed'];
    expect(problems({ reason: 'x'.repeat(20_000) })).toEqual([]);
    expect(problems({ reason: 'x'.repeat(20_001) })).toEqual(tooLong);
    expect(problems({ reason: TURTLE.repeat(20_000) })).toEqual([]);
    expect(problems({ reason: TURTLE.repeat(20_001) })).toEqual(tooLong);
  });

  it('may be empty, begin with white space and have tabs and line breaks', () => {
    for (const reason of ['', '  x  ', '\tcode\r\n\n- list']) expect(taken({ reason }).reason).toBe(reason);
  });

  it.each(['\u0000', '\u0008', '\u000b', '\u000c', '\u001f', '\u007f'])(
    'refuses the control character %j',
    (character) => {
      expect(problems({ reason: `a${character}b` })).toEqual([
        'reason: holds a control character; of these only tab and line breaks are allowed',
      ]);
    },
  );

  it('refuses half of a surrogate pair', () => {
    expect(problems({ reason: 'a\ud800' })).toEqual([
      'reason: holds half of a surrogate pair; only whole characters are allowed',
    ]);
  });
});

describe('verified', () => {
  it.each([1, 0, 'true', null])('refuses %j', (verified) => {
    expect(problems({ verified })).toEqual([expect.stringMatching(/^verified: must be true or false, not /)]);
  });

  it('may be false on the lists of reported ones only', () => {
    expect(taken({ verified: false }, 'scammers').verified).toBe(false);
    expect(taken({ verified: false }, 'servers').verified).toBe(false);
    expect(problems({ verified: false }, 'legit')).toEqual([
      'verified: must be true: the trusted list has no risk entries',
    ]);
    expect(taken({ verified: true }, 'legit').verified).toBe(true);
  });
});

describe('reportedAt', () => {
  it.each([
    ['2026-11-19T16:05:00Z', Date.UTC(2026, 10, 19, 16, 5)],
    ['2026-11-19T16:05:00.123Z', Date.UTC(2026, 10, 19, 16, 5, 0, 123)],
    ['2026-11-19T16:05:00+01:00', Date.UTC(2026, 10, 19, 15, 5)],
    ['2026-11-19T16:05:00-05:30', Date.UTC(2026, 10, 19, 21, 35)],
    ['2026-11-19', Date.UTC(2026, 10, 19)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['1970-01-01T00:00:00Z', 0],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    [0, 0],
    [1_795_000_000_000, 1_795_000_000_000],
    [253_402_300_799_999, 253_402_300_799_999],
  ])('takes %j', (reportedAt, ms) => {
    expect(taken({ reportedAt }).reportedAt).toBe(ms);
  });

  it.each([
    '',
    'yesterday',
    '2026-11-19T16:05:00',
    '2026-13-01',
    '2026-02-30',
    '19.11.2026',
    '1795000000000',
    1.5,
    null,
    true,
  ])('refuses %j', (reportedAt) => {
    expect(problems({ reportedAt })).toEqual([
      'reportedAt: must be an ISO 8601 time with a zone, such as 2026-11-19T16:05:00Z, or epoch milliseconds',
    ]);
  });

  it.each([-1, 253_402_300_800_000, '1969-12-31T23:59:59Z'])(
    'refuses %j, outside of the years',
    (reportedAt) => {
      expect(problems({ reportedAt })).toEqual(['reportedAt: must lie between the years 1970 and 9999']);
    },
  );
});

describe('views', () => {
  it.each([0, 1, Number.MAX_SAFE_INTEGER])('takes %j', (views) => {
    expect(taken({ views }).views).toBe(views);
  });

  it.each([
    [-1, 'must be at least 0'],
    [1.5, 'must be a whole number, not 1.5'],
    ['5', 'must be a number, not a string'],
    [2 ** 60, `must be at most ${Number.MAX_SAFE_INTEGER}`],
    [Number('1e999'), 'must be a number, not Infinity'],
  ])('refuses %j', (views, problem) => {
    expect(new Set(problems({ views }))).toEqual(new Set([`views: ${problem}`]));
  });
});

describe('proofs', () => {
  const item = { text: 'Zrzut ekranu.' };
  const withItem = (facts: object): string[] => problems({ proofs: { private: false, items: [facts] } });

  it('may be public or private, with or without items', () => {
    for (const proofs of [
      { private: false, items: [] },
      { private: true, items: [] },
      {
        private: true,
        items: [{ text: '**a**\n\nb', url: 'https://example.com/a?b#c', file: 'a/b.png', caption: 'Opis' }],
      },
      { private: false, items: [{ url: 'http://example.com' }, { file: 'żółw 1.png' }] },
    ]) {
      expect(taken({ proofs }).proofs).toEqual(proofs);
    }
  });

  it.each([
    ['an array', [], ['proofs: must be an object, not an array']],
    ['null', null, ['proofs: must be an object, not null']],
    ['no private', { items: [] }, ['proofs.private: is missing; true or false is needed']],
    ['no items', { private: true }, ['proofs.items: is missing; an array is needed']],
    ['an object of items', { private: true, items: {} }, ['proofs.items: must be an array, not an object']],
    ['more', { private: true, items: [], secret: 1 }, ['proofs: unknown field "secret"']],
  ])('refuses %s', (_name, proofs, expected) => {
    expect(problems({ proofs })).toEqual(expected);
  });

  it('has at most 100 items', () => {
    const items = Array.from({ length: 101 }, () => item);
    expect(problems({ proofs: { private: false, items: items.slice(1) } })).toEqual([]);
    expect(problems({ proofs: { private: false, items } })).toEqual([
      'proofs.items: has too many items; at most 100 are allowed',
    ]);
  });

  it('names the item at fault by its place', () => {
    const items = [item, { text: 'x', url: 'ftp://example.com' }, { caption: 'alone' }];
    expect(problems({ proofs: { private: false, items } })).toEqual([
      'proofs.items[1].url: must be an http or https address',
      'proofs.items[2]: must have at least one of text, url and file',
    ]);
  });

  it('refuses unknown fields of an item', () => {
    expect(withItem({ ...item, link: 'x' })).toEqual(['proofs.items[0]: unknown field "link"']);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://example.com/',
    '//example.com',
    'example.com',
    '/path',
    'https://',
    'https://exa mple.com',
    'https://example.com/a b',
    ' https://example.com',
    'https://example.com/\n',
    'https://example.com/\u0000',
    'https://example.com/\u001b[31m',
    'https://example.com/\ud800',
    '',
  ])('refuses the address %j', (url) => {
    expect(withItem({ url })).toEqual(['proofs.items[0].url: must be an http or https address']);
  });

  it('bounds address, text, file name and caption', () => {
    const address = 'https://example.com/';
    expect(withItem({ url: address.padEnd(2000, 'a') })).toEqual([]);
    expect(withItem({ url: address.padEnd(2001, 'a') })).toEqual([
      'proofs.items[0].url: is too long; at most 2000 characters are allowed',
    ]);
    expect(withItem({ text: 'x'.repeat(20_001) })).toEqual([
      'proofs.items[0].text: is too long; at most 20000 characters are allowed',
    ]);
    expect(withItem({ file: 'x'.repeat(256) })).toEqual([
      'proofs.items[0].file: is too long; at most 255 characters are allowed',
    ]);
    expect(withItem({ ...item, caption: 'x'.repeat(1001) })).toEqual([
      'proofs.items[0].caption: is too long; at most 1000 characters are allowed',
    ]);
  });

  it.each(['file', 'caption'])('holds %s to one line of visible text', (field) => {
    expect(withItem({ ...item, [field]: 'a\u0000b' })).toEqual([
      `proofs.items[0].${field}: holds a control character or line break; only visible text is allowed`,
    ]);
  });
});
