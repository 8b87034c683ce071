/** A changed setting shows after a restart, without a build: two sites start from one build. */
import { describe, expect, it } from 'vitest';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const SETTINGS = {
  BASE_URL: 'https://inna.example',
  OPERATOR_NAME: 'Stowarzyszenie Inne',
  APPEALS_CONTACT: 'odwolania@inna.example',
  REPORTS_CONTACT: 'zgloszenia@inna.example',
  APPEALS_ANSWER_DAYS: '11',
  PLATFORM_NAME: 'Inny Komunikator',
  PLATFORM_ID_MENU: 'Inne|Tryb twórcy|Kopiuj numer',
  EMERGENCY_PHONE: '911',
  FRAUD_SITE_URL: 'https://oszustwa.inna.example/formularz',
  FRAUD_SMS_NUMBER: '12345',
  YOUTH_HELPLINE_PHONE: '123 456 789',
};

describe('a changed setting', async () => {
  const { path } = await makeDatabase();
  const before = await startTestSite(path);
  const after = await startTestSite(path, SETTINGS);

  it.each([
    ['/docs', 'https://inna.example/api/verdict'],
    ['/prywatnosc', 'Stowarzyszenie Inne'],
    ['/odwolania', 'odwolania@inna.example'],
    ['/odwolania', 'w\u00a0ciągu 11'],
    ['/zglos', 'zgloszenia@inna.example'],
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

  it.each(['/odwolania', '/zglos'])('is missing on %s in words', async (path) => {
    const missing = /Adres (?:kontaktowy )?pojawi się tutaj\./;
    expect((await before.get(path)).text).toMatch(missing);
    expect((await after.get(path)).text).not.toMatch(missing);
  });
});
