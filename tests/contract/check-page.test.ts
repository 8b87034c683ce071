import { beforeAll, describe, expect, it } from 'vitest';
import { keepServing } from '../support/keep-serving.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

const LIS = '280864204968068869';
const COPY = '1228899107513245741';

/** What a reader sees, on one line. */
const textOf = (html: string): string =>
  html
    .replace(/^[^]*<main[^>]*>|<\/main>[^]*$/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&nbsp;', ' ')
    .replace(/[\s\u00a0]+/g, ' ');

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
    ]);
    await importRecords(db, 'legit', [makeRecord({ id: LIS, name: 'Lis_Posrednik' })]);
    keepServing(db);
    site = await startTestSite(db.path);
  });

  it('says before everything else that a nick looks like a trusted one', async () => {
    const text = await ask('Iis_posrednik');
    const places = [
      'Uwaga: ten nick przypomina zaufaną osobę',
      'L is_Posrednik',
      'Różni je: wielkie I zamiast L',
      'Nie ma wpisu z takim nickiem, są podobne',
      'Na listach są konta o podobnym nicku',
      'Potwierdzone zgłoszenie',
    ].map((piece) => text.indexOf(piece));
    expect(
      places.every((place) => place >= 0),
      text,
    ).toBe(true);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('never shows the tick of a trusted person alone where a look-alike is reported', async () => {
    for (const asked of [LIS, 'Lis_Posrednik', `<@${LIS}>`]) {
      const text = await ask(asked);
      expect(text).toContain('Na listach są konta o podobnym nicku: Potwierdzone zgłoszenie');
      expect(text).toContain('Różni je: l zamiast i');
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
    ['admin_pomoc', 'Lista ryzyka', 'cyrylickie а zamiast a; cyrylickie о zamiast o'],
    ['kupskin 24', 'Potwierdzone zgłoszenie', 'znak _ zamiast odstępu'],
    ['@kupsk1n_24#0001', 'Potwierdzone zgłoszenie', 'i zamiast cyfry 1'],
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
    ['R-0000000000', 'Nie ma wpisu o tym numerze. Mógł zostać usunięty.'],
  ])('says of %s that it is no answer', async (asked, notice) => {
    const { text } = await site.get(`/?${new URLSearchParams({ search: asked })}`);
    expect(textOf(text)).toContain(notice);
    expect(text).not.toContain('id="wynik"');
  });

  it.each([
    ['R-33ZJFCMAA8', 'To ID jest na liście zgłoszonych'],
    ['r-33zjfcmaa8', 'To ID jest na liście zgłoszonych'],
    ['123456789012345', 'To ID jest na liście zgłoszonych'],
    [`https://chat.example/channels/${COPY}/${LIS}`, 'To ID jest na liście zgłoszonych'],
    ['2808 6420 4968 0688 69', 'To ID jest na liście zaufanych'],
  ])('answers %s', async (asked, title) => {
    expect(await ask(asked)).toContain(title);
  });

  it('says when nobody knows the look-alikes', async () => {
    const db = await makeDatabase();
    await importRecords(db, 'legit', [makeRecord({ id: LIS, name: 'Lis_Posrednik' })]);
    const bare = await startTestSite(db.path);
    const { text } = await bare.get(`/?search=${LIS}`);
    expect(textOf(text)).toContain('Podobnych nicków nie da się teraz sprawdzić.');
  });
});
