/** Reports and appeals as they stand in the HTML: without a script, text with its headings; never a form. */
import { expect, it } from 'vitest';
import { reportForm } from '../../src/components/docs/message-texts.ts';
import { parseConfig } from '#src/config.ts';
import { removeEntry } from '../support/change-log.ts';
import { makeLists } from '../support/make-entries.ts';
import { plain, textOf as textOfPage } from '../support/page-text.ts';
import { startTestSite } from '../support/test-site.ts';

const ID = '1572250755006587457';
const REPORT_ID = 'R-7K2F9QAAAA';

function textOf(page: string): string {
  return /<pre data-copied>([^<]*)<\/pre>/.exec(page)?.[1] ?? '';
}

const db = await makeLists({ scammers: [{ id: ID, reportId: REPORT_ID }] });
const site = await startTestSite(db.path, {
  REPORTS_CONTACT: 'zgloszenia@czujka.example',
  APPEALS_CONTACT: 'odwolania@czujka.example',
});
const other = await startTestSite(db.path, { REPORTS_CONTACT: 'https://formularz.example/nowe' });
const bare = await startTestSite(db.path);

const read = async (path: string): Promise<string> => (await site.get(path)).text;

it.each(['/zglos', '/odwolania'])('has on %s no form, and no field with a parameter', async (path) => {
  const { text } = await site.get(path);
  const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
  expect(main).toContain('<textarea');
  expect(main).not.toContain('<form');
  // The value of a choice is the site's own word.
  expect(main).not.toMatch(/<(?:input(?! type="radio")|textarea|select|button)[^>]*\sname=/);
});

it('has the headings of a report as text to copy, and as a mail', async () => {
  const { text } = await site.get('/zglos');
  const { steps } = reportForm(parseConfig({}).operator);
  const headings = steps.flatMap(({ fields }) => fields.map(({ label }) => `${label}:\n\n`));
  expect(textOf(text)).toBe(headings.join('\n').replaceAll('\u00a0', ' '));
  const link = /href="(mailto:[^"]*body=[^"]*)"/.exec(text)?.[1] ?? '';
  const { pathname, searchParams } = new URL(link.replaceAll('&amp;', '&').replaceAll('&#38;', '&'));
  expect(pathname).toBe('zgloszenia@czujka.example');
  expect(searchParams.get('body')?.replaceAll('\r\n', '\n')).toBe(textOf(text));
});

it('leads to the operator’s own page where that is the address', async () => {
  const { text } = await other.get('/zglos');
  expect(text).toContain('href="https://formularz.example/nowe"');
  expect(text).not.toContain('mailto:');
});

it('says at the first step how it is sent', async () => {
  const server = 'https://czat.example/serwer';
  const both = { REPORTS_CONTACT: 'zgloszenia@czujka.example', REPORTS_LINK: server };
  for (const [settings, words] of [
    [both, 'Na końcu wyślesz to pocztą albo na serwerze Czujki.'],
    [{ REPORTS_CONTACT: both.REPORTS_CONTACT }, 'Na końcu wyślesz to pocztą.'],
    [{ REPORTS_LINK: server }, 'Na końcu wyślesz to na serwerze Czujki.'],
    [
      { REPORTS_CONTACT: 'https://formularz.example/nowe' },
      'Na końcu wyślesz to na stronie formularz.example.',
    ],
    [{}, 'Zgłoszeń nie można jeszcze wysłać.'],
  ] as const) {
    const { text } = await (await startTestSite(db.path, settings)).get('/zglos');
    expect(textOfPage(text).split('Wróć')[0]).toContain(words);
  }
});

it('has the text also where nobody has said where it goes', async () => {
  for (const path of ['/zglos', '/odwolania']) {
    const { text } = await bare.get(path);
    expect(textOf(text)).not.toBe('');
    expect(text).not.toContain('mailto:');
  }
});

it('fills in report number and ID of the entry that an appeal is about', async () => {
  const { text } = await site.get(`/odwolania?nr=${REPORT_ID}`);
  expect(textOf(text)).toContain(`Numer zgłoszenia:\n${REPORT_ID}\n\nID konta albo serwera:\n${ID}\n`);
  expect(text).toContain(`value="${REPORT_ID}"`);
  expect(decodeURIComponent(text)).toContain(`subject=Odwołanie, nr ${REPORT_ID}`);
});

