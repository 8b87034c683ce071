/** SPEC 4.1 `popular`: what counts as a view of an entry, and that it counts once. */
import { globSync, readFileSync, rmSync } from 'node:fs';
import { beforeEach, expect, it } from 'vitest';
import { openDatabase, type Database } from '#src/db/database.ts';
import { viewsPath, applyViewCounts } from '#src/entries/views-file.ts';
import { makeLists } from '../support/make-entries.ts';
import { startTestSite } from '../support/test-site.ts';
import { updateIndexes } from '../support/update-indexes.ts';

const BROWSER = 'Mozilla/5.0 (X11; Linux x64; rv:150.0) Gecko/20100101 Firefox/150.0';
const HOUR_MS = 3_600_000;
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148';
/** Names of phones and applications have words by which isbot knows programs. */
const PEOPLE = [
  ...'K|CUBOT_X18_Plus|CUBOT KINGKONG 9|X19 Build/CUBOT_X19|Zebra TC52 Scan|Robot Monitor X'
    .split('|')
    .map((phone) => `Mozilla/5.0 (Linux; Android 12; ${phone}) ${CHROME}`),
  `Mozilla/5.0 (Linux; Android 13; SM-A525F; wv) ${CHROME} [FB_IAB/FB4A;FBAV/455.0.0.44.88;]`,
  `Mozilla/5.0 (Linux; Android 14; SM-G991B) ${CHROME} BarcodeScanner/5.1`,
  `${IPHONE} QRScan/3.2`,
  `${IPHONE} Instagram 320.0.0.42.101 (iPhone14,5; iOS 17_4; pl_PL; pl; scale=3.00; 1170x2532; 573935476)`,
  'Opera/9.80 (Android; Opera Mini/36.2.2254/191.256; U; pl) Presto/2.12.423 Version/12.16',
];
const PROGRAMS = [
  ...['', '-', 'node', 'curl/8.15.0', 'python-requests/2.31.0', 'Mozilla/5.0', 'Mozilla/5.0 zgrab/0.x'],
  `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${CHROME} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  'Mozilla/5.0 (compatible; NetScan/1.0; +https://netscan.example)',
  `Mozilla/5.0 (X11; Linux x86_64) ${CHROME.replace('Chrome', 'HeadlessChrome')}`,
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
];
const PRIVATE_ID = '100000000000000000';

type Write = Database['write'];

/** Each test has an entry of its own. */
let id = PRIVATE_ID;
const proofsPage = (of = id): string =>
  `/proofs/${db.statement('SELECT proofs_id FROM entries WHERE chat_id = ?').pluck().get(of) as string}`;
const open = (path: string, from = '127.0.0.1', headers: Record<string, string> = {}, method = 'GET') =>
  site.get(path, { method, from, headers: { 'User-Agent': BROWSER, ...headers } });
const apply = (write: Write = (change) => db.write(change)): number => applyViewCounts(db, write).views;
/** Flushes, adds, and reads what the entry has. */
const views = (of = id): number => {
  site.services.views.flush();
  apply();
  return db.statement('SELECT views FROM entries WHERE chat_id = ?').pluck().get(of) as number;
};
/** Differs after each new order by views. */
const popularity = (): unknown =>
  db.statement("SELECT value FROM properties WHERE key = 'popularity'").pluck().get();
/** Counts that wait for the worker, by `_id`. */
const waiting = (): unknown[] => {
  using file = openDatabase(viewsPath(db.path), 'read');
  return file.statement('SELECT entry_id, count FROM counts').all();
};

const items = [{ text: 'Dowód.' }];
const ids = Array.from({ length: 30 }, (_, at) => String(BigInt(PRIVATE_ID) + BigInt(at)));
const scammers = ids.map((of) => ({ id: of, proofs: { private: of === PRIVATE_ID, items } }));
const db = await makeLists({ scammers });
const site = await startTestSite(db.path);

beforeEach(() => {
  id = String(BigInt(id) + 1n);
});

it('count once for a visitor and hour, on the proofs page and the page of the ID together', async () => {
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

it('count answers from the cache and 304 too', async () => {
  const path = `/scammers?id=${id}`;
  const first = await open(path, '127.0.0.1');
  await open(path, '127.0.0.2');
  const known = await open(path, '127.0.0.3', { 'If-None-Match': String(first.headers.etag) });
  expect(known.status).toBe(304);
  expect(views()).toBe(3);
});

it('leave out HEAD and prefetches, of older browsers too', async () => {
  for (const path of [proofsPage(), `/scammers?id=${id}`]) {
    await open(path, '127.0.0.1', {}, 'HEAD');
    await open(path, '127.0.0.1', { 'Sec-Purpose': 'prefetch;prerender' });
    await open(path, '127.0.0.1', { Purpose: 'prefetch' });
  }
  expect(views()).toBe(0);
});

it('count for browsers on phones and in applications of any name, not for programs', async () => {
  const counted: string[] = [];
  for (const [at, agent] of [...PEOPLE, ...PROGRAMS].entries()) {
    const before = views();
    await open(proofsPage(), `127.0.1.${at + 1}`, { 'User-Agent': agent });
    if (views() > before) counted.push(agent);
  }
  expect(counted).toEqual(PEOPLE);
});

it('leave out lists, searches, the API, unknown addresses and private proofs', async () => {
  const lists = ['/scammers', `/scammers?id=${id}&id=${id}`, `/servers?id=${id}`, `/?search=${id}`];
  for (const path of [
    ...lists,
    `/proofs/${'0'.repeat(32)}`,
    `/api/scammers?id=${id}`,
    proofsPage(PRIVATE_ID),
  ])
    await open(path);
  expect([views(), views(PRIVATE_ID)]).toEqual([0, 0]);
});

it('change the order popular, and write no row of the change log', async () => {
  const changes = (): unknown => db.statement('SELECT count(*) FROM changes').pluck().get();
  const findFirst = async (): Promise<string | undefined> => {
    await updateIndexes(db);
    const { data } = await site.json<{ data: { id: string }[] }>('/api/scammers?sort=popular');
    return data[0]?.id;
  };
  const [before, order, first] = [changes(), popularity(), await findFirst()];
  for (let from = 1; from <= 29; from += 1) await open(proofsPage(), `127.0.0.${from}`);
  expect(views()).toBe(29);
  expect(changes()).toBe(before);
  expect(first).not.toBe(id);
  expect(await findFirst()).toBe(id);
  const next = popularity();
  expect(next).not.toBe(order);
  views();
  expect(popularity()).toBe(next);
});

it('leave neither addresses nor chat IDs on the disk', async () => {
  views();
  await open(proofsPage(), '127.0.0.77');
  site.services.views.flush();
  const entry_id = db.statement('SELECT entry_id FROM entries WHERE chat_id = ?').pluck().get(id);
  expect(waiting()).toEqual([{ entry_id, count: 1 }]);
  const bytes = globSync(`${viewsPath(db.path)}*`).map((path) => readFileSync(path, 'latin1'));
  expect(bytes.length).toBeGreaterThan(0);
  for (const trace of ['127.0.0.77', id, 'Firefox']) expect(bytes.join()).not.toContain(trace);
  views();
  expect(waiting()).toEqual([]);
});

it('count once when the worker is killed before or after the commit, also later views', async () => {
  const killed = (): never => {
    throw new Error('killed');
  };
  const killedAfter: Write = (change) => {
    db.write(change);
    return killed();
  };
  await open(proofsPage(), '127.0.0.1');
  site.services.views.flush();
  // Before the commit, and after it.
  for (const write of [killed, killedAfter]) {
    expect(() => apply(write)).toThrow('killed');
    await open(proofsPage(), `127.0.0.${write === killed ? 2 : 3}`);
    site.services.views.flush();
  }
  expect(waiting()).not.toEqual([]);
  expect(views()).toBe(3);
  expect(views()).toBe(3);
});

it('wait while views.db is locked, and survive its deletion', async () => {
  views();
  await open(proofsPage(), '127.0.0.1');
  const stopped = openDatabase(viewsPath(db.path), 'write');
  stopped.connection.exec('BEGIN IMMEDIATE');
  site.services.views.flush();
  stopped.close();
  expect(views()).toBe(1);
  for (const path of globSync(`${viewsPath(db.path)}*`)) rmSync(path);
  await open(proofsPage(), '127.0.0.2');
  site.services.views.flush();
  // Batches of the new file have numbers that the old one has given.
  expect(views()).toBe(2);
});
