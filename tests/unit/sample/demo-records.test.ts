import { describe, expect, it } from 'vitest';
import { demoRecords } from '../../../scripts/sample/demo-records.ts';
import { findRecordFault } from './find-record-fault.ts';

const LISTS = ['scammers', 'servers', 'legit'] as const;

describe('demoRecords', () => {
  it.each(LISTS)('makes only fit records of %s, each ID once, the same every time', (list) => {
    const records = demoRecords(list);
    expect(records.flatMap((record) => findRecordFault(list, record) ?? [])).toEqual([]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    expect(demoRecords(list)).toEqual(records);
  });

  it('tells what was reported, and calls nobody a swindler', () => {
    const reasons = [...demoRecords('scammers'), ...demoRecords('servers')].map(({ reason }) => reason);
    expect(reasons.filter((reason) => /wyłudz|oszu(?:st|ka)|złodziej/i.test(reason))).toEqual([]);
  });
});
