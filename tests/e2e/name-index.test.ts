/** A worker that is killed at any moment leaves no name index behind that answers wrongly. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createNameCheck } from '#src/entries/check-by-name.ts';
import { CHECK_RESULTS_MAX } from '#src/entries/check-entries.ts';
import { keepNameIndex } from '#src/entries/keep-name-index.ts';
import { nameIndexPath } from '#src/entries/name-index-file.ts';
import { findEntryByRow } from '#src/entries/read-entry.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { Random } from '../../scripts/sample/random.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { startProcess } from '../support/start-process.ts';
import { makeDatabase } from '../support/temporary-database.ts';

const KEEPER = join(import.meta.dirname, '../support/name-index-process.ts');
const KILLS = 100;
/** Making the file of these entries and erasing a name in it takes about as long. */
const KILLED_WITHIN_MS = 150;
const ENTRIES = 3_000;
const SEED = 20261121;
const random = new Random(SEED);

function nickOf(id: string): string {
  return `zenek ${id}.`;
}

describe('a worker that is killed while it makes the index and erases names', () => {
  it(`answers right after each of ${KILLS} kills, and erases what is left in the end`, async () => {
    const db = await makeDatabase();
    const ids = Array.from({ length: ENTRIES }, (_, at) => `id${at}`);
    const records = ids.map((id, at) => makeRecord({ id, name: nickOf(id), views: at }));
    await importRecords(db, 'scammers', records);
    const names = createNameCheck(db, () => {});
    const path = nameIndexPath(db.path);
    const ask = async (search: string): Promise<string[]> => {
      const results = await names.find(search, (row) => findEntryByRow(db, row));
      return results.flatMap(({ found }) => found.map(({ entry }) => entry.id));
    };
    const present = new Set(ids);
    for (let kill = 0; kill < KILLS; kill++) {
      const keeper = startProcess(KEEPER, { cwd: dirname(db.path), args: [db.path] });
      await keeper.logged({ msg: 'keeping' });
      const removed = random.pick([...present]);
      removeEntry(db, 'scammers', removed, 'request', NOW);
      present.delete(removed);
      await setTimeout(random.below(KILLED_WITHIN_MS));
      expect(await ask(nickOf(removed))).toEqual([]);
      keeper.child.kill('SIGKILL');
      await keeper.ended;
      await names.refresh();
      expect(await ask('zenek')).toEqual([...present].toReversed().slice(0, CHECK_RESULTS_MAX));
      const kept = random.pick([...present]);
      expect(await ask(nickOf(kept))).toEqual([kept]);
      expect(await ask(nickOf(removed))).toEqual([]);
    }
    const { signal } = new AbortController();
    await keepNameIndex({ db, signal, erasedTo: undefined, now: Date.now() });
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
    const text = readFileSync(path).toString('latin1');
    for (const id of ids) expect(text.includes(nickOf(id))).toBe(present.has(id));
    names.close();
  }, 600_000);
});
