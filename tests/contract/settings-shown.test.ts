/** A changed setting shows after a restart, without a build: two sites start from one build. */
import { expect, it } from 'vitest';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { plain } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const SETTINGS = {
  BASE_URL: 'https://inna.example',
  OPERATOR_NAME: 'Stowarzyszenie Inne',
  OPERATOR_CONTACT: 'kontakt@inna.example',
  CONFIRMED_WHEN: 'Gdy dwie osoby obejrzały dowody & rozmowę.',
  LEGAL_BASIS: 'Zgoda <a> i umowa.',
  APPEALS_CONTACT: 'odwolania@inna.example',
  REPORTS_CONTACT: 'zgloszenia@inna.example',
  APPEALS_ANSWER_DAYS: '11',
  REPORTS_ANSWER_DAYS: '1',
  APPEALS_LINK: 'https://czat.inna.example/odwolania?a=1&b=2',
  REPORTS_LINK: 'http://czat.inna.example/zgloszenia',
  BOT_INVITE_URL: 'https://czat.inna.example/bot?id=1&scope=bot',
  PLATFORM_NAME: 'Inny Komunikator',
  PLATFORM_ID_MENU: 'Inne|Tryb twórcy|Kopiuj numer',
  EMERGENCY_PHONE: '911',
  FRAUD_SITE_URL: 'https://oszustwa.inna.example/formularz',
  FRAUD_SMS_NUMBER: '12345',
  YOUTH_HELPLINE_PHONE: '123 456 789',
};

const db = await makeDatabase();
const { path: database } = db;
const proofs = { private: true, items: [{ text: 'rozmowa' }] };
await importRecords(db, 'scammers', [makeRecord({ reportId: 'R-PROVEN', proofs })]);
const before = await startTestSite(database);
const after = await startTestSite(database, SETTINGS);

it.each([
  ['/docs', 'https://inna.example/api/verdict'],
  ['/prywatnosc', 'Stowarzyszenie Inne'],
  ['/prywatnosc', 'Zgoda &lt;a&gt;'],
  ['/prywatnosc', 'Napisz: <a href="mailto:kontakt@inna.example"'],
  ['/jak-powstaja-wpisy', 'Gdy dwie osoby obejrzały dowody &amp; rozmowę.'],
  ['/pomoc', '<a href="mailto:kontakt@inna.example"> Kontakt </a>'],
  ['/odwolania', 'odwolania@inna.example'],
  ['/odwolania', 'w\u00a0ciągu 11'],
  ['/odwolania', 'href="https://czat.inna.example/odwolania?a=1&amp;b=2"'],
  ['/zglos', 'zgloszenia@inna.example'],
  ['/zglos', 'w\u00a0ciągu 1\u00a0dnia'],
  ['/', 'href="https://czat.inna.example/bot?id=1&amp;scope=bot"'],
  ['/pomoc', 'href="https://czat.inna.example/bot?id=1&amp;scope=bot"'],
  ['/pomoc', 'Inny Komunikator'],
  ['/pomoc', 'Tryb twórcy'],
  ['/pomoc', 'href="tel:911"'],
  ['/pomoc', 'oszustwa.inna.example</a>'],
  ['/pomoc', 'prześlij na 12345'],
  ['/pomoc', 'href="tel:123456789"'],
])('is on %s as %s', async (path, text) => {
  expect((await before.get(path)).text).not.toContain(text);
  expect((await after.get(path)).text).toContain(text);
});

it('replaces a sentence that is there by default', async () => {
  for (const [path, sentence] of [
    ['/jak-powstaja-wpisy', 'gdy osoba prowadząca listę obejrzała dowody'],
    ['/prywatnosc', 'art. 6 ust. 1 lit. f RODO'],
  ] as const) {
    expect(plain((await before.get(path)).text)).toContain(sentence);
    expect(plain((await after.get(path)).text)).not.toContain(sentence);
  }
});

it('says that proofs were looked at only where it says when a report is confirmed', async () => {
  const looked = 'Zespół Czujki sprawdził dowody.';
  expect(plain((await before.get('/wpis/R-PROVEN')).text)).not.toContain(looked);
  expect(plain((await after.get('/wpis/R-PROVEN')).text)).toContain(looked);
});

it.each(['/odwolania', '/zglos'])(
  'puts on %s the mail, copying and the link in this order, or the link alone',
  async (path) => {
    const { text } = await after.get(path);
    expect(text).toMatch(/class="button" href="mailto:.*Kopiuj treść.*class="act" href="https?:\/\/czat/s);
    const { APPEALS_LINK, REPORTS_LINK } = SETTINGS;
    const linked = await startTestSite(database, { APPEALS_LINK, REPORTS_LINK });
    const alone = (await linked.get(path)).text;
    expect(alone).toMatch(/Wklej\s+treść\s+na\s+stronie\s+czat\.inna\.example/);
    expect(alone).not.toMatch(/mailto:|pojawi się tutaj/);
  },
);

it.each(['/odwolania', '/zglos'])('is missing on %s in words', async (path) => {
  const missing = /Adres (?:kontaktowy )?pojawi się tutaj\./;
  expect((await before.get(path)).text).toMatch(missing);
  expect((await after.get(path)).text).not.toMatch(missing);
});
