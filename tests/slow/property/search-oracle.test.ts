/** Searches through the front door and real threads, compared with a naive look into every entry, while entries change. */
import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { entryIdOf } from '#src/entries/entry-identity.ts';
import type { ListKind } from '#src/entries/entry.ts';
import type { ListResponse } from '#src/serving/list-response.ts';
import { PROOFS_FILTERS, SORTS, STATUSES } from '#src/entries/list-query.ts';
import { servingFolder } from '#src/serving/serving-file.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { visibleText } from '#src/text/visible-text.ts';
import { createRandom } from '../../../scripts/bench/questions.ts';
import { keepServing } from '../../support/keep-serving.ts';
import { importRecords } from '../../support/make-entries.ts';
import { naiveFold, naiveList } from '../../support/naive-lists.ts';
import type { NaiveEntry, NaiveQuery } from '../../support/naive-lists.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { startTestSite } from '../../support/test-site.ts';
import type { TestSite } from '../../support/test-site.ts';
import { trials } from '../../support/trials.ts';

/** Longer than a reader goes on with a file that is gone. */
const CHOOSE_MS = 1_050;
const SEED = 20261121;
const LISTS = ['scammers', 'legit'] as const satisfies ListKind[];
const COUNT = 300;
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

/** What searches could take for something else than a text. */
const TEXTS = [
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
  '😀'.repeat(100),
  'a'.repeat(100),
];

