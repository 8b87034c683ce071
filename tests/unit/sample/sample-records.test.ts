/** Invented records: the import takes each, a seed gives the same ones again, and they name nobody who exists. */
import { expect, it } from 'vitest';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { parseImportRecord } from '#src/entries/import-record.ts';
import { demoRecords, type SampleRecord } from '../../../scripts/sample/demo-records.ts';
import { sampleRecords } from '../../../scripts/sample/sample-records.ts';

/** Words that judge persons, and brands. */
const BANNED =
  /oszust|złodziej|przestęp|scammer|discord|steam\b|paypal|allegro|olx|facebook|telegram|whatsapp|instagram/i;
const HOST = /^https:\/\/(?:example\.(?:com|org)|[a-z0-9-]+\.example)(?:[/)]|$)/;

function expectFit(list: ListKind, records: readonly SampleRecord[]): void {
  for (const record of records) {
    expect(parseImportRecord(record, list), record.id).toMatchObject({ ok: true });
    const text = JSON.stringify([record.reason, record.proofs]);
    expect(text).not.toMatch(BANNED);
    for (const [url] of text.matchAll(/https?:\/\/[^"\\]+/g)) expect(url).toMatch(HOST);
  }
}

it.each(LIST_KINDS)('those of the demo are fit for %s, each ID once', (list) => {
  const records = demoRecords(list);
  expectFit(list, records);
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
});

it.each(LIST_KINDS)('a longer run for %s begins with the shorter one of its seed only', (list) => {
  const make = (count: number, seed = 7) => [...sampleRecords(list, { count, seed })];
  const records = make(1_000);
  expectFit(list, records);
  expect(make(500)).toEqual(records.slice(0, 500));
  expect(make(1, 8)[0]?.id).not.toBe(records[0]?.id);
});

it('no ID or name comes twice, neither in a list nor between lists', () => {
  const all = LIST_KINDS.flatMap((list) => [...sampleRecords(list, { count: 20_000, seed: 1 })]);
  expect(new Set(all.map(({ id }) => id)).size).toBe(60_000);
  expect(new Set(all.map(({ name }) => name)).size).toBe(60_000);
});
