/** Searches through the front door and real threads, compared with a naive look into every entry, while entries change. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { entryIdOf } from '#src/entries/entry-identity.ts';
import type { ListKind } from '#src/entries/entry.ts';
import type { ListResponse } from '#src/serving/list-response.ts';
import { PROOFS_FILTERS, SORTS, STATUSES } from '#src/entries/list-query.ts';
import { indexFolderOf, readManifest } from '#src/entries/search/index-folder.ts';
import { eraseOldTexts, refreshSearchIndex } from '#src/entries/search/refresh-index.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { readLastChange } from '#src/changes/append-change.ts';
import { createRandom } from '../../scripts/bench/questions.ts';
import { importRecords } from '../support/make-entries.ts';
import { naiveFold, naiveList } from '../support/naive-lists.ts';
import type { NaiveEntry, NaiveQuery } from '../support/naive-lists.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

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
  const entries: Record<(typeof LISTS)[number], NaiveEntry[]> = { scammers: [], legit: [] };
  const random = createRandom(SEED);
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
      'SELECT visible_text FROM entries JOIN contents USING (content) WHERE entry_id = ?',
    );
    const written = changed.map((entry) => ({ ...entry, visibleText: read.pluck().get(entry._id) ?? '' }));
    const ids = new Set(changed.map(({ _id }) => _id));
    entries[list] = [...entries[list].filter(({ _id }) => !ids.has(_id)), ...written];
  };

  const remove = (list: (typeof LISTS)[number], entry: NaiveEntry): void => {
    expect(removeEntry(db, list, entry.id, 'request', 0)).toBe(true);
    entries[list] = entries[list].filter(({ _id }) => _id !== entry._id);
  };

  const refresh = (changedRows = 1): Promise<unknown> =>
    refreshSearchIndex(db, { signal: new AbortController().signal, rowsMin: 1, changedRows });

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

  beforeAll(async () => {
    db = await makeDatabase();
    for (const list of LISTS)
      await write(
        list,
        Array.from({ length: COUNT }, () => makeEntry(list)),
      );
    site = await startTestSite(db.path);
  });

  it('agrees before there is an index', () => askManyThings(40));

  it('agrees with an index, with one that is behind, and with one that has caught up', async () => {
    expect(await refresh()).toEqual({ made: 1, missing: 0 });
    await askManyThings(150);
    for (let round = 0; round < 6; round += 1) {
      await changeSomeThings();
      await askManyThings(25);
    }
    expect(await refresh(1_000_000)).toEqual({ made: 0, missing: 0 });
    expect(await refresh()).toEqual({ made: 1, missing: 0 });
    expect(await refresh()).toEqual({ made: 0, missing: 0 });
    await askManyThings(60);
    await changeSomeThings();
    await eraseOldTexts(db, readLastChange(db, 'scammers'));
    await askManyThings(60);
  });

  it('writes nothing into the index for a changed entry', async () => {
    await refresh();
    const folder = indexFolderOf(db.path);
    const before = readManifest(folder);
    await write('scammers', [makeEntry('scammers')]);
    expect(await refreshSearchIndex(db, { signal: new AbortController().signal })).toEqual({
      made: 0,
      missing: 0,
    });
    expect(readManifest(folder)).toEqual(before);
  });

  it('agrees when chunks are missing, damaged, or made again', async () => {
    const folder = indexFolderOf(db.path);
    for (const name of readdirSync(folder).filter((each) => each.startsWith('chunk')))
      rmSync(join(folder, name));
    await askManyThings(20);
    rmSync(folder, { recursive: true });
    await askManyThings(20);
    expect(await refresh()).toEqual({ made: 1, missing: 0 });
    await askManyThings(20);
  });

  it('leaves an ended rebuild to the next, and no half index', async () => {
    rmSync(indexFolderOf(db.path), { recursive: true });
    const ending = AbortSignal.abort();
    expect(await refreshSearchIndex(db, { signal: ending, rowsMin: 1 })).toEqual({ made: 0, missing: 1 });
    expect(existsSync(indexFolderOf(db.path))).toBe(false);
    await refresh();
    await askManyThings(10);
  });

  it('follows the views when they have been counted', async () => {
    await assertSame('scammers', { search: 'a', sort: 'popular' });
    for (const entry of entries.scammers.slice(0, 50)) {
      const views = Math.floor(random() * 1_000);
      db.statement('UPDATE entries SET views = ? WHERE entry_id = ?').run(views, entry._id);
      Object.assign(entry, { views });
    }
    db.statement("INSERT OR REPLACE INTO properties (key, value) VALUES ('popularity', '7')").run();
    await assertSame('scammers', { search: 'a', sort: 'popular' });
    await assertSame('scammers', { search: 'a', sort: 'popular_asc', skip: 5 });
  });

  it('erases what was removed or changed from every file', async () => {
    const marked = { ...makeEntry('scammers'), name: 'znacznikjeden', reason: 'znacznikdwa' };
    const changed = { ...makeEntry('scammers'), name: 'znaczniktrzy', reason: 'znacznikcztery' };
    await write('scammers', [marked, changed]);
    await refresh();
    const contents = (): string =>
      readdirSync(indexFolderOf(db.path))
        .map((name) => readFileSync(join(indexFolderOf(db.path), name), 'latin1'))
        .join('');
    for (const word of ['znacznikjeden', 'znacznikdwa', marked.id, 'znacznikcztery']) {
      expect(contents().includes(word)).toBe(true);
    }
    remove('scammers', marked);
    await write('scammers', [{ ...changed, name: 'inaczej', reason: 'inaczej' }]);
    expect(await eraseOldTexts(db, readLastChange(db, 'scammers'))).toBe(2);
    for (const word of ['znacznik', marked.id]) expect(contents().includes(word)).toBe(false);
    for (const search of ['znacznik', 'jeden', 'inaczej', 'z']) await assertSame('scammers', { search });
    await askManyThings(10);
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
    await askManyThings(30);
    expect(await refresh()).toEqual({ made: 1, missing: 0 });
    await askManyThings(30);
  });
});