it('shows what an appeal answers: the reason, and the proofs where they are public', async () => {
  const proofs = (isPrivate: boolean) => ({ private: isPrivate, items: [{ text: 'rozmowa' }] });
  const lists = await makeLists({
    scammers: [
      { reportId: 'R-PUBLIC', reason: 'Towar **nie** przyszedł.', proofs: proofs(false) },
      { reportId: 'R-PRIVATE', proofs: proofs(true) },
    ],
  });
  const proven = await startTestSite(lists.path);
  const [open, secret] = await Promise.all(
    ['R-PUBLIC', 'R-PRIVATE'].map(async (number) => (await proven.get(`/odwolania?nr=${number}`)).text),
  );
  expect(open).toContain('Towar <strong>nie</strong> przyszedł.');
  expect(open).toMatch(/<a href="\/proofs\/[0-9a-f]{32}"/);
  expect(secret).not.toContain('href="/proofs/');
});

it('says at an appeal that the entry is removed', async () => {
  const lists = await makeLists({ scammers: [{ id: ID, reportId: REPORT_ID }] });
  removeEntry(lists, 'scammers', ID, 'appeal', Date.now());
  const { text } = await (await startTestSite(lists.path)).get(`/odwolania?nr=${REPORT_ID}`);
  expect(textOfPage(text)).toContain(`Wpis ${REPORT_ID} usunięto`);
  expect(textOfPage(text)).toContain('odwołanie uznano. Zgłoszenia nie dało się utrzymać');
});

it.each([
  ['scammers', 'Konto przejęte'],
  ['servers', 'Serwer przejęty'],
] as const)('says at an appeal what was hijacked: %s', async (list, words) => {
  const lists = await makeLists({ [list]: [{ reportId: REPORT_ID, account: 'hijacked' }] });
  const taken = await startTestSite(lists.path);
  expect((await taken.get(`/odwolania?nr=${REPORT_ID}`)).text).toContain(words);
});

it('gives the address where it speaks of it', async () => {
  const ask = 'możesz poprosić o wgląd. Napisz';
  const link = '<a href="mailto:odwolania@czujka.example">odwolania@czujka.example</a>';
  expect(plain(await read('/odwolania'))).toContain(`${ask} na ${link} i podaj`);
  expect(plain((await bare.get('/odwolania')).text)).toContain(`${ask} do nas i podaj`);
});

it.each([REPORT_ID.toLowerCase(), ID, `<@${ID}>`])('finds the entry of an appeal by %s', async (nr) => {
  const { text } = await site.get(`/odwolania?${new URLSearchParams({ nr })}`);
  expect(textOf(text)).toContain(`Numer zgłoszenia:\n${REPORT_ID}\n\nID konta albo serwera:\n${ID}\n`);
});

it.each(['R-0000000000', 'Zapłać na konto', '1100000000000000000'])(
  'takes no other words from a link: %s',
  async (number) => {
    const plain = await site.get('/odwolania');
    const { status, text } = await site.get(`/odwolania?${new URLSearchParams({ nr: number })}`);
    expect(status).toBe(200);
    expect(text).toBe(plain.text);
  },
);

it('fills in the ID that a report is about, and nothing else', async () => {
  const unknown = '1100000000000000000';
  const plain = await site.get('/zglos');
  expect(textOf(await read(`/zglos?id=${unknown}`))).toContain(`ID konta albo serwera:\n${unknown}\n`);
  for (const id of ['Zapłać na konto', `${unknown} zapłać`])
    expect(await read(`/zglos?${new URLSearchParams({ id })}`)).toBe(plain.text);
  expect(await read(`/?search=${unknown}`)).toContain(`href="/zglos?id=${unknown}"`);
});

it('is where the entry leads to', async () => {
  for (const path of [`/?search=${ID}`, `/scammers?id=${ID}`])
    expect(await read(path)).toContain(`href="/odwolania?nr=${REPORT_ID}"`);
});
