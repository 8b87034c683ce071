/** Searches through the front door and real threads, compared with a naive look into every entry, while entries change. */
import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { renewHistory } from '#src/changes/log-head.ts';
import type { Database } from '#src/db/database.ts';
import { entryIdOf } from '#src/entries/entry-identity.ts';
import type { ListKind } from '#src/entries/entry.ts';
import type { ListResponse } from '#src/serving/list-response.ts';
import { PROOFS_FILTERS, SORTS, STATUSES } from '#src/entries/list-query.ts';
import type { ListQuery } from '#src/entries/list-query.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { servingFolder } from '#src/serving/serving-file.ts';
import { createMarkdownRenderer } from '#src/text/markdown-renderer.ts';
import { visibleText } from '#src/text/visible-text.ts';
import { createRandom } from '../../scripts/bench/questions.ts';
import { keepServing } from '../support/keep-serving.ts';
import { importRecords, NOW } from '../support/make-entries.ts';
import { naiveFold, naiveList } from '../support/naive-lists.ts';
import type { NaiveEntry, NaiveQuery } from '../support/naive-lists.ts';
import { ALL } from '../support/read-model.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

const SEED = 20261121;
const LISTS = ['scammers', 'legit'] as const satisfies ListKind[];
const COUNT = 600;
/** Longer than a reader takes what it has seen for fresh; and what it knows of files. */
const LOOK_MS = 15;
const CHOOSE_MS = 1_050;
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
  // What FTS5 takes for more than text.
  ' AND ',
  ' OR ',
  'NOT ',
  'NEAR(',
  ')',
  '^',
  ':',
  '{name}',
  'name:',
  '-',
  '+',
  '\\',
];
const { signal } = new AbortController();

