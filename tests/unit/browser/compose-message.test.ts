import { expect, it } from 'vitest';
import { composeMessage, mailLink } from '#src/browser/compose-message.ts';

it('composeMessage puts what was written below its heading, and leaves room where nothing was', () => {
  const text = composeMessage([
    { heading: 'Co\u00a0się stało', text: '  Dwie\nlinie \n' },
    { heading: 'Kiedy', text: '' },
  ]);
  expect(text).toBe('Co się stało:\nDwie\nlinie\n\nKiedy:\n\n');
});

it.each(['zażółć\ngęślą', 'a&body=b?c#d', '100%', '"><script>', 'x\u0000y', 'pół \ud83e znaku'])(
  'mailLink holds %j and nothing else',
  (body) => {
    const link = mailLink('zgloszenia@czujka.example', 'Zgłoszenie & co', body);
    const { protocol, pathname, searchParams } = new URL(link);
    expect([protocol, pathname]).toEqual(['mailto:', 'zgloszenia@czujka.example']);
    expect([...searchParams]).toEqual([
      ['subject', 'Zgłoszenie & co'],
      ['body', body.toWellFormed().replaceAll('\n', '\r\n')],
    ]);
    expect(link).not.toMatch(/[\s"<>+]/);
  },
);

it('mailLink lets an address add no field', () => {
  const { pathname, searchParams } = new URL(mailLink('a?cc=b&bcc=c@d.example', 's', 'b'));
  expect(decodeURIComponent(pathname)).toBe('a?cc=b&bcc=c@d.example');
  expect([...searchParams.keys()]).toEqual(['subject', 'body']);
});
