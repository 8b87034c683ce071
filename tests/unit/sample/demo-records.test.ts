import { describe, expect, it } from 'vitest';
import { DEMO_IDS, demoRecords } from '../../../scripts/sample/demo-records.ts';
import { createdMsOf, findRecordFault } from './find-record-fault.ts';

const LISTS = ['scammers', 'servers', 'legit'] as const;
const DAY_MS = 86_400_000;
const scammers = demoRecords('scammers');
const servers = demoRecords('servers');
const legit = demoRecords('legit');

describe('demoRecords', () => {
  it.each(LISTS)('makes only fit records of %s, each ID once, the same every time', (list) => {
    const records = demoRecords(list);
    expect(records.flatMap((record) => findRecordFault(list, record) ?? [])).toEqual([]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    expect(demoRecords(list)).toEqual(records);
  });

  it('is a few hundred entries in all', () => {
    expect(scammers.length + servers.length + legit.length).toBe(300);
  });

  it('holds the entries that documents name', () => {
    const listed = scammers.find(({ id }) => id === DEMO_IDS.listed);
    expect(listed).toBe(scammers.find(({ verified }) => verified));
    expect(listed).toMatchObject({ name: 'kupskin_24', verified: true, proofs: { private: false } });
    expect(listed?.reportedAt.slice(0, 10)).toBe('2026-11-19');
    expect(listed?.reason).toMatch(/^Zaliczka 120 zł za doładowanie, po wpłacie rozmowa została usunięta/);
    expect(scammers.find(({ id }) => id === DEMO_IDS.risk)?.verified).toBe(false);
    expect(servers.find(({ id }) => id === DEMO_IDS.server)?.verified).toBe(true);
    expect(legit.some(({ id }) => id === DEMO_IDS.trusted)).toBe(true);
    expect(scammers.some(({ id }) => id === DEMO_IDS.trusted)).toBe(false);
  });

  it('tells what was reported, and calls nobody a swindler', () => {
    const reasons = [...scammers, ...servers].map(({ reason }) => reason);
    expect(reasons.filter((reason) => /wyłudz|oszu(?:st|ka)|złodziej/i.test(reason))).toEqual([]);
  });

  it('shows every state of verification and proofs', () => {
    expect(scammers.some(({ verified, proofs }) => verified && proofs === undefined)).toBe(true);
    expect(scammers.some(({ verified, proofs }) => !verified && proofs === undefined)).toBe(true);
    expect(scammers.some(({ proofs }) => proofs?.private === true && proofs.items.length > 0)).toBe(true);
    expect(scammers.some(({ proofs }) => proofs?.private === true && proofs.items.length === 0)).toBe(true);
    expect(scammers.some(({ proofs }) => proofs?.items.length === 5)).toBe(true);
  });

  it('shows a very long reason, an empty one and one of a single word', () => {
    const long = scammers.find(({ name }) => name === 'ZamówieniaOdRęki')?.reason ?? '';
    expect(long.length).toBeGreaterThan(5500);
    for (const form of [/^## /m, /^### /m, /^\| /m, /^```$/m, /^> /m, /^1\. /m, /^- /m])
      expect(long).toMatch(form);
    expect(scammers.some(({ reason }) => reason === '')).toBe(true);
    expect(scammers.some(({ reason }) => /^\p{L}+$/u.test(reason))).toBe(true);
  });

  it('shows an account made three days before its report', () => {
    const ages = scammers.map(({ id, reportedAt }) => (Date.parse(reportedAt) - createdMsOf(id)) / DAY_MS);
    expect(ages.some((days) => Math.floor(days) === 3)).toBe(true);
  });

  it('shows the traps of names: repeated, prefix, look-alike, long, markup, scripts', () => {
    const names = scammers.map(({ name }) => name);
    expect(names.filter((name) => name === 'szybki_handel')).toHaveLength(3);
    expect(names.filter((name) => name.startsWith('kupskin'))).toEqual([
      'kupskin_24',
      'kupskin',
      'kupskin_24_alt',
    ]);
    expect(names).toContain('Lis_Posrednlk');
    expect(legit.map(({ name }) => name)).toContain('Lis_Posrednik');
    expect(names.some((name) => [...name].length === 100 && !/\s/.test(name))).toBe(true);
    expect(names.some((name) => name.includes('<b>') && name.includes('"') && name.includes("'"))).toBe(true);
    for (const script of ['Cyrillic', 'Han', 'Arabic', 'Hebrew']) {
      expect(names.some((name) => new RegExp(`\\p{Script=${script}}`, 'u').test(name))).toBe(true);
    }
    expect(names.some((name) => /^[аА]dmin/.test(name) && /[a-z]/.test(name))).toBe(true);
    expect(servers.some(({ name }) => /^\p{Extended_Pictographic}/u.test(name))).toBe(true);
  });

  it('shows a trusted account that is also listed', () => {
    const listed = new Set(scammers.map(({ id }) => id));
    expect(legit.filter(({ id }) => listed.has(id)).map(({ name }) => name)).toContain('kowal_z_targu');
  });
});
