import { readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGeneration } from '#src/changes/generation.ts';
import type { Database } from '#src/db/database.ts';
import { entryFilePath, eraseRecords, readEntryFileHeader } from '#src/entries/entry-file/entry-file.ts';
import { keepEntryFile } from '#src/entries/entry-file/keep-entry-file.ts';
import { createReadyEntries } from '#src/entries/entry-file/ready-entries.ts';
import type { ReadyEntries } from '#src/entries/entry-file/ready-entries.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

const HEADER_BYTES = 1_024;
const OPEN_FILES = '/proc/self/fd';

describe('the entry file', () => {
  let db: Database;
  let path: string;
  let entries: ReadyEntries | undefined;
  let failures: string[];
  const records = [makeRecord({ name: 'markerek' }), makeRecord(), makeRecord()];
  const [first = '', ...others] = records.map(({ id }) => id);

  beforeEach(async () => {
    db = await makeDatabase();
    path = entryFilePath(db.path);
    failures = [];
    await importRecords(db, 'scammers', records);
    await keep(undefined);
  });
  afterEach(() => entries?.close());

  function keep(erasedTo: number | undefined): Promise<object> {
    const { signal } = new AbortController();
    return keepEntryFile({ db, signal, erasedTo, now: Date.now() });
  }

  async function open(): Promise<ReadyEntries> {
    entries = createReadyEntries(db, createGeneration(db), (error) => failures.push(String(error)));
    await entries.refresh();
    return entries;
  }

  /** Changes a byte in place, as a failing disk does. */
  function damage(at: number): void {
    const bytes = readFileSync(path);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    writeFileSync(path, bytes);
  }

  const damageTable = (): void => damage(HEADER_BYTES + readEntryFileHeader(path).recordBytes + 1);
  const isFiled = (id: string): boolean => entries?.findById(id)[0]?.tag !== undefined;
  const namesOf = (id: string): unknown[] =>
    (entries?.findById(id) ?? []).map(({ json }) => (JSON.parse(json.toString()) as { name: string }).name);

  it('is only for its owner to read', () => {
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('gives the other texts when one is damaged, which is read from the entries', async () => {
    damage(readFileSync(path).indexOf('markerek'));
    await open();
    expect(namesOf(first)).toEqual(['markerek']);
    expect(isFiled(first)).toBe(false);
    expect(others.map(isFiled)).toEqual([true, true]);
    expect(failures).toHaveLength(1);
  });

  it('is read once when its tables are damaged, and not again at every look', async () => {
    const whole = readFileSync(path);
    damageTable();
    await open();
    writeFileSync(path, whole);
    await entries?.refresh();
    expect(isFiled(first)).toBe(false);
    expect(namesOf(first)).toEqual(['markerek']);
    expect(failures).toHaveLength(1);
  });

  it('is made anew when its tables are damaged, and then used', async () => {
    damageTable();
    await open();
    expect(await keep(undefined)).toMatchObject({ made: 'missing' });
    await entries?.refresh();
    expect(isFiled(first)).toBe(true);
  });

  it('lets the worker do other things while many texts are erased', async () => {
    await importRecords(
      db,
      'servers',
      Array.from({ length: 2_000 }, () => makeRecord()),
    );
    rmSync(path);
    await keep(undefined);
    const entryIds = db.statement('SELECT entry_id FROM entries').pluck().all() as string[];
    let turns = 0;
    let isErasing = true;
    const countTurns = async (): Promise<void> => {
      for (; isErasing; turns += 1) await setImmediate();
    };
    const counting = countTurns();
    expect(await eraseRecords(path, entryIds)).toBe(2_003);
    isErasing = false;
    await counting;
    // Some come with the tables, which are read in steps too.
    expect(turns).toBeGreaterThan(10);
  });

  it('leaves nothing half made behind when it cannot be made', async () => {
    db.connection.exec('ALTER TABLE contents RENAME TO lost');
    rmSync(path);
    await expect(keep(undefined)).rejects.toThrow('no such table');
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('is closed again when the database cannot tell what has changed since', async () => {
    const countOpen = (): number =>
      readdirSync(OPEN_FILES).filter((name) => {
        try {
          return readlinkSync(join(OPEN_FILES, name)) === path;
        } catch {
          // The one by which the folder was read.
          return false;
        }
      }).length;
    await importRecords(db, 'servers', [makeRecord()]);
    db.connection.exec('ALTER TABLE entries RENAME TO lost');
    await open();
    for (let look = 0; look < 3; look += 1) await entries?.refresh();
    expect(failures.join()).toMatch(/no such table/);
    expect(countOpen()).toBe(0);
  });
});
