/**
 * Lists, check and searches over random histories: after every step, before the worker has followed and after, every answer
 * is compared with a plain look at all entries.
 */
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readLogHead, renewLogId } from '#src/changes/change-log.ts';
import { removeDatabaseFile, type Database } from '#src/db/database.ts';
import { setProperty } from '#src/db/properties.ts';
import { LIST_KINDS, type ListKind } from '#src/entries/entry.ts';
import { PROOFS_FILTERS, SORTS, STATUSES } from '#src/entries/list-query.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { createIndexUpdater, type IndexUpdater } from '#src/lists/update-list-indexes.ts';
import { createSearchUpdater } from '#src/search/update-search-file.ts';
import { createSearchPool, type SearchPool } from '#src/search/search-pool.ts';
import { searchPath } from '#src/search/search-file.ts';
import { createListReader, type ListReader } from '#src/lists/list-reader.ts';
import { removeEntry } from '../support/change-log.ts';
import { importRecords, makeRecord, NOW, unverifyTrusted } from '../support/make-entries.ts';
import type { PlainEntry } from '../support/plain-lists.ts';
import {
  ALL,
  compareIds,
  compareLists,
  compareNicks,
  compareSearches,
  readState,
  type State,
} from '../support/read-model.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { trials } from '../support/trials.ts';

const SEED = 20261122;
const RUNS = trials(3, 20);
/** Longer than orders in memory count as fresh. */
const LOOK_MS = 40;
/** Ten times as long as a process sorts by itself, which is as long as it waits before it sorts again. */
const SORT_MS = 200;
const WORDS = 'konto|Łódź|ąę|ab|a|nie |😀|ﬁ|ß|Żółw|x|1|щит|zz|a"b|%_'.split('|');

const OFTEN = ['add', 'edit', 'edit', 'views', 'remove', 'remove, return', 'return', 'newest'] as const;
const RARE = ['many', 'hide', 'restart', 'delete', 'older', 'renew'] as const;
const step = fc.record({
  what: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...OFTEN) },
    { weight: 1, arbitrary: fc.constantFrom(...RARE) },
  ),
  list: fc.constantFrom(...LIST_KINDS),
  which: fc.nat(),
  how: fc.nat(),
  keep: fc.constantFrom('nothing', 'orders', 'all', 'all'),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

it('lists, check and searches are right after every step of random histories, late and caught up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16, size: 'max' }), async (steps) => {
      const history = await History.begin();
      try {
        for (const [at, one] of steps.entries())
          await history.take(one).catch((cause: unknown) => {
            const taken = JSON.stringify(steps.slice(0, at + 1));
            throw new Error(`after step ${at} of ${taken}: ${String(cause)}`, { cause });
          });
      } finally {
        await history.end();
      }
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
});

interface Texts {
  readonly state: State;
  readonly logId: string;
}

/** A database that changes, what keeps its orders and texts, and a reader; with what the reader has to know. */
class History {
  readonly #db: Database;
  readonly #failures: unknown[] = [];
  #searches!: SearchPool;
  #lists!: ListReader;
  #updater: IndexUpdater;
  /** The state of the stored orders; undefined: there are none that can be used. */
  #kept: State | undefined;
  #texts: Texts | undefined;
  #older: Texts | undefined;
  #views = 0;
  readonly #removed: { readonly list: ListKind; readonly record: ImportRecordInput }[] = [];
  readonly #ids: string[] = [];
  #draws = 0;

  static async begin(): Promise<History> {
    const history = new History(await makeDatabase());
    for (const list of LIST_KINDS) await history.#import(list, history.#drawSome(3));
    await history.#open();
    await history.#compare();
    return history;
  }

  private constructor(db: Database) {
    this.#db = db;
    this.#updater = this.#makeKeeper();
  }

