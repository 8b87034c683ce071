/** Searches through the request handler and real threads, compared with a naive look into every entry, while entries change. */
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import type { ListKind } from '#src/entries/entry.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { PROOFS_FILTERS, SORTS, STATUSES, type ListQuery } from '#src/entries/list-query.ts';
import { removeSearchFile } from '#src/search/update-search-file.ts';
import { searchPath } from '#src/search/search-file.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { foldText } from '#src/text/fold-text.ts';
import { Random } from '../../../scripts/sample/random.ts';
import { updateIndexes } from '../../support/update-indexes.ts';
import { importRecords } from '../../support/make-entries.ts';
import { listPlainly, readPublic, type PlainEntry } from '../../support/plain-lists.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../../support/test-site.ts';
import { trials } from '../../support/trials.ts';
import type { ListResponse } from '../../support/responses.ts';

const SEED = 20261121;
const LISTS = ['scammers', 'legit'] as const satisfies ListKind[];
const COUNT = 600;
const PIECES = [
  'konto',
  'Łódź',
  'ąę',
  'ab',
  'a',
  'nie ',
  '😀',
  '😃',
  '%',
  '_',
  '"',
  '*',
  "'",
  'щит',
  'ﬁ',
  'Ⅷ',
  'ß',
  '0',
];