describe('the oracle of searches', () => {
  let db: Database;
  let site: TestSite;
  const renderer = createMarkdownRenderer();
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
      reason: `\`x${text(8)}x\``,
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
    await importRecords(db, list, records, NOW, undefined, renderer);
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

  const keep = async (): Promise<void> => {
    keepServing(db);
    await pause(LOOK_MS);
  };

  const ask = async (list: ListKind, query: NaiveQuery): Promise<ListResponse> => {
    // Beyond the rate limit of one address, and too late for the shared cache.
    site.clock.now += 400_000;
    const parameters = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
    return site.json<ListResponse>(`/api/${list}?${parameters}`);
  };

  const assertSame = async (list: (typeof LISTS)[number], query: NaiveQuery): Promise<void> => {
    const { data, total, hasMore } = await ask(list, query);
    const expected = naiveList(entries[list], list, query);
    const ids = data.map((entry) => entry._id);
    expect({ ids, total }, JSON.stringify({ list, ...query })).toEqual(expected);
    expect(hasMore).toBe((query.skip ?? 0) + ids.length < total);
  };

  /** While the worker has not followed: hits of what is new may be missing, and what is shown holds the text now. */
  const assertSound = async (list: (typeof LISTS)[number], query: NaiveQuery): Promise<void> => {
    const { data } = await ask(list, query);
    const right = naiveList(entries[list], list, { ...query, skip: 0, limit: Number.POSITIVE_INFINITY });
    const ids = data.map((entry) => entry._id);
    expect(
      ids.filter((id) => !right.ids.includes(id)),
      JSON.stringify({ list, ...query }),
    ).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { _id, name, id } of data) {
      const entry = entries[list].find((one) => one._id === _id);
      expect({ name, id }).toEqual({ name: entry?.name, id: entry?.id });
    }
  };

  const askManyThings = (runs: number, compare = assertSame): Promise<void> => {
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
    return fc.assert(fc.asyncProperty(fc.constantFrom(...LISTS), question, compare), {
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
    await pause(LOOK_MS);
  };

  beforeAll(async () => {
    db = await makeDatabase();
    for (const list of LISTS)
      await write(
        list,
        Array.from({ length: COUNT }, () => makeEntry(list)),
      );
    site = await startTestSite(db.path);
    return () => renderer.close();
  });

  it('agrees before there is a serving file', () => askManyThings(40));

  it('agrees with one, shows nothing wrong while it is behind, and agrees when it has caught up', async () => {
    keepServing(db);
    await pause(CHOOSE_MS);
    await askManyThings(150);
    for (let round = 0; round < 6; round += 1) {
      await changeSomeThings();
      await askManyThings(25, assertSound);
      if (round % 2 === 0) continue;
      await keep();
      await askManyThings(40);
    }
  });

  it('agrees on every one and two letters that there are, and on some that there are not', async () => {
    const texts = entries.scammers
      .slice(0, 40)
      .flatMap(({ name, id, visibleText: seen }) => [name, id, seen]);
    const grams = new Set(
      texts.flatMap((one) => {
        const points = [...one];
        return points.flatMap((point, at) => [point, `${point}${points[at + 1] ?? ''}`]);
      }),
    );
    for (const search of [...grams, 'q', 'qq', '😀q', '€', '🏴'].filter(
      (gram) => gram.trim() === gram && naiveFold(gram) !== '',
    ))
      await assertSame('scammers', { search, sort: 'az', limit: 60 });
  });

  it('takes the syntax of FTS5 for text', async () => {
    const marked = {
      ...makeEntry('scammers'),
      name: 'a AND b OR c* NEAR(d) ^e "f" {g}: h-i + j',
      reason: 'x',
    };
    await write('scammers', [marked]);
    await keep();
    const parts = [
      'AND',
      'OR',
      'a AND b',
      'b OR c',
      'c*',
      '*',
      'NEAR',
      'NEAR(d)',
      'NEAR(d, 2)',
      '^e',
      '^',
      '"f"',
      '"',
      '""',
      '{g}',
      '{g}:',
      '}:',
      'h-i',
      '+ j',
      'i +',
      'name: a',
      'reason:x',
      'a NOT b',
      'c* NEAR',
      "'",
      "';",
      '(',
      ')',
      '()',
      'grams:61',
      '61',
      '61z62',
    ];
    for (const search of parts) for (const list of LISTS) await assertSame(list, { search, limit: 60 });
    expect((await ask('scammers', { search: 'b OR c* NEAR(d) ^e "f" {g}:' })).total).toBe(1);
  });

  it('answers what no entry can hold: NUL, half a character, what folds to nothing; and a hundred characters', async () => {
    const long = { ...makeEntry('scammers'), reason: `\`${'długi tekst bez końca 😀 '.repeat(9)}\`` };
    await write('scammers', [long]);
    await keep();
    const whole = [...(entries.scammers.find(({ _id }) => _id === long._id)?.visibleText ?? '')];
    for (const from of [0, 3, 17]) {
      const search = whole
        .slice(from, from + 100)
        .join('')
        .trim();
      await assertSame('scammers', { search });
      await assertSame('scammers', { search: `${search.slice(0, -1)}q` });
    }
    for (const search of [
      '\0',
      'a\0',
      'ko\0nto',
      '\ud83d',
      '\ude00',
      'konto\ud83d',
      '\u0301',
      '\u200d\u200d',
      '',
    ]) {
      const query: ListQuery = { ...ALL, search };
      const { entries: found, total } = await site.services.serving.list('scammers', query, 'body', signal);
      expect({ found, total }, JSON.stringify(search)).toEqual({ found: [], total: 0 });
    }
  });

  it('follows the views when they have been counted', async () => {
    await assertSame('scammers', { search: 'a', sort: 'popular' });
    for (const entry of entries.scammers.slice(0, 50)) {
      const views = Math.floor(random() * 1_000);
      db.statement('UPDATE entries SET views = ? WHERE entry_id = ?').run(views, entry._id);
      Object.assign(entry, { views });
    }
    db.statement("INSERT OR REPLACE INTO properties (key, value) VALUES ('popularity', '7')").run();
    await keep();
    await assertSame('scammers', { search: 'a', sort: 'popular' });
    await assertSame('scammers', { search: 'a', sort: 'popular_asc', skip: 5 });
  });

  it('agrees when the file is deleted, and when the history is another', async () => {
    rmSync(servingFolder(db.path), { recursive: true });
    await changeSomeThings();
    await pause(CHOOSE_MS);
    await askManyThings(30);
    keepServing(db);
    await pause(CHOOSE_MS);
    await askManyThings(30);
    renewHistory(db);
    await changeSomeThings();
    await askManyThings(20);
    keepServing(db);
    await pause(CHOOSE_MS);
    await askManyThings(30);
  });
});
