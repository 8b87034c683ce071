import { expect, it } from 'vitest';
import { parseId, parseNick, parseCheckInput } from '#src/entries/parse-check-input.ts';

const ID = '1572250755006587457';
const OTHER = '100000000000000001';

const END_MARKS = ['.', ')', ',', '>', '"', '”', '’', '`', '||', ' .', '/.', '/?x=1&y#z,'];

it.each([
  '1572 2507 5500 6587 457',
  'ID 1572 2507 5500 6587 457',
  `chat.example/app/users/${ID}/`,
  `(https://chat.example:443/users/${ID}/)`,
  ...END_MARKS.map((end) => `https://chat.example/users/${ID}${end}`),
  `ID${ID}`,
  `nick kupskin (${ID})`,
  `<@&${ID}> nie oddał 50 zł`,
  `${ID} albo ${ID}`,
  `${ID} z <#${OTHER}> <:ok:${OTHER}>`,
  `**[https://chat.example/users/${ID}](https://chat.example/users/${ID})**`,
  `[](<https://chat.example/users/${ID}>)`,
  `\\<@!${ID}>,`,
  `< @${ID} >`,
  ...['`', '*', '__', '_', '~~', '||', "'"].map((mark) => `${mark}${ID}${mark}`),
  ...[`„${ID}”`, `«${ID}»`, `[${ID}]`, `${ID}…`],
  ...['\u200b', '\u00ad', '\u034f', '\ufe0f\u20e3'].map((unseen) => [...ID].join(unseen)),
  ...['\u00a0', '\u3000', '\u2800', '\n'].map(
    (space) => `1572${space}2507${space}5500${space}6587457${space}`,
  ),
  // Full-width and bold digits.
  ...[0xff10, 0x1d7ce].map((zero) =>
    ID.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))),
  ),
])('reads the ID of %s', (typed) => {
  expect(parseCheckInput(typed)).toEqual({ kind: 'id', id: ID });
});

it('reads the digits of every script, in tens from 0 to 9', () => {
  const points = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
  const digits = points.filter((point) => /\p{Nd}/u.test(point));
  expect(digits.length).toBeGreaterThan(700);
  for (const [at, digit] of digits.entries())
    expect(parseId(ID.slice(1) + digit)).toBe(ID.slice(1) + String(at % 10));
});

it.each([
  ['@kupskin 24#0001', 'kupskin 24'],
  [' @plain_one#0\u200b', 'plain_one\u200b'],
  ['plain_one#00', 'plain_one#00'],
  ['kupskin#00011', 'kupskin#00011'],
  ['#0', '#0'],
  ['__plain_one__', '__plain_one__'],
  ['<:ok:1>', '<:ok:1>'],
  [`<#${OTHER}>`, `<#${OTHER}>`],
  ['@@x', '@x'],
  ['12345678901234', '12345678901234'],
  ['R-kelly', 'R-kelly'],
  [`user${ID}`, `user${ID}`],
  [`${ID}_x`, `${ID}_x`],
  ['id: 1234567890123456', 'id: 1234567890123456'],
  ['Sklep. Tanio/szybko', 'Sklep. Tanio/szybko'],
])('reads the nick of %s', (typed, nick) => {
  expect(parseCheckInput(typed)).toEqual({ kind: 'nick', nick });
  expect(parseNick(typed)).toBe(nick);
});

it.each<[string, object]>([
  ['https://chat.gg/abc-DEF.', { kind: 'doubt', doubt: 'invite' }],
  ['chat.example/invite/abc?x=1', { kind: 'doubt', doubt: 'invite' }],
  ...[`channels/${ID}`, `channels/${ID}/${OTHER}/${OTHER}?x=1#y`, `guilds/${ID}`].map(
    (path) => [`https://chat.example/${path}`, { kind: 'id', id: ID, isServer: true }] as [string, object],
  ),
  [`https://chat.example/channels/@me/${OTHER}`, { kind: 'doubt', doubt: 'direct' }],
  [`<https://cdn.example/avatars/${ID}/abc.png>`, { kind: 'doubt', doubt: 'link' }],
  ['https://sklep.example', { kind: 'doubt', doubt: 'link' }],
  ['www.sklep.example', { kind: 'doubt', doubt: 'link' }],
  ['sklep.example/oferta?x=1', { kind: 'doubt', doubt: 'link' }],
  [`${ID} i ${OTHER}`, { kind: 'doubt', doubt: 'several' }],
  ['123456789012345', { kind: 'digits', digits: '123456789012345' }],
  ['1234 5678 9012 3456', { kind: 'digits', digits: '1234567890123456' }],
  ['1'.repeat(21), { kind: 'digits', digits: '1'.repeat(21) }],
  ['(r-7k2f9qabcd).', { kind: 'report', number: 'R-7K2F9QABCD', nick: '(r-7k2f9qabcd).' }],
])('reads %s', (typed, subject) => {
  expect(parseCheckInput(typed)).toEqual(subject);
});

it('leaves what names no ID as it is', () => {
  for (const given of ['marek', '7', '1'.repeat(21), `${ID} ${OTHER}`, ''])
    expect(parseId(given)).toBe(given);
  expect(parseId(`<@${ID}>`)).toBe(ID);
});

it('reads a hundred characters of anything at once', () => {
  for (const typed of [
    'a.'.repeat(50),
    '/'.repeat(100),
    `https://${'a-'.repeat(46)}`,
    '<@'.repeat(50),
    '[]('.repeat(33),
    '.'.repeat(99) + 'x.',
    ' '.repeat(100),
  ])
    expect(['nick', 'doubt']).toContain(parseCheckInput(typed).kind);
});
