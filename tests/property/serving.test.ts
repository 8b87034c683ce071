/**
 * The read model over random histories: after every step, before the worker has followed and after, every list, ID, check
 * and search is compared with a plain look at all entries.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { appendChange } from '#src/changes/append-change.ts';
import { readLogHead, renewHistory } from '#src/changes/log-head.ts';
import type { Database } from '#src/db/database.ts';
import { readPopularity } from '#src/entries/apply-view-counts.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import type { ListKind } from '#src/entries/entry.ts';
import { PROOFS_FILTERS, SORTS, STATUSES } from '#src/entries/list-query.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { createServingKeeper } from '#src/serving/keep-serving.ts';
import type { ServingKeeper } from '#src/serving/keep-serving.ts';
import { createSearchPool } from '#src/serving/search-pool.ts';
import type { SearchPool } from '#src/serving/search-pool.ts';
import { createServing } from '#src/serving/serving.ts';
import type { Serving } from '#src/serving/serving.ts';
import {
  findState,
  listServingFiles,
  openToRead,
  removeServingFile,
  servingFolder,
} from '#src/serving/serving-file.ts';
import type { ServingState } from '#src/serving/serving-file.ts';
import { keepServing } from '../support/keep-serving.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import type { PlainEntry } from '../support/plain-lists.ts';
import {
  ALL,
  compareIds,
  compareLists,
  compareNicks,
  compareSearches,
  readState,
} from '../support/read-model.ts';
import type { State } from '../support/read-model.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { trials } from '../support/trials.ts';

const SEED = 20261122;
const RUNS = trials(2, 14);
/** Longer than what is held is taken for fresh: 10 ms in a file, a second in choosing it. */
const LOOK_MS = 15;
const CHOOSE_MS = 1_050;
const WORDS = [
  'konto',
  'Łódź',
  'ąę',
  'ab',
  'a',
  'nie ',
  '😀',
  'ﬁ',
  'ß',
  'Żółw',
  'x',
  '1',
  'щит',
  'zz',
  'a"b',
];

type Step = {
  readonly what:
    | 'add'
    | 'edit'
    | 'views'
    | 'remove'
    | 'remove, return'
    | 'return'
    | 'reuse'
    | 'many'
    | 'hide'
    | 'restart'
    | 'delete'
    | 'replace'
    | 'older'
    | 'renew';
  readonly list: ListKind;
  readonly which: number;
  readonly how: number;
  /** What the worker does afterwards. */
  readonly keep: 'nothing' | 'entries' | 'all';
};

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.oneof<fc.WeightedArbitrary<Step['what']>[]>(
    { weight: 3, arbitrary: fc.constant('add' as const) },
    { weight: 6, arbitrary: fc.constant('edit' as const) },
    { weight: 3, arbitrary: fc.constant('views' as const) },
    { weight: 4, arbitrary: fc.constantFrom('remove', 'remove, return', 'return', 'reuse') },
    { weight: 3, arbitrary: fc.constant('reuse' as const) },
    {
      weight: 3,
      arbitrary: fc.constantFrom('many', 'hide', 'restart', 'delete', 'replace', 'older', 'renew'),
    },
  ),
  list: fc.constantFrom(...LIST_KINDS),
  which: fc.nat(),
  how: fc.nat(),
  keep: fc.constantFrom('nothing', 'entries', 'all', 'all'),
});

describe('the read model', () => {
  /** The serving file of other data. */
  let foreign: string;

  beforeAll(async () => {
    const other = await makeDatabase();
    await importRecords(
      other,
      'scammers',
      Array.from({ length: 30 }, () => makeRecord({ name: 'obcy konto' })),
    );
    keepServing(other);
    foreign = listServingFiles(other.path)[0] ?? '';
    for (const end of ['-wal', '-shm']) rmSync(foreign + end, { force: true });
  });

  it('answers right after every step of random histories, behind and caught up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16, size: 'max' }), async (steps) => {
        const history = await History.begin(foreign);
        try {
          for (const [at, one] of steps.entries()) {
            try {
              await history.take(one);
            } catch (error) {
              throw new Error(
                `after step ${at} of ${JSON.stringify(steps.slice(0, at + 1))}: ${(error as Error).message}`,
                { cause: error },
              );
            }
          }
        } finally {
          await history.end();
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
  });
});

interface Kept {
  readonly state: State;
  /** How often the views had changed. */
  readonly views: number;
}