describe('the oracle of searches', () => {
  let db: Database;
  let site: TestSite;
  let entries: Record<(typeof LISTS)[number], NaiveEntry[]>;
  let random: () => number;
  const draw = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const text = (most: number): string =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => draw(PIECES)).join('');
  let made = 0;

  const makeEntry = (list: ListKind): NaiveEntry => {
    made += 1;
    const reportId = `${list}-${made}`;
    return {
      _id: entryIdOf(reportId),
      reportId,
      id: String(1_000_000 + Math.floor(random() * 1_000_000) * 1_000 + made),
      name: `${text(4)}${made % 50}`.trim(),
      // Code in backticks: what is written is what is seen.
      reason: `\`x${text(8).replaceAll('`', '')}x\``,
      verified: list === 'legit' || random() < 0.6,
      reportedAt: 1_790_000_000_000 + Math.floor(random() * 100) * 1_000,
      views: Math.floor(random() * 5),
      proofs: draw([
        { private: false, items: [] },
        { private: true, items: [{ text: 'a' }] },
        { private: false, items: [{ text: 'b' }] },
      ]),
      visibleText: '',
    };
  };

  const write = async (list: (typeof LISTS)[number], changed: readonly NaiveEntry[]): Promise<void> => {
    const records = changed.map(({ _id: _left, visibleText: _seen, ...record }) => record);
    await importRecords(db, list, records);
    const read = db.connection.prepare<unknown[], string>(
      'SELECT desc_html FROM entries JOIN contents USING (content) WHERE entry_id = ?',
    );
    const written = changed.map((entry) => ({
      ...entry,
      visibleText: visibleText(read.pluck().get(entry._id) ?? ''),
    }));
    const ids = new Set(changed.map(({ _id }) => _id));
    entries[list] = [...entries[list].filter(({ _id }) => !ids.has(_id)), ...written];
  };

  const remove = (list: (typeof LISTS)[number], entry: NaiveEntry): void => {
    expect(removeEntry(db, list, entry.id, 'request', 0)).toBe(true);
    entries[list] = entries[list].filter(({ _id }) => _id !== entry._id);
  };

  /** Readers look at the file a hundred times a second. */
  const keep = async (): Promise<void> => {
    keepServing(db);
    await setTimeout(20);
  };

  const assertSame = async (list: (typeof LISTS)[number], query: NaiveQuery): Promise<void> => {
    // Beyond the rate limit of one address, and too late for the shared cache.
    site.clock.now += 400_000;
    const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
    const { data, total, hasMore } = await site.json<ListResponse>(`/api/${list}?${parameters}`);
    const expected = naiveList(entries[list], list, query);
    const ids = data.map((entry) => entry._id);
    expect({ ids, total }, JSON.stringify({ list, ...query })).toEqual(expected);
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
        search: search
          .map((asked) => asked.trim())
          .filter((asked) => asked !== '' && naiveFold(asked) !== ''),
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
      const edited = Array.from({ length: 8 }, () => draw(entries[list]));
      await write(
        list,
        [...new Set(edited)].map((entry) => {
          const fresh = makeEntry(list);
          return {
            ...entry,
            name: fresh.name,
            reason: fresh.reason,
            verified: fresh.verified,
            views: fresh.views,
          };
        }),
      );
      for (let count = 0; count < 3; count += 1) remove(list, draw(entries[list]));
      await write(
        list,
        Array.from({ length: 4 }, () => makeEntry(list)),
      );
    }
    // The newest row goes and its number comes back for another entry.
    const newest = db
      .statement<{ entry_id: string }>('SELECT entry_id FROM entries ORDER BY row DESC LIMIT 1')
      .get();
    const last = entries.legit.find(({ _id }) => _id === newest?.entry_id);
    if (last) remove('legit', last);
    await write('scammers', [makeEntry('scammers')]);
  };

  beforeEach(async () => {
    db = await makeDatabase();
    entries = { scammers: [], legit: [] };
    random = createRandom(SEED);
    for (const list of LISTS)
      await write(
        list,
        Array.from({ length: COUNT }, () => makeEntry(list)),
      );
    site = await startTestSite(db.path);
  });

  it('agrees without a full text, with one, and after everything that happens to it', async () => {
    await askManyThings(trials(20, 40));
    await keep();
    await askManyThings(trials(40, 150));
    for (let round = 0; round < trials(2, 6); round += 1) {
      await changeSomeThings();
      await keep();
      await askManyThings(trials(20, 30));
    }

    for (const entry of entries.scammers.slice(0, 50)) {
      const views = Math.floor(random() * 1_000);
      db.statement('UPDATE entries SET views = ? WHERE entry_id = ?').run(views, entry._id);
      Object.assign(entry, { views });
    }
    db.statement("INSERT OR REPLACE INTO properties (key, value) VALUES ('popularity', '7')").run();
    await keep();
    await assertSame('scammers', { search: 'a', sort: 'popular' });
    await assertSame('scammers', { search: 'a', sort: 'popular_asc', skip: 5 });

    rmSync(servingFolder(db.path), { recursive: true });
    await askManyThings(10);
    await keep();
    // A reader goes on with the file that it has open until it looks for another, once a second.
    await setTimeout(CHOOSE_MS);
    await askManyThings(10);
  });

  it('makes everything again after a backup of another history was restored', async () => {
    await keep();
    await askManyThings(5);
    const kept = db;
    db = await makeDatabase();
    entries = { scammers: [], legit: [] };
    const marker = { ...makeEntry('scammers'), name: 'inna historia' };
    await write('scammers', [marker, ...Array.from({ length: 30 }, () => makeEntry('scammers'))]);
    await write('legit', [makeEntry('legit')]);
    db.statement("INSERT OR REPLACE INTO properties (key, value) VALUES ('history', 'another')").run();
    await db.connection.backup(kept.path);
    db = kept;
    await keep();
    await askManyThings(20);
  });

  it('takes everything for a text, and finds nothing for half a character', async () => {
    await write(
      'scammers',
      TEXTS.map((text) => ({ ...makeEntry('scammers'), reason: `\`x ${text.replaceAll('\0', '')} x\`` })),
    );
    await keep();
    for (const search of TEXTS) await assertSame('scammers', { search });
    const { data, total } = await site.json<ListResponse>('/api/scammers?search=%ED%A0%BD');
    expect({ data, total }).toEqual({ data: [], total: 0 });
  });
});
