import { expect, it } from 'vitest';
import { parseId, parseNick, parseSubject } from '#src/entries/read-subject.ts';

const ID = '1572250755006587457';
const OTHER = '100000000000000001';

it.each([
  ID,
  ` ${ID} `,
  '1572 2507 5500 6587 457',
  `<@${ID}>`,
  `<@!${ID}>`,
  `<@&${ID}>`,
  `https://chat.example/users/${ID}`,
  `chat.example/app/users/${ID}/`,
  `https://chat.example/channels/${ID}`,
  `https://chat.example/channels/${ID}/${OTHER}`,
  `https://chat.example/channels/${ID}/${OTHER}/${OTHER}?x=1#y`,
  `https://chat.example/guilds/${ID}`,
  `id: ${ID}`,
  `ID${ID}`,
  `to jego ID=${ID}, sprawdźcie`,
  `nick kupskin (${ID})`,
  `<@${ID}> nie oddał 50 zł`,
  `${ID} albo ${ID}`,
  `${ID} z <#${OTHER}> <:ok:${OTHER}>`,
  'ID 1572 2507 5500 6587 457',
  `profil: https://chat.example/users/${ID}`,
  ...['.', ')', ',', '>', '"', '”', '»', '’', ').', '`', '**', '||', ' .', '/.', '?x=1)', '/?x=1&y#z,'].map(
    (end) => `https://chat.example/users/${ID}${end}`,
  ),
  `<https://chat.example/users/${ID}>`,
  `(https://chat.example:443/users/${ID}/)`,
  `[profil](https://chat.example/users/${ID})`,
  `**[https://chat.example/users/${ID}](https://chat.example/users/${ID})**`,
  `[](<https://chat.example/users/${ID}>)`,
  `||<@!${ID}>||`,
  `\\<@${ID}>`,
  `<@!${ID}>,`,
  `< @${ID} >`,
  ...['`', '```', '*', '**', '_', '__', '~~', '||', '"', "'"].map((mark) => `${mark}${ID}${mark}`),
  ...[`„${ID}”`, `«${ID}»`, `(${ID})`, `[${ID}]`, `${ID}.`, `${ID}…`],
  ...[...'\u200b\u2060\ufeff\u00ad\u200e\u202a\u2063\u180e\u034f', '\ufe0f\u20e3'].flatMap((unseen) => [
    [...ID].join(unseen),
    unseen + ID + unseen,
    `<@${unseen}${ID}>`,
  ]),
  ...['\u00a0', '\u2009', '\u202f', '\u3000', '\u2800', '\n', '\t'].flatMap((space) => [
    space + ID + space,
    `1572${space}2507${space}5500${space}6587457`,
  ]),
  // Full-width, Arabic-Indic, Devanagari and bold digits.
  ...[0xff10, 0x0660, 0x0966, 0x1d7ce].map((zero) =>
    ID.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))),
  ),
])('reads the ID of %s', (typed) => {
  expect(parseSubject(typed)).toEqual({ kind: 'id', id: ID });
});

it.each([
  ['kupskin_24', 'kupskin_24'],
  [' @kupskin_24 ', 'kupskin_24'],
  ['kupskin_24#0001', 'kupskin_24'],
  ['@kupskin 24#0001', 'kupskin 24'],
  ['plain_one#0', 'plain_one'],
  [' @plain_one#0\u200b', 'plain_one\u200b'],
  ['plain_one#00', 'plain_one#00'],
  ['#0', '#0'],
  ['__plain_one__', '__plain_one__'],
  ['<:ok:1>', '<:ok:1>'],
  ['kupskin#001', 'kupskin#001'],
  ['kupskin#00011', 'kupskin#00011'],
  ['@', '@'],
  ['#0001', '#0001'],
  ['@@x', '@x'],
  ['12345678901234', '12345678901234'],
  ['R-kelly', 'R-kelly'],
  [`user${ID}`, `user${ID}`],
  [`${ID}_x`, `${ID}_x`],
  ['id: 1234567890123456', 'id: 1234567890123456'],
  ['sklep.example', 'sklep.example'],
  ['Sklep. Tanio/szybko', 'Sklep. Tanio/szybko'],
])('reads the nick of %s', (typed, nick) => {
  expect(parseSubject(typed)).toEqual({ kind: 'nick', nick });
  expect(parseNick(typed)).toBe(nick);
});

it.each([
  ['https://chat.gg/abc-DEF.', { kind: 'doubt', doubt: 'invite' }],
  [`<#${OTHER}>`, { kind: 'nick', nick: `<#${OTHER}>` }],
  [`<https://cdn.example/avatars/${ID}/abc.png>`, { kind: 'doubt', doubt: 'link' }],
  ['(r-7k2f9qabcd).', { kind: 'report', number: 'R-7K2F9QABCD', nick: '(r-7k2f9qabcd).' }],
  ['https://chat.gg/abc-DEF', { kind: 'doubt', doubt: 'invite' }],
  ['chat.example/invite/abc?x=1', { kind: 'doubt', doubt: 'invite' }],
  [`https://chat.example/channels/@me/${OTHER}`, { kind: 'doubt', doubt: 'direct' }],
  ['https://sklep.example', { kind: 'doubt', doubt: 'link' }],
  [`https://cdn.example/avatars/${ID}/abc.png`, { kind: 'doubt', doubt: 'link' }],
  ['www.sklep.example', { kind: 'doubt', doubt: 'link' }],
  ['sklep.example/oferta?x=1', { kind: 'doubt', doubt: 'link' }],
  [`${ID} i ${OTHER}`, { kind: 'doubt', doubt: 'several' }],
  ['123456789012345', { kind: 'digits', digits: '123456789012345' }],
  ['1234 5678 9012 3456', { kind: 'digits', digits: '1234567890123456' }],
  ['1'.repeat(21), { kind: 'digits', digits: '1'.repeat(21) }],
  ['r-7k2f9qabcd', { kind: 'report', number: 'R-7K2F9QABCD', nick: 'r-7k2f9qabcd' }],
])('reads %s', (typed, subject) => {
  expect(parseSubject(typed)).toEqual(subject);
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
    expect(['nick', 'doubt']).toContain(parseSubject(typed).kind);
});
