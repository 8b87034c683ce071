/** The list indexes, kept up through random changes, against the entries themselves. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLastChange } from '#src/changes/append-change.ts';
import { createGeneration } from '#src/changes/generation.ts';
import { renewHistory } from '#src/changes/log-head.ts';
import { openReader } from '#src/db/reader.ts';
import type { Database } from '#src/db/database.ts';
import { insertContent } from '#src/entries/contents.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { ListKind, ProofsState } from '#src/entries/entry.ts';
import { listEntries } from '#src/entries/list-entries.ts';
import { INDEX_FOLDER } from '#src/entries/list-indexes/index-files.ts';
import { INDEX_KEYS } from '#src/entries/list-indexes/index-key.ts';
import { createListIndexReader } from '#src/entries/list-indexes/index-reader.ts';
import type { ListIndexReader } from '#src/entries/list-indexes/index-reader.ts';
import { createListIndexWriter, dropListIndexes } from '#src/entries/list-indexes/index-writer.ts';
import type { ListIndexWriter } from '#src/entries/list-indexes/index-writer.ts';
import { toListResponse } from '#src/entries/list-response.ts';
import { removeEntry, writeEntries } from '#src/entries/write-entries.ts';
import { NOW } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';

const SEED = 20261121;
/** Small enough that lists reach beyond the places that are held. */
const LIMITS = { served: 40, held: 50 };

interface Setup {
  readonly db: Database;
  readonly folder: string;
  readonly writer: ListIndexWriter;
  readonly failures: unknown[];
  /** A reader that has looked at the directory just now. */
  read<T>(look: (reader: ListIndexReader) => T): T;
  refresh(): Promise<{ indexes: number; bytes: number }>;
}

async function setUp(limits = LIMITS): Promise<Setup> {
  const db = await makeDatabase();
  db.connection.pragma('synchronous = OFF');
  const folder = join(dirname(db.path), INDEX_FOLDER);
  mkdirSync(folder, { recursive: true });
  const writer = createListIndexWriter(db, folder, limits);
  const failures: unknown[] = [];
  return {
    db,
    folder,
    writer,
    failures,
    read(look) {
      const own = openReader(db.path, (error) => failures.push(error));
      const reader = createListIndexReader(own, folder, createGeneration(own), (error) =>
        failures.push(error),
      );
      try {
        return look(reader);
      } finally {
        reader.close();
        own.close();
      }
    },
    refresh: () => writer.refresh((change) => db.write(change), new AbortController().signal),
  };
}

interface Facts {
  readonly chat: number;
  readonly name: string;
  readonly verified: boolean;
  readonly reportedAt: number;
  readonly views: number;
  readonly proofs: ProofsState;
  readonly reason: string;
}

function write(db: Database, list: ListKind, entries: readonly Facts[]): void {
  const writes = db.write(() =>
    entries.map((facts) => ({
      ...facts,
      chatId: `chat ${facts.chat}`,
      reportId: `${list} ${facts.chat}`,
      content: insertContent(db, {
        reason: facts.reason,
        descHtml: `<p>${facts.reason}</p>`,
        visibleText: facts.reason,
        proofItems: [],
      }),
    })),
  );
  writeEntries(db, list, writes, readLastChange(db, list), NOW);
}

const facts = fc.record({
  chat: fc.nat({ max: 120 }),
  name: fc.stringMatching(/^[aąbcćlłzźż]{1,3}$/),
  verified: fc.boolean(),
  reportedAt: fc.integer({ min: NOW - 50, max: NOW }),
  views: fc.nat({ max: 20 }),
  proofs: fc.constantFrom('none', 'public', 'private'),
  reason: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((text) => text.isWellFormed()),
}) satisfies fc.Arbitrary<Facts>;

