/** SPEC 4.1 `popular`: what counts as a view of an entry, and that it counts once. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { applyViewCounts } from '#src/entries/apply-view-counts.ts';
import { viewsFolder } from '#src/entries/count-views.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:150.0) Gecko/20100101 Firefox/150.0';
const HOUR_MS = 3_600_000;
const PRIVATE_ID = '100000000000000000';

describe('views', () => {
  let db: Database;
  let site: TestSite;
  let folder: string;
  let bookedAt = Date.now();
  /** Each test has an entry of its own. */
  let id = PRIVATE_ID;
  const proofsPage = (of = id): string =>
    `/proofs/${db.statement('SELECT proofs_id FROM entries WHERE chat_id = ?').pluck().get(of) as string}`;
  const open = (path: string, from = '127.0.0.1', headers: Record<string, string> = {}, method = 'GET') =>
    site.get(path, { method, from, headers: { 'User-Agent': BROWSER, ...headers } });
  /** Flushes, books, and reads what the entry has. */
  const views = (of = id): number => {
    site.services.views.flush();
    bookedAt += 60_000;
    applyViewCounts(db, (change) => db.write(change), folder, bookedAt);
    return db.statement('SELECT views FROM entries WHERE chat_id = ?').pluck().get(of) as number;
  };
  /** Goes up with each order by views. */
  const popularity = (): number =>
    Number(db.statement("SELECT value FROM properties WHERE key = 'popularity'").pluck().get() ?? 0);

  beforeAll(async () => {
    db = await makeDatabase();
    const items = [{ text: 'Dowód.' }];
    const ids = Array.from({ length: 30 }, (_, at) => String(BigInt(PRIVATE_ID) + BigInt(at)));
    const records = ids.map((of) => makeRecord({ id: of, proofs: { private: of === PRIVATE_ID, items } }));
    await importRecords(db, 'scammers', records);
    site = await startTestSite(db.path);
    folder = viewsFolder(dirname(db.path));
  });

  beforeEach(() => {
    id = String(BigInt(id) + 1n);
  });

  it('count once a visitor and hour, on the proofs page and the page for one ID together', async () => {
    await open(proofsPage());
    await open(`/scammers?id=${id}`);
    await open(`/scammers?id=${id}&limit=5`);
    expect(views()).toBe(1);
    await open(`/scammers?id=${id}`, '127.0.0.2');
    expect(views()).toBe(2);
    site.clock.now += HOUR_MS - 1;
    await open(proofsPage());
    expect(views()).toBe(2);
    site.clock.now += 1;
    await open(proofsPage());
    expect(views()).toBe(3);
  });

  it('count when the page comes out of the cache, and when the browser has it already', async () => {
    const path = `/scammers?id=${id}`;
    const first = await open(path, '127.0.0.1');
    const found = await open(path, '127.0.0.2');
    expect(found.headers.age).toBe('0');
    const known = await open(path, '127.0.0.3', { 'If-None-Match': String(first.headers.etag) });
    expect(known.status).toBe(304);
    expect(views()).toBe(3);
  });

  it.each<[string, Record<string, string>, string]>([
    ['HEAD', {}, 'HEAD'],
    ['what is fetched ahead', { 'Sec-Purpose': 'prefetch;prerender' }, 'GET'],
    ['what is fetched ahead, in the old way', { Purpose: 'prefetch' }, 'GET'],
    [
      'a crawler',
      { 'User-Agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
      'GET',
    ],
    ['a preview of a link', { 'User-Agent': 'facebookexternalhit/1.1' }, 'GET'],
    ['a program', { 'User-Agent': 'curl/8.15.0' }, 'GET'],
    ['a program without a name', { 'User-Agent': '' }, 'GET'],
  ])('do not count: %s', async (_name, headers, method) => {
    const before = popularity();
    await open(proofsPage(), '127.0.0.1', headers, method);
    await open(`/scammers?id=${id}`, '127.0.0.1', headers, method);
    expect(views()).toBe(0);
    expect(popularity()).toBe(before);
  });

  it('do not count on lists, in searches and answers, and under a wrong address', async () => {
    for (const path of [
      '/scammers',
      '/scammers?id=1',
      `/scammers?id=${id}&id=${id}`,
      `/servers?id=${id}`,
      `/?search=${id}`,
      `/proofs/${'0'.repeat(32)}`,
      `/api/scammers?id=${id}`,
    ])
      await open(path);
    expect(views()).toBe(0);
  });

  it('do not count for private proofs', async () => {
    expect((await open(proofsPage(PRIVATE_ID))).status).toBe(403);
    expect(views(PRIVATE_ID)).toBe(0);
  });

  it('make the order of popular, and nothing else: no row of the change log', async () => {
    const changes = (): unknown => db.statement('SELECT count(*) FROM changes').pluck().get();
    const [before, order] = [changes(), popularity()];
    await open(proofsPage());
    await open(proofsPage(), '127.0.0.2');
    expect(views()).toBe(2);
    expect(changes()).toBe(before);
    expect(popularity()).toBe(order + 1);
    await open(proofsPage(), '127.0.0.3');
    site.services.views.flush();
    // Within a minute the order stays.
    expect(applyViewCounts(db, (change) => db.write(change), folder, bookedAt + 30_000).batches).toBe(0);
    expect(popularity()).toBe(order + 1);
    expect(views()).toBe(3);
    expect(popularity()).toBe(order + 2);
  });

  it('leave no address and no chat ID on the disk, and nothing when there is nothing', async () => {
    views();
    site.services.views.flush();
    await open(proofsPage());
    site.services.views.flush();
    const names = readdirSync(folder);
    expect(names).toHaveLength(1);
    const text = readFileSync(join(folder, names[0] ?? ''), 'utf8');
    expect(text).toMatch(/^\{"[0-9a-f]{24}":1\}$/);
    views();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are booked once, though the worker ends between booking and removing the file', async () => {
    views();
    await open(proofsPage());
    site.services.views.flush();
    const [name = ''] = readdirSync(folder);
    copyFileSync(join(folder, name), join(dirname(db.path), name));
    expect(views()).toBe(1);
    copyFileSync(join(dirname(db.path), name), join(folder, name));
    db.connection.prepare('INSERT INTO view_batches VALUES (?)').run(name);
    expect(views()).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('lose only the batch that a power cut has cut off', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, '1-cut.json'), '{"a":');
    await open(proofsPage());
    expect(views()).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('are kept by an import that says nothing of them', async () => {
    // More than a batch of the import.
    const size = 401;
    const proofs = { private: false, items: [{ text: 'Dowód.' }] };
    const records = Array.from({ length: size }, () => makeRecord({ proofs }));
    await importRecords(db, 'servers', records);
    db.connection.exec("UPDATE entries SET views = 7 WHERE list = 'servers'");
    const changed = records.map((record) => ({
      ...record,
      reason: 'Inny.',
      proofs: { ...proofs, private: true },
    }));
    for (let times = 0; times < 2; times += 1) await importRecords(db, 'servers', changed);
    const kept = "SELECT DISTINCT views FROM entries WHERE list = 'servers'";
    expect(db.statement(kept).pluck().all()).toEqual([7]);
    // What became of the proofs is on record, once a change.
    const steps = db.statement(
      `SELECT proof_changes.proofs, items, count(*) AS count FROM proof_changes JOIN entries USING (entry_id)
       WHERE list = 'servers' GROUP BY 1, 2 ORDER BY 1`,
    );
    expect(steps.all()).toEqual([
      { proofs: 'private', items: 1, count: size },
      { proofs: 'public', items: 1, count: size },
    ]);
  });
});
