import { describe, expect, it } from 'vitest';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import type { SampleRecord } from '../../../scripts/sample/demo-records.ts';
import { sampleRecords } from '../../../scripts/sample/sample-records.ts';
import { findRecordFault } from './find-record-fault.ts';

const collect = (list: ListKind, count: number, seed = 7): SampleRecord[] => [
  ...sampleRecords(list, { count, seed }),
];

describe.each(LIST_KINDS)('sampleRecords(%s)', (list) => {
  const records = collect(list, 5_000);

  it('gives the same records for the same seed, begins a longer run with the shorter one', () => {
    expect(collect(list, 500)).toEqual(records.slice(0, 500));
    expect(collect(list, 0)).toEqual([]);
    const ids = new Set(records.map(({ id }) => id));
    expect(collect(list, 500, 8).some(({ id }) => ids.has(id))).toBe(false);
  });

  it('makes only records that the import accepts, with example hosts and neutral words', () => {
    expect(records.flatMap((record) => findRecordFault(list, record) ?? [])).toEqual([]);
  });
});

it('never repeats an ID or a name, neither in a list nor between lists', () => {
  const ids = new Set<string>();
  const names = new Set<string>();
  for (const list of LIST_KINDS)
    for (const { id, name } of sampleRecords(list, { count: 20_000, seed: 1 })) {
      ids.add(id);
      names.add(name);
    }
  expect([ids.size, names.size]).toEqual([60_000, 60_000]);
});
