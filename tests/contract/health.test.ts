import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase, type Database } from '#src/db/database.ts';
import { recordFailingFollowers } from '#src/db/readiness.ts';
import { createIndexUpdater } from '#src/lists/update-list-indexes.ts';
import { openOperatorDatabase } from '#src/operator/console/operator-database.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase, makeFolder, makeNewer } from '../support/temporary-database.ts';
import { startTestSite, exhaustLimit, type TestSite } from '../support/test-site.ts';

async function makeSite(settings: Readonly<Record<string, string>> = {}): Promise<TestSite> {
  using db = await makeDatabase();
  await createIndexUpdater(db).catchUp();
  return startTestSite(db.path, settings);
}

async function read(site: TestSite, path: string): Promise<{ status: number; body: unknown }> {
  const { status, text } = await site.get(path);
  return { status, body: JSON.parse(text) as unknown };
}

it('both answer 200 without search.db', async () => {
  const site = await makeSite();
  const alive = { alive: true, address: '127.0.0.1' };
  expect(await read(site, '/healthz')).toEqual({ status: 200, body: alive });
  expect(await read(site, '/readyz')).toEqual({ status: 200, body: { ready: true, reasons: [] } });
});

it('are limited for visitors and not for this machine', async () => {
  const site = await makeSite({ TRUST_PROXY: 'loopback' });
  for (const address of ['127.0.0.1', '0:0:0:0', '203.0.113.9']) exhaustLimit(site, 'health', address);
  const ask = async (headers: Readonly<Record<string, string>>): Promise<number[]> => [
    (await site.get('/healthz', { headers })).status,
    (await site.get('/readyz', { headers })).status,
  ];
  expect(await ask({})).toEqual([200, 200]);
  expect(await ask({ 'X-Forwarded-For': '::1' })).toEqual([200, 200]);
  expect(await ask({ 'X-Forwarded-For': '203.0.113.9' })).toEqual([429, 429]);
});

it.each<[string, string, (path: string) => void | Promise<void>]>([
  ['is gone', 'database_missing', (path) => rmSync(path)],
  [
    'was exchanged',
    'database_replaced',
    (path) => {
      const other = join(makeFolder(), 'other.db');
      openDatabase(other, 'write').close();
      renameSync(other, path);
    },
  ],
  [
    'is of a newer version',
    'schema_newer',
    async (path) => {
      using db = openDatabase(path, 'write');
      makeNewer(db);
    },
  ],
])('tell by a code, and by nothing else, that the database %s', async (_name, reason, harm) => {
  const site = await makeSite();
  const { path } = site.services.db;
  expect((await site.get('/readyz')).status).toBe(200);
  await harm(path);
  expect(await read(site, '/readyz')).toEqual({ status: 503, body: { ready: false, reasons: [reason] } });
  expect((await site.get('/healthz')).status).toBe(200);
});

it.each<[string, () => Promise<Database>]>([
  ['none', makeDatabase],
  // The orders of the first import.
  ['empty ones', () => openOperatorDatabase(join(makeFolder(), 'czujka.db'))],
])('tell that lists have no orders (%s), which each process makes by itself', async (_orders, make) => {
  const db = await make();
  await importRecords(db, 'legit', [makeRecord({ name: 'Lis' })]);
  const site = await startTestSite(db.path);
  const body = { ready: false, reasons: ['lists_unsorted'] };
  expect(await read(site, '/readyz')).toEqual({ status: 503, body });
  expect(await read(site, '/api/legit')).toMatchObject({
    status: 200,
    body: { data: [{ name: 'Lis' }] },
  });
  await createIndexUpdater(db).catchUp();
  expect((await site.get('/readyz')).status).toBe(200);
});

it('tell that a follower of the worker fails, and that it succeeds again', async () => {
  const site = await makeSite();
  using db = openDatabase(site.services.db.path, 'write');
  db.write((tx) => recordFailingFollowers(tx, ['search']));
  const body = { ready: false, reasons: ['follower_failing'] };
  expect(await read(site, '/readyz')).toEqual({ status: 503, body });
  db.write((tx) => recordFailingFollowers(tx, []));
  expect((await site.get('/readyz')).status).toBe(200);
});
