import { describe, expect, it } from 'vitest';
import { createdMsOf } from '../../../scripts/sample/sample-account.ts';
import type { SampleList, SampleRecord } from '../../../scripts/sample/sample-record.ts';
import { SAMPLE_NOW, sampleRecords } from '../../../scripts/sample/sample-records.ts';
import { findRecordFault } from './find-record-fault.ts';

const LISTS: readonly SampleList[] = ['scammers', 'servers', 'legit'];
const COUNT = 20_000;

function collect(list: SampleList, count: number, seed = 7): SampleRecord[] {
  return [...sampleRecords(list, { count, seed })];
}

function share<T>(values: readonly T[], holds: (value: T) => boolean): number {
  return values.filter(holds).length / values.length;
}

describe.each(LISTS)('sampleRecords(%s)', (list) => {
  const records = collect(list, COUNT);

  it('gives the same records for the same seed, and begins a longer run with the shorter one', () => {
    expect(collect(list, 500)).toEqual(records.slice(0, 500));
  });

  it('gives other records for another seed', () => {
    const others = collect(list, 500, 8);
    expect(others.map(({ id }) => id)).not.toEqual(records.slice(0, 500).map(({ id }) => id));
    expect(
      share(others, ({ reason }) =>
        records.some((record) => reason.length > 200 && record.reason === reason),
      ),
    ).toBe(0);
  });

  it('makes only records that the import takes, with example hosts and neutral words', () => {
    const faults = records.flatMap((record) => findRecordFault(list, record) ?? []);
    expect(faults).toEqual([]);
  });

  it('reports every account after it was made and before now, over three years', () => {
    const reported = records.map(({ reportedAt }) => Date.parse(reportedAt));
    expect(Math.max(...reported)).toBeLessThan(SAMPLE_NOW);
    expect(Math.max(...reported)).toBeGreaterThan(SAMPLE_NOW - 7 * 86_400_000);
    expect(Math.min(...reported)).toBeLessThan(SAMPLE_NOW - 2.9 * 365 * 86_400_000);
    expect(share(records, ({ id, reportedAt }) => createdMsOf(id) >= Date.parse(reportedAt))).toBe(0);
    expect(Math.min(...records.map(({ id }) => createdMsOf(id)))).toBeGreaterThan(Date.UTC(2016, 0, 1) - 1);
    const isNew = ({ id, reportedAt }: SampleRecord): boolean =>
      Date.parse(reportedAt) - createdMsOf(id) < 7 * 86_400_000;
    expect(share(records, isNew)).toBeGreaterThan(0.03);
  });

  it('holds ties of report time and of views', () => {
    expect(new Set(records.map(({ reportedAt }) => reportedAt)).size).toBeLessThan(COUNT * 0.98);
    expect(share(records, ({ views }) => views === 0)).toBeCloseTo(0.34, 1);
    const views = records.map((record) => record.views ?? 0);
    expect(Math.max(...views)).toBeGreaterThan(10_000);
    expect(share(views, (count) => count >= 10_000)).toBeLessThan(0.005);
  });

  it('has reasons of every length in their shares', () => {
    expect(share(records, ({ reason }) => reason === '')).toBeCloseTo(0.015, 2);
    expect(share(records, ({ reason }) => reason.length >= 80 && reason.length <= 600)).toBeGreaterThan(0.75);
    const isLong = ({ reason }: SampleRecord): boolean => reason.length >= 1000 && reason.length <= 3000;
    expect(share(records, isLong)).toBeGreaterThan(0.03);
    const longest = Math.max(...records.map(({ reason }) => reason.length));
    expect(longest).toBeGreaterThan(8000);
    expect(longest).toBeLessThan(12_000);
  });

  it('writes reasons in many ways', () => {
    const reasons = records.map(({ reason }) => reason).filter((reason) => reason.length > 80);
    expect(new Set(reasons).size / reasons.length).toBeGreaterThan(0.97);
    const forms = [
      /\*\*/,
      /^- /m,
      /^1\. /m,
      /^> /m,
      /^```$/m,
      /^\| /m,
      /^## /m,
      /\]\(https:/,
      /`[^`]+`/,
      /[łąęśź]/,
    ];
    for (const form of forms) expect(reasons.some((reason) => form.test(reason))).toBe(true);
  });

  it('gives proofs in their shares, some private ones without items', () => {
    expect(share(records, ({ proofs }) => proofs === undefined)).toBeCloseTo(0.45, 1);
    expect(share(records, ({ proofs }) => proofs?.private === false)).toBeCloseTo(0.4, 1);
    expect(share(records, ({ proofs }) => proofs?.private === true)).toBeCloseTo(0.15, 1);
    expect(records.some(({ proofs }) => proofs?.private === true && proofs.items.length === 0)).toBe(true);
    expect(records.some(({ proofs }) => proofs?.private === false && proofs.items.length === 0)).toBe(false);
  });

  it('names in many scripts, of one to a hundred characters, with popular ones repeated', () => {
    const names = records.map(({ name }) => name);
    const forms = [
      ...[
        /\p{Script=Cyrillic}/u,
        /\p{Script=Han}/u,
        /\p{Script=Katakana}/u,
        /\p{Script=Arabic}/u,
        /\p{Script=Hebrew}/u,
      ],
      ...[
        /\p{Extended_Pictographic}/u,
        /\p{Mn}{3}/u,
        /[\uff21-\uff5a]{2}/,
        /<script>/,
        /["„]/,
        /%/,
        /_/,
        /[ęółśż]/,
      ],
    ];
    for (const form of forms)
      expect(
        names.some((name) => form.test(name)),
        String(form),
      ).toBe(true);
    expect(names.some((name) => [...name].length === 1)).toBe(true);
    expect(names.some((name) => [...name].length === 100 && !/\s/.test(name))).toBe(true);
    expect(new Set(names).size).toBeLessThan(COUNT * 0.95);
    expect(new Set(names).size).toBeGreaterThan(COUNT * 0.3);
  });

  it('never repeats an ID in 100,000 records', () => {
    const ids = new Set<string>();
    for (const { id } of sampleRecords(list, { count: 100_000, seed: 1 })) ids.add(id);
    expect(ids.size).toBe(100_000);
  });
});

describe('sampleRecords over lists', () => {
  it('verifies every trusted entry and about 60 % of the reported ones', () => {
    expect(share(collect('legit', 5000), ({ verified }) => verified)).toBe(1);
    expect(share(collect('scammers', 5000), ({ verified }) => verified)).toBeCloseTo(0.6, 1);
    expect(share(collect('servers', 5000), ({ verified }) => verified)).toBeCloseTo(0.6, 1);
  });

  it('shares a few IDs between scammers and legit, with the same name, and none with servers', () => {
    const scammers = new Map(collect('scammers', 2000).map((record) => [record.id, record.name]));
    const shared = collect('legit', 2000).filter(({ id }) => scammers.has(id));
    expect(shared).toHaveLength(10);
    for (const { id, name } of shared) expect(scammers.get(id)).toBe(name);
    expect(collect('servers', 2000).some(({ id }) => scammers.has(id))).toBe(false);
  });

  it('counts from the `now` it is given', () => {
    const now = Date.UTC(2030, 0, 1);
    const [newest] = [...sampleRecords('servers', { count: 2000, seed: 3, now })]
      .map(({ reportedAt }) => reportedAt)
      .sort()
      .reverse();
    expect(newest?.startsWith('2029-12')).toBe(true);
  });

  it('makes nothing for a count of zero', () => {
    expect(collect('scammers', 0)).toEqual([]);
  });
});
