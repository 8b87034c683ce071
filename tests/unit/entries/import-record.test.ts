import { describe, expect, it } from 'vitest';
import type { ListKind } from '#src/entries/entry.ts';
import { parseImportRecord } from '#src/entries/import-record.ts';

const VALID = { id: '100000000000000001', name: 'nick', reason: 'Powód.', verified: true };
const ITEM = { text: 'Zrzut ekranu.' };
const TURTLE = '🐢';
const BROKEN_PAIR = 'holds half of a surrogate pair; only whole characters are allowed';
const NO_LINE = 'holds a control character or line break; only visible text is allowed';

function taken(facts: object, list: ListKind = 'scammers') {
  const checked = parseImportRecord({ ...VALID, ...facts }, list);
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

function problemsOfItem(facts: object): string[] {
  return problems({ proofs: { private: false, items: [facts] } });
}

describe('a record', () => {
  it('is taken as it is, with its optional fields absent', () => {
    expect(taken({})).toEqual(VALID);
  });

  it.each([
    ['text', 'a string'],
    [5, '5'],
    [null, 'null'],
    [[VALID], 'an array'],
  ])('is not %j', (value, name) => {
    expect(problemsOf(value)).toEqual([`: must be an object, not ${name}`]);
  });

  it('lists every problem at once', () => {
    expect(problems({ id: '', name: 7, verified: 'yes', views: -1 })).toEqual([
      'id: is empty or invisible; at least one visible character is needed',
      'name: must be a string, not 7',
      'verified: must be true or false, not a string',
      'views: must be at least 0',
    ]);
  });

  it.each(['id', 'name', 'reason', 'verified'] as const)('needs %s', (field) => {
    const { [field]: _left, ...rest } = VALID;
    const needed = field === 'verified' ? 'true or false' : 'a string';
    expect(problemsOf(rest)).toEqual([`${field}: is missing; ${needed} is needed`]);
    expect(problems({ [field]: null })[0]).toMatch(new RegExp(`^${field}: must be ${needed}, not null`));
  });

  it('refuses unknown fields by name', () => {
    expect(problems({ veryfied: true, Name: 'x', constructor: 'x' })).toEqual([
      ': unknown field "veryfied", "Name", "constructor"',
    ]);
    const record = JSON.parse('{"id":"1","name":"a","reason":"","verified":true,"__proto__":{}}') as unknown;
    expect(problemsOf(record)).toEqual([': unknown field "__proto__"']);
  });
});

describe('a field of one line', () => {
  it.each<[string, number, (text: string) => string[]]>([
    ['id', 64, (id) => problems({ id })],
    ['name', 100, (name) => problems({ name })],
    ['reportId', 64, (reportId) => problems({ reportId })],
    ['proofs.items[0].file', 255, (file) => problemsOfItem({ file })],
    ['proofs.items[0].caption', 1_000, (caption) => problemsOfItem({ ...ITEM, caption })],
  ])('%s has at most %i code points', (field, lengthMax, problemsWith) => {
    for (const character of ['x', TURTLE]) {
      expect(problemsWith(character.repeat(lengthMax))).toEqual([]);
      expect(problemsWith(character.repeat(lengthMax + 1))).toEqual([
        `${field}: is too long; at most ${lengthMax} characters are allowed`,
      ]);
    }
    expect(problemsWith('a\nb')).toEqual([`${field}: ${NO_LINE}`]);
  });

  it.each([
    [
      'is empty or invisible; at least one visible character is needed',
      // Zero-width characters, a right-to-left override, a variation selector, a Hangul filler.
      ['', '\u200b\u200d\u2060', '\u202e', '\ufe0f', '\u3164'],
    ],
    ['begins or ends with white space; remove it', [' x', 'x ', '\u00a0x', 'x\u3000', '\ufeffx']],
    [NO_LINE, [...'\u0000\n\t\u001b\u007f\u0085\u2028\u2029'].map((character) => `a${character}b`)],
    [BROKEN_PAIR, ['a\ud83d', '\udc22b', 'a\udc22\ud83db']],
  ])('is refused when it %s', (problem, texts) => {
    for (const name of texts) expect(problems({ name }), JSON.stringify(name)).toEqual([`name: ${problem}`]);
  });

  it.each([
    ...['a\u200bb\u200d', '\u202egnp.exe', 'a  b', '<b>&amp;"\'`', 'Żółw Źdźbło', '👨‍👩‍👧‍👦'],
    ...['__proto__', 'constructor', 'null', '0'],
  ])('keeps %j', (text) => {
    expect(taken({ id: text, name: text, reportId: text })).toMatchObject({
      id: text,
      name: text,
      reportId: text,
    });
  });

  it('is no number: one of 18 digits would lose its last ones', () => {
    expect(problems({ id: 100000000000000001 })).toEqual(['id: must be a string, not 100000000000000000']);
  });
});

describe('reason', () => {
  it('has at most 20,000 code points', () => {
    for (const character of ['x', TURTLE]) {
      expect(problems({ reason: character.repeat(20_000) })).toEqual([]);
      expect(problems({ reason: character.repeat(20_001) })).toEqual([
        'reason: is too long; at most 20000 characters are allowed',
      ]);
    }
  });

  it('may be empty, begin with white space and have tabs and line breaks', () => {
    for (const reason of ['', '  x  ', '\tcode\r\n\n- list']) expect(taken({ reason }).reason).toBe(reason);
  });

  it('refuses other control characters and half of a surrogate pair', () => {
    for (const character of '\u0000\u0008\u000b\u000c\u001f\u007f')
      expect(problems({ reason: `a${character}b` }), JSON.stringify(character)).toEqual([
        'reason: holds a control character; of these only tab and line breaks are allowed',
      ]);
    expect(problems({ reason: 'a\ud800' })).toEqual([`reason: ${BROKEN_PAIR}`]);
  });
});

describe('verified', () => {
  it.each([1, 0, 'true'])('refuses %j', (verified) => {
    expect(problems({ verified })).toEqual([expect.stringMatching(/^verified: must be true or false, not /)]);
  });

  it('may be false on the lists of reported ones only', () => {
    for (const list of ['scammers', 'servers'] as const)
      expect(taken({ verified: false }, list).verified).toBe(false);
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
    ['2026-11-19T16:05:00-05:30', Date.UTC(2026, 10, 19, 21, 35)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['1970-01-01T00:00:00Z', 0],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    [0, 0],
    [253_402_300_799_999, 253_402_300_799_999],
  ])('takes %j', (reportedAt, ms) => {
    expect(taken({ reportedAt }).reportedAt).toBe(ms);
  });

  it.each([
    ...['', 'yesterday', '2026-11-19T16:05:00', '2026-13-01', '2026-02-30', '19.11.2026', '1795000000000'],
    ...[1.5, null, true],
  ])('refuses %j', (reportedAt) => {
    expect(problems({ reportedAt })).toEqual([
      'reportedAt: must be an ISO 8601 time with a zone, such as 2026-11-19T16:05:00Z, or epoch milliseconds',
    ]);
  });

  it.each([-1, 253_402_300_800_000, '1969-12-31T23:59:59Z'])('refuses %j, outside of the years', (time) => {
    expect(problems({ reportedAt: time })).toEqual(['reportedAt: must lie between the years 1970 and 9999']);
  });
});

describe('views', () => {
  it.each([0, 1, Number.MAX_SAFE_INTEGER])('takes %j', (views) => {
    expect(taken({ views }).views).toBe(views);
  });

  it.each([
    [-1, 'must be at least 0'],
    [1.5, 'must be a whole number, not 1.5'],
    ['5', 'must be a number, not a string'],
    [null, 'must be a number, not null'],
    [2 ** 60, `must be at most ${Number.MAX_SAFE_INTEGER}`],
    [Number('1e999'), 'must be a number, not Infinity'],
  ])('refuses %j', (views, problem) => {
    expect(new Set(problems({ views }))).toEqual(new Set([`views: ${problem}`]));
  });
});

describe('proofs', () => {
  it('may be public or private, with or without items', () => {
    const whole = { text: '**a**\n\nb', url: 'https://example.com/a?b#c', file: 'a/b.png', caption: 'Opis' };
    for (const proofs of [
      { private: false, items: [] },
      { private: true, items: [whole] },
      { private: false, items: [{ url: 'http://example.com' }, { file: 'żółw 1.png' }] },
    ])
      expect(taken({ proofs }).proofs).toEqual(proofs);
  });

  it.each([
    [[], 'proofs: must be an object, not an array'],
    [null, 'proofs: must be an object, not null'],
    [{ items: [] }, 'proofs.private: is missing; true or false is needed'],
    [{ private: true }, 'proofs.items: is missing; an array is needed'],
    [{ private: true, items: {} }, 'proofs.items: must be an array, not an object'],
    [{ private: true, items: [], secret: 1 }, 'proofs: unknown field "secret"'],
    [{ private: true, items: [{ ...ITEM, link: 'x' }] }, 'proofs.items[0]: unknown field "link"'],
  ])('refuses %j', (proofs, problem) => {
    expect(problems({ proofs })).toEqual([problem]);
  });

  it('has at most 100 items', () => {
    const items = Array.from({ length: 101 }, () => ITEM);
    expect(problems({ proofs: { private: false, items: items.slice(1) } })).toEqual([]);
    expect(problems({ proofs: { private: false, items } })).toEqual([
      'proofs.items: has too many items; at most 100 are allowed',
    ]);
  });

  it('names the item at fault by its place', () => {
    const items = [ITEM, { text: 'x', url: 'ftp://example.com' }, { caption: 'alone' }];
    expect(problems({ proofs: { private: false, items } })).toEqual([
      'proofs.items[1].url: must be an http or https address',
      'proofs.items[2]: must have at least one of text, url and file',
    ]);
  });

  it.each([
    ...['javascript:alert(1)', 'data:text/html,x', 'ftp://example.com/', '//example.com', 'example.com'],
    ...['/path', 'https://', 'https://exa mple.com', 'https://example.com/a b', ' https://example.com', ''],
    ...['\n', '\u0000', '\u001b[31m', '\ud800'].map((end) => `https://example.com/${end}`),
  ])('refuses the address %j', (url) => {
    expect(problemsOfItem({ url })).toEqual(['proofs.items[0].url: must be an http or https address']);
  });

  it('bounds address and text', () => {
    const address = 'https://example.com/';
    expect(problemsOfItem({ url: address.padEnd(2_000, 'a') })).toEqual([]);
    expect(problemsOfItem({ url: address.padEnd(2_001, 'a') })).toEqual([
      'proofs.items[0].url: is too long; at most 2000 characters are allowed',
    ]);
    expect(problemsOfItem({ text: 'x'.repeat(20_001) })).toEqual([
      'proofs.items[0].text: is too long; at most 20000 characters are allowed',
    ]);
  });
});
