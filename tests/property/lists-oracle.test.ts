/** Every list and check answer, compared with a naive implementation over the same entries. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { PROOFS_FILTERS, SORTS, STATUSES, type ListQuery } from '#src/entries/list-query.ts';
import { sampleRecords } from '../../scripts/sample/sample-records.ts';
import { updateIndexes } from '../support/update-indexes.ts';
import { importRecords } from '../support/make-entries.ts';
import { checkPlainly, listPlainly, readPublic, type PlainEntry } from '../support/plain-lists.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';
import { trials } from '../support/trials.ts';
import type { CheckResponse, ListResponse } from '../support/responses.ts';

const COUNTS: Readonly<Record<ListKind, number>> = { scammers: 500, servers: 150, legit: 100 };
const SEED = 20261120;
const TIED_NAMES = ['kuba', 'Kuba', 'kubа', 'Żubr', '%_'];

describe('the oracle of lists and check', () => {
  let site: TestSite;
  const entries = {} as Record<ListKind, readonly PlainEntry[]>;

  beforeAll(async () => {
    const db = await makeDatabase();
    for (const list of LIST_KINDS) {
      const records = [...sampleRecords(list, { count: COUNTS[list], seed: SEED })].map((record, index) => ({
        ...record,
        // Every twentieth name is one of five, so that names tie and differ in case and script.
        name: index % 20 ? record.name : (TIED_NAMES[(index / 20) % TIED_NAMES.length] ?? ''),
      }));
      await importRecords(db, list, records);
      entries[list] = readPublic(db, list);
    }
    await updateIndexes(db);
    site = await startTestSite(db.path);
  });

  const ask = async (
    list: ListKind,
    query: Partial<ListQuery>,
  ): Promise<{ ids: string[]; total: number; hasMore: boolean }> => {
    // Beyond the rate limit of one address: the clock goes on with every question.
    site.clock.now += 100;
    const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
    const { data, total, hasMore } = await site.json<ListResponse>(`/api/${list}?${parameters}`);
    return { ids: data.map((entry) => entry._id), total, hasMore };
  };

  const assertSame = async (list: ListKind, query: Partial<ListQuery>): Promise<void> => {
    const expected = listPlainly(entries[list], list, query);
    const { ids, total, hasMore } = await ask(list, query);
    expect({ ids, total }, JSON.stringify({ list, ...query })).toEqual({
      ids: expected.entries.map(({ _id }) => _id),
      total: expected.total,
    });
    expect(hasMore).toBe((query.skip ?? 0) + ids.length < total);
  };

  it('agrees on every sort, status and proofs filter', async () => {
    for (const list of LIST_KINDS) {
      for (const sort of SORTS) {
        for (const status of STATUSES) {
          for (const proofs of PROOFS_FILTERS) await assertSame(list, { sort, status, proofs, limit: 60 });
        }
      }
    }
  });

  it('agrees on random questions', async () => {
    /** A piece of something that is there, or anything at all. */
    const search = (list: ListKind) =>
      fc.oneof(
        fc
          .tuple(
            fc.nat(),
            fc.nat(),
            fc.integer({ min: 1, max: 12 }),
            fc.constantFrom('name', 'id', 'visibleText'),
          )
          .map(([which, from, length, field]) => {
            const text = entries[list][which % COUNTS[list]]?.[field as 'name'] ?? '';
            return [...text]
              .slice(from % (text.length + 1))
              .slice(0, length)
              .join('')
              .trim();
          }),
        fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => text.trim()),
      );
    const question = fc.constantFrom(...LIST_KINDS).chain((list) =>
      fc.record({
        list: fc.constant(list),
        query: fc.record(
          {
            search: search(list).filter((text) => text !== '' && text.isWellFormed()),
            sort: fc.constantFrom(...SORTS),
            status: fc.constantFrom(...STATUSES),
            proofs: fc.constantFrom(...PROOFS_FILTERS),
            skip: fc.integer({ min: 0, max: 300 }),
            limit: fc.integer({ min: 1, max: 60 }),
          },
          { requiredKeys: [] },
        ),
      }),
    );
    await fc.assert(
      fc.asyncProperty(question, ({ list, query }) => assertSame(list, query)),
      { numRuns: trials(100, 400), seed: SEED },
    );
  });

  it('agrees on what is found by ID', async () => {
    for (const list of LIST_KINDS) {
      for (const { id } of entries[list].slice(0, 5)) {
        await assertSame(list, { id });
        await assertSame(list, { id, status: 'risk', proofs: 'with' });
      }
    }
  });

  it.each(SORTS)('agrees on all pages in the order %s', async (sort) => {
    for (const list of LIST_KINDS) {
      const seen: string[] = [];
      for (let skip = 0, hasMore = true; hasMore; skip += 60) {
        const page = await ask(list, { sort, skip, limit: 60 });
        seen.push(...page.ids);
        expect(page.total).toBe(COUNTS[list]);
        hasMore = page.hasMore;
      }
      const expected = listPlainly(entries[list], list, { sort, limit: COUNTS[list] });
      expect(seen, list).toEqual(expected.entries.map(({ _id }) => _id));
    }
  });

  it('agrees on the check by nick', async () => {
    const nick = fc
      .tuple(fc.constantFrom(...LIST_KINDS), fc.nat(), fc.nat(), fc.integer({ min: 1, max: 20 }))
      .map(([list, which, from, length]) => {
        const text = [...(entries[list][which % COUNTS[list]]?.name ?? '')];
        return text
          .slice(from % text.length)
          .slice(0, length)
          .join('')
          .trim();
      })
      .filter((text) => text !== '');
    await fc.assert(
      fc.asyncProperty(nick, async (search) => {
        site.clock.now += 100;
        const { results } = await site.json<CheckResponse>(`/api/check?search=${encodeURIComponent(search)}`);
        const expected = LIST_KINDS.map((kind) => ({ kind, ids: checkPlainly(entries[kind], search) }))
          .map(({ kind, ids }) => ({ kind, ids: ids.slice(0, 20).map(({ _id }) => _id) }))
          .filter(({ ids }) => ids.length > 0)
          .filter(({ kind }, _, all) => kind !== 'legit' || all.every((other) => other.kind === 'legit'));
        expect(
          results.map(({ kind, entries: found }) => ({ kind, ids: found.map((entry) => entry._id) })),
        ).toEqual(expected);
      }),
      { numRuns: trials(60, 200), seed: SEED },
    );
  });
});
