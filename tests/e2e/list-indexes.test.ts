/** The list indexes under what a machine does to them: kills, and large lists. */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createGeneration } from '#src/changes/generation.ts';
import type { Database } from '#src/db/database.ts';
import { openReader } from '#src/db/reader.ts';
import { listEntries } from '#src/entries/list-entries.ts';
import { INDEX_FOLDER } from '#src/entries/list-indexes/index-files.ts';
import { INDEX_KEYS } from '#src/entries/list-indexes/index-key.ts';
import { createListIndexReader } from '#src/entries/list-indexes/index-reader.ts';
import { createListIndexWriter, dropListIndexes } from '#src/entries/list-indexes/index-writer.ts';
import { toListResponse } from '#src/entries/list-response.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { cleanEnvironment } from '../support/clean-environment.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { insertManyEntries } from '../support/many-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';

const PROCESS = join(import.meta.dirname, '../support/list-index-process.ts');
const { signal } = new AbortController();

const indexFolder = (db: Database): string => join(dirname(db.path), INDEX_FOLDER);

/** A page of every index, as a web process that starts now gives it. @returns how many came out of the indexes */
function compareWithEntries(db: Database): number {
  const failures: unknown[] = [];
  const own = openReader(db.path, (error) => failures.push(error));
  const reader = createListIndexReader(own, indexFolder(db), createGeneration(own), (error) =>
    failures.push(error),
  );
  let found = 0;
  for (const { list, status, proofs, sort, name } of INDEX_KEYS) {
    const query = { id: undefined, search: undefined, status, proofs, sort, skip: 25, limit: 60 };
    const page = reader.page(list, query);
    if (!page) continue;
    found += 1;
    const expected = toListResponse(listEntries(own, list, query));
    expect(JSON.parse(page.body.toString()), name).toEqual(expected);
  }
  reader.close();
  own.close();
  expect(failures).toEqual([]);
  return found;
}

async function startProcess(path: string): Promise<ChildProcessWithoutNullStreams> {
  const child = spawn(process.execPath, [PROCESS, path], { env: cleanEnvironment() });
  child.stderr.pipe(process.stderr);
  await once(child.stdout, 'data');
  return child;
}

/** Drawn anew in each run; a failure prints what it needs. */
function drawMilliseconds(max: number): number {
  return Math.random() * max;
}

describe('a worker that is killed while it refreshes', () => {
  it('a hundred times never leaves a wrong or a partial answer', { timeout: 600_000 }, async () => {
    const killAll = async (): Promise<void> => {
      const db = await makeDatabase();
      insertManyEntries(db, 2_000);
      for (let kill = 0; kill < 25; kill += 1) {
        // From the beginning, after one change, and after some.
        if (kill % 3 === 0) dropListIndexes(db);
        await importRecords(
          db,
          'scammers',
          Array.from({ length: kill % 3 === 1 ? 1 : 20 }, (_, index) =>
            makeRecord({ views: (kill * 37 + index) % 999, verified: index % 2 === 0 }),
          ),
        );
        removeEntry(db, 'scammers', `1${String(kill + 1).padStart(17, '0')}`, 'other', NOW);
        const child = await startProcess(db.path);
        const exit = once(child, 'exit');
        child.stdin.write('\n');
        await setTimeout(drawMilliseconds(kill % 3 === 1 ? 60 : 400));
        child.kill('SIGKILL');
        await exit;
        compareWithEntries(db);
      }
      const writer = createListIndexWriter(db, indexFolder(db));
      await writer.refresh((change) => db.write(change), signal);
      expect(compareWithEntries(db)).toBe(INDEX_KEYS.length);
      writer.close();
    };
    await Promise.all([killAll(), killAll(), killAll(), killAll()]);
  });
});

describe('one changed entry among 100,000', () => {
  it('costs at most 100 rows and 2 MB, and an erased one leaves no bytes', { timeout: 600_000 }, async () => {
    const db = await makeDatabase();
    insertManyEntries(db, 100_000);
    const writer = createListIndexWriter(db, indexFolder(db));
    const refresh = () => writer.refresh((change) => db.write(change), signal);
    await refresh();
    db.connection.pragma('wal_checkpoint(TRUNCATE)');
    const marker = 'znacznik-do-usuniecia';
    /** With private proofs and the newest date, in the most indexes that an entry can be in. */
    const record = makeRecord({
      reason: marker,
      name: 'nick 5',
      reportedAt: NOW,
      views: 1_000_000,
      proofs: { private: true, items: [{ text: 'x' }] },
    });
    for (const reason of [marker, `${marker} zmieniony`]) {
      const rowsBefore = countChangedRows(db);
      const writtenBefore = readWrittenBytes();
      await importRecords(db, 'scammers', [{ ...record, reason }]);
      const { indexes } = await refresh();
      expect(indexes).toBeGreaterThanOrEqual(24);
      expect(countChangedRows(db) - rowsBefore).toBeLessThanOrEqual(100);
      expect(readWrittenBytes() - writtenBefore).toBeLessThanOrEqual(2_000_000);
      expect(compareWithEntries(db)).toBe(INDEX_KEYS.length);
    }
    const holdsMarker = (): boolean =>
      readdirSync(indexFolder(db)).some((name) => readFileSync(join(indexFolder(db), name)).includes(marker));
    expect(holdsMarker()).toBe(true);
    removeEntry(db, 'scammers', record.id, 'request', NOW);
    await refresh();
    await setTimeout(2_100);
    await writer.tidy((change) => db.write(change), signal);
    expect(holdsMarker()).toBe(false);
    expect(compareWithEntries(db)).toBe(INDEX_KEYS.length);
    writer.close();
  });
});

function countChangedRows(db: Database): number {
  return db.statement<{ rows: number }>('SELECT total_changes() AS rows').get()?.rows ?? 0;
}

/** All that this process has handed to the system for writing, the database's log and its checkpoints included. */
function readWrittenBytes(): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}
