import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ListKind } from '#src/entries/entry.ts';
import { findTimeProblem, parseImportRecord, RECORD_SHAPE } from '#src/entries/import-record.ts';

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
    [5, '5'],
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

  it.each(['id', 'name', 'reason', 'verified'])('needs %s', (field) => {
    const needed = field === 'verified' ? 'true or false' : 'a string';
    expect(problems({ [field]: undefined })).toEqual([`${field}: is missing; ${needed} is needed`]);
    expect(problems({ [field]: null })).toEqual([`${field}: must be ${needed}, not null`]);
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
      // Zero-width characters, a right-to-left override, a variation selector, fillers, tags, empty signs, marks alone.
      [
        ...['', '\u200b\u200d\u2060', '\u115f\u1160', '\u2800\u200b\u2800', '\u0489\u20dd'],
        ...'\u202e\ufe0f\u3164\uffa0\u2063\u00ad\u{e0041}\u2800\u{1d159}\u{16fe4}\u0301\ufff9',
      ],
    ],
    ['begins or ends with white space; remove it', [' x', 'x ', '\u00a0x', 'x\u3000', '\ufeffx']],
    [NO_LINE, [...'\u0000\n\t\u001b\u007f\u0085\u2028\u2029'].map((character) => `a${character}b`)],
    [BROKEN_PAIR, ['a\ud83d', '\udc22b', 'a\udc22\ud83db']],
  ])('is refused when it %s', (problem, texts) => {
    for (const name of texts) expect(problems({ name }), JSON.stringify(name)).toEqual([`name: ${problem}`]);
  });

  const odd = ['a\u200bb\u200d', '\u2800.', 'x\u0301', '\u202egnp.exe', 'a  b', '<b>&amp;"\'`', '👨‍👩‍👧‍👦'];
  it.each([...odd, '__proto__', '0'])('keeps %j', (text) => {
    const fields = { id: text, name: text, reportId: text };
    expect(taken(fields)).toMatchObject(fields);
  });

  it('is no number: one of 18 digits would lose its last ones', () => {
    expect(problems({ id: 100000000000000001 })).toEqual(['id: must be a string, not 100000000000000000']);
  });
});

describe('a field', () => {
  it.each([
    ...['', '  x  ', '\tcode\r\n\n- list', TURTLE.repeat(20_000)].map((reason) => ({ reason })),
    ...[0, Number.MAX_SAFE_INTEGER].map((views) => ({ views })),
    ...[
      { private: false, items: [] },
      {
        private: true,
        items: [{ ...ITEM, url: 'https://example.com/a?b#c', file: 'a/b.png', caption: 'Opis' }],
      },
      { private: false, items: [{ url: 'http://example.com' }, { file: 'żółw 1.png' }] },
      { private: false, items: Array.from({ length: 100 }, () => ITEM) },
      { private: false, items: [{ url: 'https://example.com/'.padEnd(2_000, 'a') }] },
    ].map((proofs) => ({ proofs })),
  ])('is taken as it is: %#', (facts) => {
    expect(taken(facts)).toEqual({ ...VALID, ...facts });
  });

  it.each<[string, ...object[]]>([
    ['reason: is too long; at most 20000 characters are allowed', { reason: TURTLE.repeat(20_001) }],
    [`reason: ${BROKEN_PAIR}`, { reason: 'a\ud800' }],
    [
      'reason: holds a control character; of these only tab and line breaks are allowed',
      ...[...'\u0000\u0008\u000b\u000c\u001f\u007f'].map((character) => ({ reason: `a${character}b` })),
    ],
    ['verified: must be true or false, not 1', { verified: 1 }],
    ['views: must be a whole number, not 1.5', { views: 1.5 }],
    ['views: must be a number, not a string', { views: '5' }],
    [`views: must be at most ${Number.MAX_SAFE_INTEGER}`, { views: 2 ** 60 }],
    ['proofs.private: is missing; true or false is needed', { proofs: { items: [] } }],
    ['proofs.items: is missing; an array is needed', { proofs: { private: true } }],
    ['proofs: unknown field "secret"', { proofs: { private: true, items: [], secret: 1 } }],
    ['proofs.items[0]: unknown field "link"', { proofs: { private: true, items: [{ ...ITEM, link: 'x' }] } }],
    [
      'proofs.items: has too many items; at most 100 are allowed',
      { proofs: { private: false, items: Array.from({ length: 101 }, () => ITEM) } },
    ],
    [
      'proofs.items[1]: must have at least one of text, url and file',
      { proofs: { private: false, items: [ITEM, { caption: 'alone' }] } },
    ],
    [
      'proofs.items[0].url: is too long; at most 2000 characters are allowed',
      { proofs: { private: false, items: [{ url: 'https://example.com/'.padEnd(2_001, 'a') }] } },
    ],
    [
      'proofs.items[0].text: is too long; at most 20000 characters are allowed',
      { proofs: { private: false, items: [{ text: 'x'.repeat(20_001) }] } },
    ],
  ])('is refused: %s', (problem, ...refused) => {
    for (const facts of refused) expect(new Set(problems(facts))).toEqual(new Set([problem]));
  });
});