describe('the oracle of searches', () => {
  let db: Database;
  let site: TestSite;
  const entries: Record<(typeof LISTS)[number], readonly PlainEntry[]> = { scammers: [], legit: [] };
  const random = new Random(SEED);
  const text = (most: number): string =>
    Array.from({ length: 1 + random.below(most) }, () => random.pick(PIECES)).join('');
  let made = 0;

  const makeEntry = (list: ListKind): ImportRecordInput => {
    made += 1;
    return {
      reportId: `${list}-${made}`,
      id: String(1_000_000 + random.below(1_000_000) * 1_000 + made),
      name: `${text(4)}${made % 50}`.trim(),
      // Code in backticks: what is written is what is seen.
      reason: `\`x${text(8).replaceAll('`', '')}x\``,
      verified: list === 'legit' || random.chance(0.6),
      reportedAt: 1_790_000_000_000 + random.below(100) * 1_000,
      views: random.below(5),
      proofs: random.pick([
        { private: false, items: [] },
        { private: true, items: [{ text: 'a' }] },
        { private: false, items: [{ text: 'b' }] },
      ]),
    };
  };

  const write = async (
    list: (typeof LISTS)[number],
    changed: readonly ImportRecordInput[],
  ): Promise<void> => {
    await importRecords(db, list, changed);
    entries[list] = readPublic(db, list);
  };

  const remove = (list: (typeof LISTS)[number], { id }: PlainEntry): void => {
    expect(removeEntry(db, list, id, 'request', 0)).toBe(true);
    entries[list] = readPublic(db, list);
  };

  /** Readers look at the file a hundred times a second. */
  const keep = async (): Promise<void> => {
    await updateIndexes(db);
    await setTimeout(20);
  };

  const assertSame = async (list: (typeof LISTS)[number], query: Partial<ListQuery>): Promise<void> => {
    // Beyond the rate limit of one address, and too late for the shared cache.
    site.clock.now += 400_000;
    const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
    const { data, total, hasMore } = await site.json<ListResponse>(`/api/${list}?${parameters}`);
    const expected = listPlainly(entries[list], list, query);
    const ids = data.map((entry) => entry._id);
    expect({ ids, total }, JSON.stringify({ list, ...query })).toEqual({
      ids: expected.entries.map(({ _id }) => _id),
      total: expected.total,
    });
    expect(hasMore).toBe((query.skip ?? 0) + ids.length < total);
  };

  const askManyThings = (runs: number): Promise<void> => {
    const search = fc.oneof(
      fc
        .array(fc.constantFrom(...PIECES, 'o', 'x', '1'), { minLength: 1, maxLength: 3 })
        .map((parts) => parts.join('')),
      fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 12 })).map(([which, from, length]) => {
        const entry = entries.scammers[which % entries.scammers.length];
        const letters = [...`${entry?.visibleText}${entry?.id}`];
        return letters
          .slice(from % letters.length)
          .slice(0, length)
          .join('');
      }),
    );
    const question = fc.record(
      {
        search: search.map((asked) => asked.trim()).filter((asked) => asked !== '' && foldText(asked) !== ''),
        sort: fc.constantFrom(...SORTS),
        status: fc.constantFrom(...STATUSES),
        proofs: fc.constantFrom(...PROOFS_FILTERS),
        skip: fc.integer({ min: 0, max: 40 }),
        limit: fc.integer({ min: 1, max: 60 }),
      },
      { requiredKeys: ['search'] },
    );
    return fc.assert(fc.asyncProperty(fc.constantFrom(...LISTS), question, assertSame), {
      numRuns: runs,
      seed: SEED + made,
    });
  };

  const changeSomeThings = async (): Promise<void> => {
    for (const list of LISTS) {
      const edited = Array.from({ length: 8 }, () => random.pick(entries[list]));
      await write(
        list,
        [...new Set(edited)].map(({ id, reportId, reportedAt }) => ({
          ...makeEntry(list),
          ...{ id, reportId, reportedAt },
        })),
      );
      for (let count = 0; count < 3; count += 1) remove(list, random.pick(entries[list]));
      await write(
        list,
        Array.from({ length: 4 }, () => makeEntry(list)),
      );
    }
    // The newest row goes, and another entry comes.
    const newest = db
      .statement<{ entry_id: string }>('SELECT entry_id FROM entries ORDER BY row DESC LIMIT 1')
      .get();
    const last = entries.legit.find(({ _id }) => _id === newest?.entry_id);
    if (last) remove('legit', last);
    await write('scammers', [makeEntry('scammers')]);
  };

  beforeAll(async () => {
    db = await makeDatabase();
    for (const list of LISTS)
      await write(
        list,
        Array.from({ length: COUNT }, () => makeEntry(list)),
      );
    site = await startTestSite(db.path);
  });

  beforeEach(keep);

  it('is refused while there is no full text', async () => {
    removeSearchFile(searchPath(db.path));
    await setTimeout(20);
    expect((await site.get('/api/scammers?search=konto')).status).toBe(503);
  });

  it('agrees when it has been made, and after every change that it has followed', async () => {
    await askManyThings(trials(60, 150));
    for (let round = 0; round < trials(3, 6); round += 1) {
      await changeSomeThings();
      await keep();
      await askManyThings(30);
    }
  });

  it.each([
    'a AND b',
    'konto OR x',
    'NOT a',
    'NEAR(a b)',
    '^konto',
    'konto*',
    'reason : a',
    '{name} : a',
    '"konto',
    "konto'",
    '(a)',
    'a\u0000b',
    '\u0000\u0000\u0000',
    '-',
    '--',
    '😀😃😀',
    'ﬁﬁﬁ',
  ])('takes %j for a text', async (search) => {
    await write('scammers', [{ ...makeEntry('scammers'), reason: `\`x ${search.replaceAll('\0', '')} x\`` }]);
    await keep();
    await assertSame('scammers', { search });
  });

  it('finds nothing for half a character, and takes a hundred characters', async () => {
    await assertSame('scammers', { search: '😀'.repeat(100) });
    await assertSame('scammers', { search: 'a'.repeat(100) });
    const { status, text: body } = await site.get('/api/scammers?search=%ED%A0%BD');
    expect({ status, total: (JSON.parse(body) as ListResponse).total }).toEqual({ status: 200, total: 0 });
  });

  it('agrees after the file was deleted and made again', async () => {
    removeSearchFile(searchPath(db.path));
    await keep();
    await askManyThings(20);
  });

  it('follows the views when they have been counted', async () => {
    await assertSame('scammers', { search: 'a', sort: 'popular' });
    for (const entry of entries.scammers.slice(0, 50)) {
      const views = random.below(1_000);
      db.statement('UPDATE entries SET views = ? WHERE entry_id = ?').run(views, entry._id);
    }
    entries.scammers = readPublic(db, 'scammers');
    db.statement("INSERT OR REPLACE INTO properties (key, value) VALUES ('popularity', '7')").run();
    await keep();
    await assertSame('scammers', { search: 'a', sort: 'popular' });
    await assertSame('scammers', { search: 'a', sort: 'popular_asc', skip: 5 });
  });

  it('makes everything again after a backup of another history was restored', async () => {
    const other = await makeDatabase();
    const marker = { ...makeEntry('scammers'), name: 'inna historia' };
    const kept = db;
    db = other;
    entries.scammers = [];
    entries.legit = [];
    await write('scammers', [marker, ...Array.from({ length: 30 }, () => makeEntry('scammers'))]);
    await write('legit', [makeEntry('legit')]);
    db.statement("INSERT OR REPLACE INTO properties (key, value) VALUES ('history', 'another')").run();
    await other.connection.backup(kept.path);
    db = kept;
    await keep();
    await askManyThings(30);
  });
});