/** A database that changes, its keeper, and a reader; with what the reader has to know. */
class History {
  readonly #db: Database;
  readonly #foreign: string;
  readonly #failures: unknown[] = [];
  #searches!: SearchPool;
  #serving!: Serving;
  #keeper: ServingKeeper;
  /** What the file's orders are of; undefined: there is no file that can be used. */
  #kept: Kept | undefined;
  /** What its full text is of; undefined: searches are answered without. */
  #texts: State | undefined;
  #views = 0;
  #older: { readonly path: string; readonly kept: Kept; readonly history: string } | undefined;
  readonly #removed: { readonly list: ListKind; readonly record: ImportRecordInput }[] = [];
  readonly #ids: string[] = [];
  #draws = 0;

  static async begin(foreign: string): Promise<History> {
    const history = new History(await makeDatabase(), foreign);
    for (const list of LIST_KINDS)
      await history.#import(list, [history.#draw(), history.#draw(), history.#draw()]);
    await history.#open();
    await history.#compare();
    return history;
  }

  private constructor(db: Database, foreign: string) {
    this.#db = db;
    this.#foreign = foreign;
    this.#keeper = createServingKeeper(db);
  }

  async end(): Promise<void> {
    this.#keeper.close();
    this.#serving.close();
    await this.#searches.close();
    this.#db.close();
    expect(this.#failures).toEqual([]);
  }

  async take(step: Step): Promise<void> {
    const isSettled = await this.#do(step);
    // Whoever reads looks for another file once a second; a new process finds it at once.
    if (!isSettled) await this.#settle(step.how % 2 === 0);
    await pause(LOOK_MS);
    await this.#compare();
    if (step.keep === 'nothing') return;
    const isAnother = this.#kept === undefined;
    if (step.keep === 'entries') this.#keepEntries();
    else this.#keepAll(step.how % 3 === 0);
    if (isAnother) await this.#settle(step.which % 2 === 0);
    await pause(LOOK_MS);
    await this.#serving.refresh();
    await this.#compare();
  }

  /** @returns false when the reader has to look for another file */
  async #do({ what, list, which, how }: Step): Promise<boolean> {
    const now = readState(this.#db);
    const some = now[list][which % Math.max(1, now[list].length)];
    switch (what) {
      case 'add':
        await this.#import(
          list,
          Array.from({ length: 1 + (how % 3) }, () => this.#draw()),
        );
        return true;
      case 'many':
        await this.#import(
          list,
          Array.from({ length: 110 }, () => this.#draw()),
        );
        return true;
      case 'edit':
        if (some) await this.#import(list, [this.#edit(some, how)]);
        return true;
      case 'views':
        this.#db
          .statement('UPDATE entries SET views = (row * ? + ?) % 7 WHERE row % 3 = ?')
          .run(how % 11, which % 5, which % 3);
        this.#views += 1;
        this.#db
          .statement("INSERT OR REPLACE INTO properties (key, value) VALUES ('popularity', ?)")
          .run(String(this.#views));
        return true;
      case 'remove':
        if (some) this.#remove(list, some);
        return true;
      case 'remove, return':
        if (some) this.#remove(list, some);
        await this.#return(how);
        return true;
      case 'return':
        await this.#return(how);
        return true;
      case 'reuse': {
        const newest = Object.values(now)
          .flat()
          .toSorted((one, other) => other.row - one.row)[0];
        if (newest) this.#remove(newest.list, newest);
        await this.#import(list, [this.#draw()]);
        return true;
      }
      case 'hide': {
        // The rule holds for entries that were not imported by this version too.
        const [hidden] = now.legit;
        if (!hidden) return true;
        this.#db.statement('UPDATE entries SET verified = 0 WHERE row = ?').run(hidden.row);
        appendChange(this.#db, { at: NOW, op: 'updated', list: 'legit', entryId: hidden._id });
        return true;
      }
      case 'restart':
        this.#keeper.close();
        this.#keeper = createServingKeeper(this.#db);
        await this.#open();
        return true;
      case 'delete':
        rmSync(servingFolder(this.#db.path), { recursive: true, force: true });
        this.#forget();
        return false;
      case 'renew':
        renewHistory(this.#db);
        this.#forget();
        return true;
      case 'replace':
        this.#put(this.#foreign);
        this.#forget();
        return false;
      case 'older':
        if (!this.#older) return true;
        this.#put(this.#older.path);
        this.#forget();
        if (this.#older.history !== readLogHead(this.#db).history) return false;
        this.#kept = this.#older.kept;
        this.#texts = this.#older.kept.state;
        return false;
    }
  }

  async #compare(): Promise<void> {
    const now = readState(this.#db);
    const serving = this.#serving;
    const entries = Object.values(now).flat();
    const ids = [...this.#ids.slice(-10), 'nobody', entries[0]?.id ?? '1'];
    await compareIds(serving, now, ids);
    await compareLists(serving, now, this.#kept?.state, [0, 3]);
    const some = entries.filter((_, at) => at % Math.ceil(entries.length / 4) === 0).map(({ name }) => name);
    const nicks = [
      ...some,
      ...some.map((name) => name.slice(1, 4).trim()),
      ...ids.slice(-3),
      'a',
      'ab',
      'ODZ',
      '"',
    ].filter((nick) => nick !== '');
    // Views that the file does not know of yet order what is found, and are no change of the lists.
    if (!this.#kept || this.#kept.views === this.#views) await compareNicks(serving, now, nicks);
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
    await compareSearches(serving, now, this.#kept?.state, this.#texts, queries);
    expect(this.#failures).toEqual([]);
  }

  /** As far as lists and IDs need it. */
  #keepEntries(): void {
    const head = readLogHead(this.#db);
    const hadFile = this.#kept !== undefined;
    for (let steps = 0; ; steps += 1) {
      const state = this.#readFile();
      const isFollowed =
        state?.history === head.history &&
        state.seq === head.seq &&
        state.builtThrough === null &&
        state.popularity === readPopularity(this.#db);
      if (isFollowed) break;
      expect(steps, 'steps until entries and orders are followed').toBeLessThan(100);
      this.#keeper.step();
    }
    this.#kept = { state: readState(this.#db), views: this.#views };
    if (!hadFile) this.#texts = undefined;
  }

  #keepAll(isRemembered: boolean): void {
    while (this.#keeper.step());
    this.#kept = { state: readState(this.#db), views: this.#views };
    this.#texts = this.#kept.state;
    const [path = ''] = listServingFiles(this.#db.path);
    if (!isRemembered) return;
    const older = {
      path: `${this.#db.path}.older`,
      kept: this.#kept,
      history: readLogHead(this.#db).history,
    };
    rmSync(older.path, { force: true });
    const file = openToRead(path);
    file.connection.prepare('VACUUM INTO ?').run(older.path);
    file.close();
    this.#older = older;
  }

  #readFile(): ServingState | undefined {
    const [path] = listServingFiles(this.#db.path);
    if (path === undefined) return undefined;
    const file = openToRead(path);
    try {
      return findState(file);
    } finally {
      file.close();
    }
  }

  #forget(): void {
    this.#kept = undefined;
    this.#texts = undefined;
  }

  /** Another file takes the place of the serving file. */
  #put(other: string): void {
    this.#keeper.close();
    const [path] = listServingFiles(this.#db.path);
    const place = path ?? join(servingFolder(this.#db.path), '1.db');
    mkdirSync(servingFolder(this.#db.path), { recursive: true });
    for (const found of listServingFiles(this.#db.path)) removeServingFile(found);
    copyFileSync(other, place);
  }

  async #settle(isNew: boolean): Promise<void> {
    if (isNew) await this.#open();
    else await pause(CHOOSE_MS);
  }

  async #open(): Promise<void> {
    if (this.#serving) {
      this.#serving.close();
      await this.#searches.close();
    }
    const onFailure = (error: unknown): void => void this.#failures.push(error);
    this.#searches = createSearchPool({ databasePath: this.#db.path, onThreadEnd: onFailure });
    this.#serving = createServing(this.#db, this.#searches, onFailure);
    await this.#serving.refresh();
  }

  #import(list: ListKind, records: readonly ImportRecordInput[]): Promise<void> {
    this.#ids.push(...records.slice(-3).map(({ id }) => id));
    return importRecords(this.#db, list, records, NOW + this.#draws);
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

  #edit(entry: PlainEntry, how: number): ImportRecordInput {
    const { id, name, verified, reportedAt, list } = entry;
    const fresh = this.#draw();
    const same = { id, name, verified, reportedAt, reason: this.#reasonOf(entry) };
    switch (how % 6) {
      case 0:
        return { ...same, name: fresh.name };
      case 1:
        return { ...same, reason: fresh.reason };
      case 2:
        return { ...same, verified: list === 'legit' || !verified };
      case 3:
        return { ...same, reportedAt: NOW - (how % 6_000) };
      case 4:
        return {
          ...same,
          proofs: { private: how % 4 > 1, items: how % 24 > 12 ? [] : [{ text: `dowód ${how}` }] },
        };
      default:
        return { ...same, name: fresh.name, reason: fresh.reason, verified: true };
    }
  }

  #reasonOf({ row }: PlainEntry): string {
    return this.#db
      .statement('SELECT reason FROM entries JOIN contents USING (content) WHERE row = ?')
      .pluck()
      .get(row) as string;
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
    if (back)
      await this.#import(back.list, [
        { ...back.record, name: how % 2 ? back.record.name : `${back.record.name}w` },
      ]);
  }
}