  async end(): Promise<void> {
    await this.#searches.close();
    this.#db.close();
    expect(this.#failures).toEqual([]);
  }

  async take(step: Step): Promise<void> {
    await this.#do(step);
    await pause(this.#kept ? LOOK_MS : SORT_MS);
    await this.#compare();
    if (step.keep === 'nothing') return;
    await this.#updater.catchUp();
    this.#kept = readState(this.#db);
    if (step.keep === 'all') await this.#keepTexts(step.how % 3 === 0);
    await pause(LOOK_MS);
    await this.#compare();
  }

  /** Segments and batches so small that they are divided here too. */
  #makeKeeper(): IndexUpdater {
    return createIndexUpdater(this.#db, { segmentSize: 7, oneByOneMax: 20 });
  }

  async #do({ what, list, which, how }: Step): Promise<void> {
    const now = readState(this.#db);
    const some = now[list][which % Math.max(1, now[list].length)];
    switch (what) {
      case 'add':
        return this.#import(list, this.#drawSome(1 + (how % 3)));
      case 'many':
        return this.#import(list, this.#drawSome(110));
      case 'edit':
        if (some) await this.#import(list, [this.#edit(some, how)]);
        return;
      case 'views':
        // Where everybody sorts by himself, views are no reason to sort again.
        if (!this.#kept) return;
        this.#views += 1;
        this.#db
          .statement('UPDATE entries SET views = (row * ? + ?) % 7 WHERE row % 3 = ?')
          .run(how % 11, which % 5, which % 3);
        return this.#db.write((tx) => setProperty(tx, 'popularity', this.#views));
      case 'remove':
      case 'remove, return':
        if (some) this.#remove(list, some);
        return what === 'remove' ? undefined : this.#return(how);
      case 'return':
        return this.#return(how);
      case 'newest': {
        // Its row number is not given again.
        const entries = Object.values(now).flat();
        const newest = entries.find(({ row }) => row === Math.max(...entries.map((entry) => entry.row)));
        if (newest) this.#remove(newest.list, newest);
        return this.#import(list, [this.#draw()]);
      }
      case 'hide':
        // The rule holds for entries that were not imported by this version too.
        if (now.legit[0]) unverifyTrusted(this.#db, now.legit[0].id);
        return;
      case 'restart':
        this.#updater = this.#makeKeeper();
        return this.#open();
      case 'delete':
        if (how % 2 === 0) {
          removeDatabaseFile(searchPath(this.#db.path));
          this.#texts = undefined;
        } else {
          this.#db.connection.exec(
            "DELETE FROM list_indexes; DELETE FROM properties WHERE key = 'list_indexes'",
          );
          this.#kept = undefined;
        }
        return;
      case 'renew':
        this.#db.write((tx) => renewLogId(tx));
        this.#kept = undefined;
        this.#texts = undefined;
        return;
      case 'older':
        if (!this.#older) return;
        removeDatabaseFile(searchPath(this.#db.path));
        copyFileSync(`${this.#db.path}.older`, searchPath(this.#db.path));
        this.#texts = this.#older.logId === readLogHead(this.#db).logId ? this.#older : undefined;
    }
  }

  async #compare(): Promise<void> {
    const now = readState(this.#db);
    const kept = this.#kept ?? now;
    const lists = this.#lists;
    const entries = Object.values(now).flat();
    const ids = [...this.#ids.slice(-10), 'nobody', entries[0]?.id ?? '1'];
    await compareIds(this.#db, lists, now, ids);
    await compareLists(lists, now, kept, [0, 3]);
    const some = entries.filter((_, at) => at % Math.ceil(entries.length / 4) === 0).map(({ name }) => name);
    const parts = some.map((name) => name.slice(1, 4).trim()).filter((part) => part !== '');
    const nicks = [...some, ...parts, ...ids.slice(-3), 'a', 'ab', 'ODZ', '"'];
    compareNicks(lists, now, kept, nicks);
    const queries = [...nicks, 'powod', '%', 'konto', 'zz', '1', '😀'].map((search, at) => ({
      list: LIST_KINDS[at % 3] as ListKind,
      query: {
        ...ALL,
        search,
        sort: SORTS[(at + this.#draws) % SORTS.length] ?? 'az',
        status: at % 4 === 0 ? (STATUSES[at % 3] ?? 'all') : 'all',
        proofs: at % 5 === 0 ? (PROOFS_FILTERS[at % 3] ?? 'all') : 'all',
        skip: at % 7 === 0 ? 2 : 0,
        limit: at % 7 === 0 ? 5 : 60,
      },
    }));
    await compareSearches(lists, now, kept, this.#texts?.state, queries);
    expect(this.#failures).toEqual([]);
  }

  async #keepTexts(isRemembered: boolean): Promise<void> {
    const path = searchPath(this.#db.path);
    const updater = createSearchUpdater(this.#db);
    await updater.catchUp();
    updater.close();
    this.#texts = { state: readState(this.#db), logId: readLogHead(this.#db).logId };
    if (!isRemembered) return;
    expect(existsSync(path)).toBe(true);
    rmSync(`${this.#db.path}.older`, { force: true });
    this.#db.connection.exec(
      `ATTACH '${path}' AS search; VACUUM search INTO '${this.#db.path}.older'; DETACH search`,
    );
    this.#older = this.#texts;
  }

  async #open(): Promise<void> {
    if (this.#lists) await this.#searches.close();
    const onTrouble = (error: unknown): void => void this.#failures.push(error);
    this.#searches = createSearchPool({ databasePath: this.#db.path, onTrouble });
    this.#lists = createListReader(this.#db, this.#searches);
  }

  #import(list: ListKind, records: readonly ImportRecordInput[]): Promise<void> {
    this.#ids.push(...records.slice(-3).map(({ id }) => id));
    return importRecords(this.#db, list, records, NOW + this.#draws);
  }

  #drawSome(count: number): ImportRecordInput[] {
    return Array.from({ length: count }, () => this.#draw());
  }

  #draw(): ImportRecordInput {
    const number = (this.#draws += 1);
    const word = (at: number): string => WORDS[(number * 7 + at * 5) % WORDS.length] ?? '';
    return makeRecord({
      reportId: `R-${number}`,
      name: `${word(1)}${word(2)}${number % 9}`.trim(),
      reason: `${word(3)}${word(4)} ${number % 5} koniec`,
      reportedAt: NOW - (number % 6) * 1_000,
      views: number % 4,
      ...(number % 3 === 0 && { proofs: { private: number % 2 === 0, items: [{ text: 'dowód' }] } }),
    });
  }

  #edit({ row, id, name, verified, reportedAt, list }: PlainEntry, how: number): ImportRecordInput {
    const fresh = this.#draw();
    const sql = 'SELECT reason FROM contents WHERE row = ?';
    const reason = this.#db.statement(sql).pluck().get(row) as string;
    const items = how % 24 > 12 ? [] : [{ text: `dowód ${how}` }];
    const edits: readonly Partial<ImportRecordInput>[] = [
      { name: fresh.name },
      { reason: fresh.reason },
      { verified: list === 'legit' || !verified },
      { reportedAt: NOW - (how % 6_000) },
      { proofs: { private: how % 4 > 1, items } },
      { name: fresh.name, reason: fresh.reason, verified: true },
    ];
    return { id, name, verified, reportedAt, reason, ...edits[how % edits.length] };
  }

  #remove(list: ListKind, entry: PlainEntry): void {
    const { id, name, reportedAt, reportId } = entry;
    this.#removed.push({
      list,
      record: { id, name, reason: 'Wraca.', verified: true, reportedAt, reportId },
    });
    removeEntry(this.#db, list, id, 'other', NOW);
  }

  async #return(how: number): Promise<void> {
    const [back] = this.#removed.splice(how % Math.max(1, this.#removed.length), 1);
    if (!back) return;
    const name = how % 2 ? back.record.name : `${back.record.name}w`;
    await this.#import(back.list, [{ ...back.record, name }]);
  }
}