const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      list: fc.constantFrom(...LIST_KINDS),
      entries: fc.uniqueArray(facts, { selector: ({ chat }) => chat, minLength: 1, maxLength: 60 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('remove' as const),
      list: fc.constantFrom(...LIST_KINDS),
      chats: fc.array(fc.nat({ max: 120 }), { minLength: 1, maxLength: 20 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('views' as const),
      views: fc.array(fc.tuple(fc.nat({ max: 200 }), fc.nat({ max: 30 })), { minLength: 1, maxLength: 10 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'rebuild' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'tidy' as const }) },
);

/** Every page of every index, against the entries. @returns how many pages came out of the indexes */
function compareAll(setup: Setup): number {
  let found = 0;
  setup.read((reader) => {
    for (const { name, list, status, proofs, sort } of INDEX_KEYS) {
      for (const [skip, limit] of [
        [0, 30],
        [7, 1],
        [13, 27],
        [LIMITS.served - 1, 1],
        [0, 60],
      ] as const) {
        const query = { id: undefined, search: undefined, status, proofs, sort, skip, limit };
        const page = reader.page(list, query);
        const expected = listEntries(setup.db, list, query);
        if (skip + limit <= LIMITS.served || expected.total <= LIMITS.served)
          expect(page, name).toBeDefined();
        if (!page) continue;
        found += 1;
        const body = JSON.parse(page.body.toString()) as unknown;
        expect(body, `${name} ${skip} ${limit}`).toEqual(toListResponse(expected));
      }
    }
  });
  expect(setup.failures).toEqual([]);
  return found;
}

describe('the list indexes', () => {
  it('agree with the entries after any changes, followed one by one', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 8 }), async (operations) => {
        const setup = await setUp();
        const { db } = setup;
        await setup.refresh();
        let popularity = 0;
        for (const step of operations) {
          if (step.kind === 'write') {
            write(
              db,
              step.list,
              step.entries.map((entry) => ({ ...entry, verified: entry.verified || step.list === 'legit' })),
            );
          } else if (step.kind === 'remove') {
            for (const chat of step.chats) removeEntry(db, step.list, `chat ${chat}`, 'other', NOW);
          } else if (step.kind === 'views') {
            db.write(() => {
              for (const [row, views] of step.views) {
                db.statement('UPDATE entries SET views = ? WHERE row = ?').run(views, row);
              }
              popularity += 1;
              db.statement("INSERT OR REPLACE INTO properties VALUES ('popularity', ?)").run(
                String(popularity),
              );
            });
          } else if (step.kind === 'rebuild') {
            dropListIndexes(db);
          } else {
            await setup.writer.tidy((change) => db.write(change), new AbortController().signal);
          }
          await setup.refresh();
          expect(compareAll(setup)).toBeGreaterThan(0);
        }
        setup.writer.close();
        db.close();
      }),
      { numRuns: 12, seed: SEED },
    );
  });

  it('are not read while they are behind', async () => {
    const setup = await setUp();
    const query = {
      id: undefined,
      search: undefined,
      status: 'all',
      proofs: 'all',
      sort: 'newest',
      skip: 0,
      limit: 30,
    } as const;
    const isServed = (list: ListKind): boolean =>
      setup.read((reader) => reader.page(list, query) !== undefined);
    expect(isServed('scammers')).toBe(false);
    await setup.refresh();
    expect(isServed('scammers')).toBe(true);
    const entry = {
      chat: 1,
      name: 'a',
      verified: true,
      reportedAt: NOW,
      views: 0,
      proofs: 'none',
      reason: 'b',
    } as const;
    write(setup.db, 'scammers', [entry]);
    expect(isServed('scammers')).toBe(false);
    expect(isServed('servers')).toBe(true);
    await setup.refresh();
    expect(isServed('scammers')).toBe(true);
    rmSync(setup.folder, { recursive: true });
    expect(isServed('scammers')).toBe(false);
    await setup.refresh();
    expect(isServed('scammers')).toBe(true);
  });

  it.each([
    ['does not list the files of the worker', 'DELETE FROM list_index_files'],
    // As another process would, with the number that the worker's own file had.
    ['lists another file by the same number', "UPDATE list_index_files SET name = 'other.chunks'"],
  ])('are made again, and read, when a database that was put back %s', async (_, putBack) => {
    const setup = await setUp();
    const { db, folder } = setup;
    const entry = (chat: number, name: string): Facts => ({
      chat,
      name,
      verified: true,
      reportedAt: NOW,
      views: 0,
      proofs: 'none',
      reason: 'b',
    });
    write(db, 'scammers', [entry(1, 'a'), entry(2, 'b')]);
    await setup.refresh();
    writeFileSync(join(folder, 'other.chunks'), Buffer.alloc(4_096, 'x'));
    db.write(() => {
      db.connection.exec(`${putBack}; DELETE FROM list_indexes; DELETE FROM list_index_states`);
      renewHistory(db);
    });
    await setup.refresh();
    expect(compareAll(setup)).toBeGreaterThan(0);
    write(db, 'scammers', [entry(1, 'c')]);
    await setup.refresh();
    expect(compareAll(setup)).toBeGreaterThan(0);
    const listed = db.statement<{ name: string }>('SELECT name FROM list_index_files').all();
    const present = new Set(readdirSync(folder));
    expect(listed.filter(({ name }) => !present.has(name))).toEqual([]);
    setup.writer.close();
    db.close();
  });
});
