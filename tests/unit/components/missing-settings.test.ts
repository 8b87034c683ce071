/** Pages of a service whose settings are not complete: they say whom one cannot write to, and are silent of the rest. */
import { describe, expect, it } from 'vitest';
import { appealsPage } from '../../../src/components/docs/prose/appeals.ts';
import type { OperatorFacts } from '../../../src/components/docs/prose/contact.ts';
import { originPage } from '../../../src/components/docs/prose/origin.ts';
import { privacyPage } from '../../../src/components/docs/prose/privacy.ts';

const NOTHING: OperatorFacts = {
  name: undefined,
  appealsContact: undefined,
  reportsContact: undefined,
  appealsAnswerDays: undefined,
  platformName: undefined,
};
const ALL: OperatorFacts = {
  name: 'Fundacja Przykład',
  appealsContact: 'odwolania@czujka.example',
  reportsContact: 'zgloszenia@czujka.example',
  appealsAnswerDays: 14,
  platformName: 'Komunikator',
};
const PAGES = { appealsPage, originPage, privacyPage };

describe.each(Object.entries(PAGES))('%s', (name, page) => {
  it('leaves out what is not set, but for an address that somebody needs', () => {
    const bare = JSON.stringify(page(NOTHING));
    expect(bare).not.toMatch(/undefined|brakuje|Czujkę prowadzi|najpóźniej w/);
    expect(bare.includes('Nie podano jeszcze adresu do odwołań.')).toBe(name !== 'originPage');
  });

  it('says what is set', () => {
    const whole = JSON.stringify(page(ALL));
    expect(whole).not.toContain('Nie podano');
    expect(whole.includes('Czujkę prowadzi Fundacja Przykład.')).toBe(name !== 'appealsPage');
    expect(whole.includes('mailto:odwolania@czujka.example')).toBe(name !== 'originPage');
    expect(/najpóźniej w\u00a0ciągu 14\u00a0dni/.test(whole)).toBe(name === 'appealsPage');
  });
});
