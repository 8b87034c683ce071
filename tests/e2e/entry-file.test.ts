/** A worker that is killed at any moment leaves no entry file behind that answers wrongly. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createGeneration } from '#src/changes/generation.ts';
import { entryFilePath } from '#src/entries/entry-file/entry-file.ts';
import { keepEntryFile } from '#src/entries/entry-file/keep-entry-file.ts';
import { createReadyEntries } from '#src/entries/entry-file/ready-entries.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { Random } from '../../scripts/sample/random.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { startProcess } from '../support/start-process.ts';
import { makeDatabase } from '../support/temporary-database.ts';

const KEEPER = join(import.meta.dirname, '../support/entry-file-process.ts');
const KILLS = 100;
/** Making the file of these entries and erasing in it takes about as long. */
const KILLED_WITHIN_MS = 150;
const ENTRIES = 2_000;
const SEED = 20261123;
/** Longer than the generation is looked at. */
const LOOK_MS = 15;
const random = new Random(SEED);

describe('a worker that is killed while it makes the file and erases texts', () => {
  it(`answers right after each of ${KILLS} kills, and erases what is left in the end`, async () => {
    const db = await makeDatabase();
    const records = Array.from({ length: ENTRIES }, (_, at) => makeRecord({ name: `zenek ${at}.` }));
    await importRecords(db, 'scammers', records);
    const entries = createReadyEntries(db, createGeneration(db), () => {});
    const nameOf = (id: string): string | undefined =>
      entries
        .findById(id)
        .map(({ json }) => (JSON.parse(json.toString()) as { name: string }).name)
        .join();
    const present = new Map(records.map(({ id, name }) => [id, name]));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const keeper = startProcess(KEEPER, { cwd: dirname(db.path), args: [db.path] });
      await keeper.logged({ msg: 'keeping' });
      const removed = random.pick([...present.keys()]);
      removeEntry(db, 'scammers', removed, 'request', NOW);
      present.delete(removed);
      await setTimeout(LOOK_MS + random.below(KILLED_WITHIN_MS));
      expect(nameOf(removed)).toBe('');
      keeper.child.kill('SIGKILL');
      await keeper.ended;
      await entries.refresh();
      expect(nameOf(removed)).toBe('');
      for (let look = 0; look < 20; look += 1) {
        const kept = random.pick([...present.keys()]);
        expect(nameOf(kept)).toBe(present.get(kept));
      }
    }
    const { signal } = new AbortController();
    await keepEntryFile({ db, signal, erasedTo: undefined, now: Date.now() });
    const path = entryFilePath(db.path);
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
    const text = readFileSync(path).toString('latin1');
    for (const { id, name } of records) expect(text.includes(`"${name}"`)).toBe(present.has(id));
    entries.close();
  }, 600_000);
});