it('may be of the risk list, but for the trusted one', () => {
  expect(taken({ verified: false }, 'servers').verified).toBe(false);
  expect(problems({ verified: false }, 'legit')).toEqual([
    'verified: must be true: the trusted list has no risk entries',
  ]);
});

it('has a line for each field in its README', () => {
  const readme = readFileSync('src/operator/import/README.md', 'utf8');
  expect(readme.match(/(?<=^\| `)\w+/gm)).toEqual(Object.keys(RECORD_SHAPE));
});

describe('reportedAt', () => {
  it.each([
    ['2026-11-19T16:05:00.123Z', Date.UTC(2026, 10, 19, 16, 5, 0, 123)],
    ['2026-11-19T16:05:00-05:30', Date.UTC(2026, 10, 19, 21, 35)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    [0, 0],
  ])('takes %j', (reportedAt, ms) => {
    expect(taken({ reportedAt }).reportedAt).toBe(ms);
  });

  it.each(['', '2026-11-19T16:05:00', '2026-02-30', '1795000000000', 1.5, null])('refuses %j', (time) => {
    expect(problems({ reportedAt: time })).toEqual([
      'reportedAt: must be an ISO 8601 time with a zone, such as 2026-11-19T16:05:00Z, or epoch milliseconds',
    ]);
  });

  it.each([253_402_300_800_000, '1969-12-31T23:59:59Z'])('refuses %j, outside of the years', (time) => {
    expect(problems({ reportedAt: time })).toEqual(['reportedAt: must lie between the years 1970 and 9999']);
  });

  const now = Date.UTC(2026, 10, 20);
  const [first, last] = [Date.UTC(2015, 0, 1), now + 86_400_000];
  const allowed = 'a time from 2015-01-01 to 2026-11-21 is allowed';
  const seconds = (ms: number): string => `; are these seconds? Milliseconds would be ${ms}`;
  it.each([
    [first, undefined],
    [last, undefined],
    [first - 1, `2014-12-31 is before the platform began: ${allowed}`],
    [last + 1, `2026-11-21 is more than a day ahead: ${allowed}`],
    [now / 1_000, `1970-01-21 is before the platform began: ${allowed}${seconds(now)}`],
    [first / 1_000, `1970-01-17 is before the platform began: ${allowed}${seconds(first)}`],
    [first / 1_000 - 1, `1970-01-17 is before the platform began: ${allowed}`],
  ])('of a new entry, %i ms, is judged', (at, problem) => {
    expect(findTimeProblem(at, now)).toBe(problem);
  });
});

it.each([
  ...['javascript:alert(1)', '//example.com', 'example.com', 'https://', 'https://example.com/a b'],
  ...[' https://example.com', 'https://example.com/\u0000', 'https://example.com/\ud800'],
])('refuses the address %j', (url) => {
  expect(problemsOfItem({ url })).toEqual(['proofs.items[0].url: must be an http or https address']);
});
