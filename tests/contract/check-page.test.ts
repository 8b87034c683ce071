import { beforeAll, describe, expect, it } from 'vitest';
import { keepServing } from '../support/keep-serving.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

const LIS = '280864204968068869';
const COPY = '1228899107513245741';
const BARE = '1228899107513245742';
const PROVEN = '1228899107513245743';
/** Reported and on the trusted list. */
const BOTH = '1228899107513245744';
const SERVER = '1228899107513245745';
const RISK_SERVER = '1228899107513245746';
const UNLISTED = '1100000000000000001';

/** What a reader sees, on one line. */
const textOf = (html: string): string =>
  html
    .replace(/^[^]*<main[^>]*>|<\/main>[^]*$/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replace(/[\s\u00a0]+/g, ' ');

/** Each piece is there, one after the other. */
function expectInOrder(text: string, pieces: readonly string[]): void {
  const places = pieces.map((piece) => text.indexOf(piece));
  expect(
    places.every((place) => place >= 0),
    text,
  ).toBe(true);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
}

describe('the field of the check', () => {
  let site: TestSite;
  const ask = async (search: string): Promise<string> => {
    const { status, text } = await site.get(`/?${new URLSearchParams({ search })}`);
    expect(status).toBe(200);
    return textOf(text);
  };

  beforeAll(async () => {
    const db = await makeDatabase();
    await importRecords(db, 'scammers', [
      makeRecord({ id: COPY, name: 'Lis_Posrednlk', reportId: 'R-33ZJFCMAA8' }),
      makeRecord({ id: '1572250755006587457', name: 'kupskin_24' }),
      makeRecord({ id: '1212562973429321365', name: 'аdmin_pоmoc', verified: false }),
      makeRecord({ id: '123456789012345', name: 'krótkie ID' }),
      makeRecord({ id: BARE, name: 'bez_niczego', reason: '' }),
      makeRecord({
        id: PROVEN,
        name: 'z_dowodem',
        proofs: { private: false, items: [{ text: 'Rozmowa.' }] },
      }),
      makeRecord({ id: BOTH, name: 'Cień', reportId: 'R-33ZJFCMAA9' }),
      ...Array.from({ length: 21 }, (_, at) => makeRecord({ name: `wielu ${at}` })),
    ]);
    await importRecords(db, 'servers', [
      makeRecord({ id: SERVER, name: 'Cień Giełdy' }),
      makeRecord({ id: RISK_SERVER, name: 'Turniejownia', verified: false }),
      ...Array.from({ length: 2 }, (_, at) => makeRecord({ name: `z wielu ${at}` })),
    ]);
    await importRecords(db, 'legit', [
      makeRecord({ id: LIS, name: 'Lis_Posrednik' }),
      makeRecord({ id: BOTH, name: 'inny nick', reportId: 'R-33ZJFCMAB0' }),
      makeRecord({ id: '1088640054186418264', name: 'cień' }),
    ]);
    keepServing(db);
    site = await startTestSite(db.path);
  });

  it('says before everything else that a nick looks like a trusted one', async () => {
    const text = await ask('Iis_posrednik');
    expectInOrder(text, [
      'Uwaga: ten nick przypomina nick zaufanej osoby',
      'L is_Posrednik',
      'Różni je: wielkie „I” zamiast „L”',
      'Nie ma wpisu z takim nickiem, są podobne',
      'Na listach są konta o podobnym nicku',
      'Potwierdzone zgłoszenie',
    ]);
  });

  it('never shows the tick of a trusted person alone where a look-alike is reported', async () => {
    for (const asked of [LIS, 'Lis_Posrednik', `<@${LIS}>`]) {
      const text = await ask(asked);
      expect(text).toContain('Na listach są konta o podobnym nicku: Potwierdzone zgłoszenie');
      expect(text).toContain('Różni je: „l” zamiast „i”');
    }
    const entry = textOf((await site.get(`/legit?id=${LIS}`)).text);
    expect(entry).toContain('Na listach są konta o podobnym nicku: Potwierdzone zgłoszenie');
  });

  it('says on the answer of a reported one whom the nick looks like', async () => {
    const text = await ask(COPY);
    const warning = text.indexOf('Uwaga: podobny nick, inne ID');
    expect(warning).toBeGreaterThan(0);
    expect(warning).toBeLessThan(text.indexOf('To ID jest na liście zgłoszonych'));
    expect(text).toContain('To, które sprawdzasz, jest inne. Porównaj cyfra po cyfrze.');
  });

  it.each([
    ['admin_pomoc', 'Lista ryzyka', 'cyrylickie „а” zamiast „a”; cyrylickie „о” zamiast „o”'],
    ['kupskin 24', 'Potwierdzone zgłoszenie', 'znak „_” zamiast odstępu'],
    ['@kupsk1n_24#0001', 'Potwierdzone zgłoszenie', '„i” zamiast cyfry „1”'],
  ])('finds whom %s looks like', async (asked, badge, reason) => {
    const text = await ask(asked);
    expect(text).toContain('Nie ma wpisu z takim nickiem, są podobne');
    expect(text).toContain(badge);
    expect(text).toContain(reason);
  });

  it.each(['@kupskin_24', 'kupskin_24#0001'])('finds the nick of %s', async (asked) => {
    expect(await ask(asked)).toContain('Na liście zgłoszonych jest wpis z takim nickiem');
  });

  it.each([
    ['https://chat.gg/abcDEF', 'Zaproszenie nie zawiera ID serwera. Skąd wziąć ID?'],
    [`https://chat.example/channels/@me/${LIS}`, 'Ten link prowadzi do prywatnej rozmowy'],
    ['123456789012346', 'To nie jest ID: ma 15 cyfr, ID ma 17–20.'],
    ['1234 5678 9012 3456', 'To nie jest ID: ma 16 cyfr, ID ma 17–20.'],
    ['1'.repeat(21), 'To nie jest ID: ma 21 cyfr, ID ma 17–20.'],
    ['https://sklep.example/oferta', 'Z tego linku nie odczytamy, o kogo chodzi. Wklej samo ID'],
    [`${COPY} i ${LIS}`, 'W tym tekście jest kilka ID. Wklej tylko jedno.'],
    ['R-0000000000', 'Nie ma wpisu o tym numerze. Mógł zostać usunięty.'],
  ])('says of %s that it is no answer', async (asked, notice) => {
    const { text } = await site.get(`/?${new URLSearchParams({ search: asked })}`);
    expect(textOf(text)).toContain(notice);
    expect(text).not.toContain('id="wynik"');
  });

  it.each([
    ['R-33ZJFCMAA8', 'Wpis R-33ZJFCMAA8 jest na liście zgłoszonych'],
    ['r-33zjfcmaa8', 'Wpis R-33ZJFCMAA8 jest na liście zgłoszonych'],
    // Of the trusted entry of somebody who is reported.
    ['R-33ZJFCMAB0', 'Wpis R-33ZJFCMAB0. To ID jest na liście zgłoszonych'],
    [`to on, id: ${COPY}!`, 'To ID jest na liście zgłoszonych'],
    ['123456789012345', 'To ID jest na liście zgłoszonych'],
    [`https://chat.example/channels/${COPY}/${LIS}`, 'To ID jest na liście zgłoszonych'],
    ['2808 6420 4968 0688 69', 'To ID jest na liście zaufanych'],
  ])('answers %s', async (asked, title) => {
    expect(await ask(asked)).toContain(title);
  });

  it.each([
    [COPY, 'Przeczytaj powód.'],
    [PROVEN, 'Przeczytaj powód i zobacz dowody.'],
    [BARE, 'danych logowania. Pieniądze już wysłane?'],
  ])('tells to read what there is to read: %s', async (id, step) => {
    const text = await ask(id);
    expect(text).toContain(step);
    if (id !== PROVEN) expect(text).not.toContain('zobacz dowody');
  });

  it('speaks of trusted entries that are not shown only where there are some', async () => {
    const leftOut = 'Listy zaufanych nie pokazujemy';
    expect(await ask(BOTH)).toContain(leftOut);
    expect(textOf((await site.get(`/scammers?id=${BOTH}`)).text)).toContain(leftOut);
    for (const asked of [COPY, SERVER, 'Cień']) expect(await ask(asked)).not.toContain(leftOut);
  });

  it.each([SERVER, RISK_SERVER])('speaks of a server as of a server: %s', async (id) => {
    const text = await ask(id);
    expect(text).toContain('Ten serwer jest na liście');
    expect(text).toContain('Nie loguj się przez linki z tego serwera');
    expect(text).toContain('Serwer założony');
    expect(text).not.toMatch(/ta osoba|tę osobę|Konto założone|Twoje konto/);
  });

  it('says of an ID without an entry nothing that nobody knows', async () => {
    const { text: html } = await site.get(`/?search=${UNLISTED}`);
    const text = textOf(html);
    expect(text).toContain('Nie ma na żadnej liście');
    expect(text).not.toMatch(/tę osobę|ta osoba|założon/);
    expect(html).not.toContain('<img');
  });

  it('shows date and picture of an account that the platform knows', async () => {
    const { avatars } = site.services;
    const knowing = await startTestSite(
      site.services.db.path,
      {},
      {
        ...site.services,
        avatars: { ...avatars, knows: (id) => Promise.resolve(id === UNLISTED) },
      },
    );
    const { text } = await knowing.get(`/?search=${UNLISTED}`);
    expect(textOf(text)).toContain('Konto założone');
    expect(text).toContain(`src="/api/chat/avatar/${UNLISTED}"`);
    expect((await knowing.get('/?search=1100000000000000003')).text).not.toContain('założone');
  });

  it('says of an ID that looks rounded that its digits may be lost', async () => {
    const notice = 'To ID wygląda na zaokrąglone';
    expect(await ask('1100000000000000000')).toContain(notice);
    expect(textOf((await site.get('/?id=1100000000000000000')).text)).toContain(notice);
    for (const id of [UNLISTED, COPY]) expect(await ask(id)).not.toContain(notice);
  });

  it('says that there are more than it shows, and the way to them, before the rows', async () => {
    const text = await ask('wielu');
    expectInOrder(text, [
      'Co najmniej 22 wpisy z podobnym nickiem',
      'Zgłoszone osoby: pokazujemy 20 pierwszych. Zobacz wszystkie na liście',
      'Znalezione wpisy',
    ]);
    expect(await ask('wielu 1')).toContain('Na liście zgłoszonych jest wpis z takim nickiem');
    expect(await ask('nieznany_zupełnie')).not.toContain('najmniej');
  });

  it('tells names of servers from nicks', async () => {
    expect(await ask('Turniejownia')).toContain('Na liście ryzyka jest wpis z taką nazwą');
    expect(await ask('Turniejow')).toContain('1 wpis z podobną nazwą');
    expect(await ask('Turniejow')).toContain('Dopasowanie po nazwie, nie po ID.');
  });

  it('says that the letters differ where diacritics do', async () => {
    const text = await ask('cien gieldy');
    expect(text).toContain('Na liście zgłoszonych jest wpis z prawie taką nazwą');
    expect(text).toContain('Różnica jest tylko w znakach diakrytycznych');
    expect(await ask('CIEŃ GIEŁDY')).toContain('jest wpis z taką nazwą');
    expect(await ask('CIEŃ GIEŁDY')).not.toContain('Różnica jest tylko');
  });

  it('takes words for no ID, and repeats them nowhere but in the field', async () => {
    const words = 'Jan oszukuje, nie płać';
    const { text } = await site.get(`/?id=${encodeURIComponent(words)}`);
    expect(textOf(text)).toContain('To nie wygląda na ID: ma ono od 17 do 20 cyfr. Skąd wziąć ID?');
    expect(textOf(text)).not.toContain('Nie ma na żadnej liście');
    expect(text.replace(`value="${words}"`, '')).not.toContain('Jan oszukuje');
  });

  it('names the servers among persons', async () => {
    expect(await ask('Cień')).toContain('Potwierdzone zgłoszenie, serwer');
  });

  it('says when nobody knows the look-alikes', async () => {
    const db = await makeDatabase();
    await importRecords(db, 'legit', [makeRecord({ id: LIS, name: 'Lis_Posrednik' })]);
    const bare = await startTestSite(db.path);
    const { text } = await bare.get(`/?search=${LIS}`);
    expect(textOf(text)).toContain('Podobnych nicków nie da się teraz sprawdzić.');
  });
});
