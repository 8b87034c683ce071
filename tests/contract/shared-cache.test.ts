import { setTimeout } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { removeEntry } from '../support/change-log.ts';
import { updateIndexes } from '../support/update-indexes.ts';
import { importRecords, makeRecord, NOW, makeLists } from '../support/make-entries.ts';
import { startTestSite } from '../support/test-site.ts';

const db = await makeLists({ scammers: Array.from({ length: 40 }, () => ({})) });
const site = await startTestSite(db.path);

it('sends Age, and finds one answer for different spellings of a question', async () => {
  // Older than anything that another test has left.
  site.clock.now += 400_000;
  expect((await site.get('/api/scammers')).headers.age).toBe('0');
  site.clock.now += 3_000;
  for (const query of ['?limit=030&skip=0', '?sort=newest', '?status=all&unknown=1', '?search=&id='])
    expect((await site.get(`/api/scammers${query}`)).headers.age, query).toBe('3');
  expect((await site.get('/api/%73cammers/')).headers.age).toBe('3');
  expect((await site.get('/api/scammers?limit=29')).headers.age).toBe('0');
});

it('answers questions by ID without the cache', async () => {
  for (const path of ['/api/scammers?sort=az&id=x', '/api/check?id=1', '/api/verdict?id=1']) {
    for (let asked = 0; asked < 3; asked += 1) {
      site.clock.now += 1_000;
      expect((await site.get(path)).headers, path).toMatchObject({ age: '0', vary: 'Accept-Encoding' });
    }
  }
});

it('does not say when another visitor asked for the same person', async () => {
  for (const path of [
    '/?search=x',
    '/api/check?search=x',
    '/api/verdict?name=x',
    '/zglos?id=100000000000000001',
    '/odwolania?nr=R-1',
    '/api/chat/avatar/100000000000000001',
  ]) {
    await site.get(path);
    site.clock.now += 3_000;
    expect((await site.get(path)).headers.age ?? '0', path).toBe('0');
  }
});

it('ends a verdict about a name with a change of the lists', async () => {
  const db = await makeLists({ scammers: [{ id: '100000000000000001', name: 'Lis_Posrednlk' }] });
  await updateIndexes(db);
  const own = await startTestSite(db.path);
  const both = '/api/verdict?id=100000000000000001&name=Lis_Posrednlk';
  await own.get(both);
  removeEntry(db, 'scammers', '100000000000000001', 'appeal', NOW);
  const entries = async () => (await own.json<{ entries: unknown[] }>(both)).entries;
  await expect.poll(entries).toEqual([]);
});

it('a cached answer, while the worker is late, is replaced once the worker has followed the log: lists and searches have the added entry', async () => {
  const db = await makeLists({ scammers: [{}] });
  await updateIndexes(db);
  const site = await startTestSite(db.path);
  const paths = ['/api/scammers?limit=60', '/api/scammers?limit=60&search=nowy', '/scammers?limit=60'];
  for (const path of paths) await site.get(path);
  await importRecords(db, 'scammers', [makeRecord({ name: 'nowy', id: '4242' })]);
  // The change is seen, and the answer kept as it is without it.
  await setTimeout(50);
  for (const path of paths) expect((await site.get(path)).text, path).not.toContain('4242');
  await updateIndexes(db);
  await vi.waitFor(async () => {
    for (const path of paths) expect((await site.get(path)).text, path).toContain('4242');
  }, 5_000);
});
