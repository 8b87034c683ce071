import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkFile } from '#src/db/check-file.ts';
import { openSearchFile, searchPath } from '#src/search/search-file.ts';
import { createSearchUpdater } from '#src/search/update-search-file.ts';
import { createSearchPool } from '#src/search/search-pool.ts';
import type { SearchTask } from '#src/search/search-thread.ts';
import { type Requester, OverloadedError } from '#src/queues/fair-queue.ts';
import { makeLists, makeRecord, importRecords } from '../../support/make-entries.ts';
import { updateIndexes } from '../../support/update-indexes.ts';
import { makeFolder } from '../../support/temporary-database.ts';

function open(options: Omit<Parameters<typeof createSearchPool>[0], 'onTrouble'>) {
  const ended: Error[] = [];
  const pool = createSearchPool({ ...options, onTrouble: (error) => ended.push(error) });
  onTestFinished(() => pool.close());
  return { pool, ended };
}

/** One thread that does what its searches say; see tests/support/search-process.ts. */
const openObedient = () =>
  open({
    databasePath: join(makeFolder(), 'none'),
    threadFile: new URL('../../support/search-process.ts', import.meta.url),
  });

const QUERY = { id: undefined, sort: 'newest', status: 'all', proofs: 'all', skip: 0, limit: 30 } as const;
const ask = (search: string): SearchTask => ({ list: 'scammers', query: { ...QUERY, search } });
const requester: Requester = { client: '10.0.0.1', signal: new AbortController().signal };

function pageOf(path: string, table: string): number {
  using file = openSearchFile(path, 'read');
  const root = 'SELECT rootpage FROM sqlite_schema WHERE name = ?';
  return ((file.statement(root).pluck().get(table) as number) - 1) * 4_096;
}

it('has a damaged search.db made again, and says when to come again', async () => {
  const db = await makeLists({ scammers: [{ name: 'Żółw' }] });
  await updateIndexes(db);
  const path = searchPath(db.path);
  const kinds: readonly ((bytes: Buffer) => Buffer)[] = [
    (bytes) => bytes.fill(0x55, bytes.length / 4),
    (bytes) => bytes.subarray(0, 5_000),
    (bytes) => bytes.fill(0, 0, 100),
    (bytes) => bytes.fill(0x55, pageOf(path, 'pieces_config'), pageOf(path, 'pieces_config') + 4_096),
  ];
  for (const harm of kinds) {
    writeFileSync(path, harm(readFileSync(path)));
    // A thread that has read the file keeps its pages.
    const { pool, ended } = open({ databasePath: db.path });
    await expect(pool.find(ask('żółw'), requester)).rejects.toBeInstanceOf(OverloadedError);
    expect(ended).toHaveLength(1);
    await updateIndexes(db);
    expect(await pool.find(ask('żółw'), requester)).toMatchObject({ total: 1 });
  }
});

it('makes a damaged search.db again when a change meets the damage', async () => {
  const db = await makeLists({ scammers: [{}] });
  using updater = createSearchUpdater(db);
  await updater.catchUp();
  const path = searchPath(db.path);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x55, bytes.length / 4));
  await importRecords(db, 'scammers', [makeRecord({ name: 'Kaczka' })]);
  await updater.catchUp().catch(() => updater.catchUp());
  using file = openSearchFile(path, 'read');
  expect(checkFile(file)).toEqual([]);
});

it('replaces a thread that ends; only its own search fails', async () => {
  const { pool, ended } = openObedient();
  const ending = pool.find(ask('end'), requester);
  const next = pool.find(ask('next'), requester);
  await expect(ending).rejects.toThrow('ended with code 3');
  expect((await next).total).toBe(4);
  expect(ended).toHaveLength(1);
});

it('keeps its thread when a search fails', async () => {
  const { pool, ended } = openObedient();
  await expect(pool.find(ask('fail'), requester)).rejects.toThrow('failed');
  expect((await pool.find(ask('next'), requester)).total).toBe(4);
  expect(ended).toEqual([]);
});

it('leaves nobody waiting when it is closed', async () => {
  const { pool } = openObedient();
  const searches = [pool.find(ask('stay'), requester), pool.find(ask('a'), requester)];
  const settled = Promise.allSettled(searches);
  await pool.close();
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(pool.find(ask('a'), requester)).rejects.toThrow('closed');
});
