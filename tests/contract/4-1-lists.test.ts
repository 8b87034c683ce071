/** SPEC 4.1: `/api/scammers` whole, and the two other lists where they differ from it. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { updateIndexes } from '../support/update-indexes.ts';
import { importRecords, makeRecord, NOW, unverifyTrusted } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';
import type { ListResponse } from '../support/responses.ts';

const TOTAL = 75;
const ENTRY_KEYS = ['_id', 'name', 'id', 'descHtml', 'verified', 'proofsId', 'reportId'];

let site: TestSite;
const get = (query: string, list = 'scammers'): Promise<ListResponse> =>
  site.json<ListResponse>(`/api/${list}?${query}`);
const names = async (query: string, list?: string): Promise<string[]> =>
  (await get(query, list)).data.map((entry) => entry.name);

beforeAll(async () => {
  const db = await makeDatabase();
  await importRecords(db, 'scammers', [
    ...Array.from({ length: TOTAL - 6 }, (_, index) =>
      makeRecord({ name: `zwykły ${index}`, reportedAt: NOW - 1_000_000 - index, views: index }),
    ),
    makeRecord({
      id: '1572250755006587457',
      name: 'ŻÓŁW Łukasz',
      reason: 'Zaliczka **120 zł** za [doładowanie](https://example.com/a).\n\n<script>alert(1)</script>',
      reportedAt: NOW,
      reportId: 'R-1',
      views: 900,
      proofs: { private: false, items: [{ text: 'Zrzut **ekranu**' }] },
    }),
    makeRecord({
      name: 'prywatny',
      verified: false,
      reportedAt: NOW - 1,
      proofs: { private: true, items: [] },
    }),
    makeRecord({ name: '100% pewny_typ', verified: false, reportedAt: NOW - 2 }),
    makeRecord({ name: 'O\'Reilly "<b>" --', verified: false, reportedAt: NOW - 3 }),
    makeRecord({ name: 'Ćma', verified: false, reportedAt: NOW - 4, views: 1000 }),
    makeRecord({ name: 'Cma', verified: false, reportedAt: NOW - 5 }),
  ]);
  await importRecords(db, 'servers', [
    makeRecord({ name: 'potwierdzony' }),
    makeRecord({ name: 'ryzyko', verified: false }),
  ]);
  await importRecords(db, 'legit', [makeRecord({ name: 'pewny' }), makeRecord({ name: 'zawieszony' })]);
  unverifyTrusted(db, 'zawieszony');
  await updateIndexes(db);
  site = await startTestSite(db.path);
});

describe('4.1 /api/scammers', () => {
  it('2.1 2.2 answers exactly these keys in their order', async () => {
    const body = await get('');
    expect(Object.keys(body)).toEqual(['data', 'total', 'hasMore']);
    expect(body).toMatchObject({ total: TOTAL, hasMore: true });
    expect(body.data).toHaveLength(30);
    for (const entry of body.data) expect(Object.keys(entry)).toEqual(ENTRY_KEYS);
    const [first] = body.data;
    expect(first).toMatchObject({ id: '1572250755006587457', name: 'ŻÓŁW Łukasz', verified: true });
    expect(first?.reportId).toBe('R-1');
    expect(first?._id).toMatch(/^[0-9a-f]{24}$/);
    expect(first?.proofsId).toMatch(/^[0-9a-f]{32}$/);
    expect(body.data.find(({ name }) => name === 'Cma')?.proofsId).toBeNull();
  });

  it('2.1 renders the reason as sanitized HTML', async () => {
    const [entry] = (await get('id=1572250755006587457')).data;
    expect(entry?.descHtml).toContain('<strong>120 zł</strong>');
    expect(entry?.descHtml).toContain('rel="nofollow ugc noopener noreferrer"');
    expect(entry?.descHtml).not.toContain('<script>');
    expect(entry?.descHtml).toContain('&lt;script&gt;');
  });

  it('sorts by date, by views and by the Polish alphabet', async () => {
    expect(await names('limit=3')).toEqual(['ŻÓŁW Łukasz', 'prywatny', '100% pewny_typ']);
    expect(await names('sort=oldest&limit=1')).toEqual([`zwykły ${TOTAL - 7}`]);
    expect(await names('sort=popular&limit=2')).toEqual(['Ćma', 'ŻÓŁW Łukasz']);
    expect((await names('sort=popular_asc&limit=60')).slice(0, 4)).not.toContain('Ćma');
    const alphabet = await names('sort=az&limit=60');
    expect(alphabet.indexOf('Cma')).toBeLessThan(alphabet.indexOf('Ćma'));
    expect(await names('sort=za&limit=1')).toEqual(['ŻÓŁW Łukasz']);
  });

  it('pages by skip and limit with a constant total', async () => {
    const first = await get('sort=az&limit=60');
    const second = await get('sort=az&limit=60&skip=60');
    expect([first.hasMore, second.hasMore, second.total]).toEqual([true, false, TOTAL]);
    expect(new Set([...first.data, ...second.data].map((entry) => entry._id)).size).toBe(TOTAL);
    expect(await get('skip=20000')).toEqual({ data: [], total: TOTAL, hasMore: false });
  });

  it('finds by ID exactly, before search', async () => {
    expect(await names('id=1572250755006587457&search=nic')).toEqual(['ŻÓŁW Łukasz']);
    expect(await names('id=157225075500658745')).toEqual([]);
  });

  it('searches name, ID and reason without regard to case or Polish marks', async () => {
    for (const search of ['żółw', 'ZOLW', 'lukasz', '250755006', 'doładowanie', 'ZALICZKA 120 zł za'])
      expect(await names(`search=${encodeURIComponent(search)}`), search).toEqual(['ŻÓŁW Łukasz']);
    // The reason's HTML is not text: neither tags nor addresses of links are found.
    for (const search of ['strong', 'nofollow', 'example.com'])
      expect(await names(`search=${search}`), search).toEqual([]);
    expect(await names('search=%C3%B3%C5%82')).toContain('ŻÓŁW Łukasz');
  });

  it('takes wildcards, quotes and SQL in a search for what they are', async () => {
    expect(await names('search=%25')).toEqual(['100% pewny_typ']);
    expect(await names('search=y_t')).toEqual(['100% pewny_typ']);
    expect(await names(`search=${encodeURIComponent('o\'reilly "<b>')}`)).toEqual(['O\'Reilly "<b>" --']);
    for (const nothing of [encodeURIComponent("' OR 1=1 --"), '%00', '%E2%80%8B'])
      expect(await names(`search=${nothing}`), nothing).toEqual([]);
  });

  it('filters by status and by proofs; private proofs have an ID too', async () => {
    const totals = ['all', 'verified', 'risk'].map(async (status) => (await get(`status=${status}`)).total);
    expect(await Promise.all(totals)).toEqual([TOTAL, TOTAL - 5, 5]);
    expect(await names('proofs=with')).toEqual(['ŻÓŁW Łukasz', 'prywatny']);
    expect(await names('proofs=private')).toEqual(['prywatny']);
  });

  it.each([
    ['skip=&limit=&sort=&status=&proofs=&search=&id=', 30],
    ['skip=%205%20&limit=+7+', 7],
    [`search=${encodeURIComponent('😀'.repeat(100))}`, 0],
    [`id=${encodeURIComponent('😀'.repeat(64))}`, 0],
    ['search=%E0%A4%A', 0],
    ['search=%ff&x=%', 0],
    ['nieznany=1&__proto__=2&constructor=3', 30],
    ['search=%20%20', 30],
  ])('answers 200 for %s', async (query, count) => {
    expect((await get(query)).data).toHaveLength(count);
  });
});

describe('4.1 every list', () => {
  it.each(LIST_KINDS)(
    '%s carries the cache header to the letter, and lets every origin read',
    async (list) => {
      const { headers } = await site.get(`/api/${list}`, { headers: { Origin: 'https://inny.example' } });
      expect(headers).toMatchObject({
        'cache-control': 'public, s-maxage=30, stale-while-revalidate=300',
        'content-type': 'application/json; charset=utf-8',
        'access-control-allow-origin': '*',
      });
      const exposed = String(headers['access-control-expose-headers']).split(', ');
      const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After'];
      expect(exposed).toEqual(expect.arrayContaining([...limits, 'ETag', 'Age']));
    },
  );

  it('has entries of its own kind only', async () => {
    expect(await names('', 'servers')).toEqual(['potwierdzony', 'ryzyko']);
    expect(await names('status=risk', 'servers')).toEqual(['ryzyko']);
    expect(await names('', 'legit')).toEqual(['pewny']);
  });

  it('never serves an unverified entry of the trusted list, whatever status says', async () => {
    for (const query of ['status=all', 'status=risk', 'status=verified', 'sort=az'])
      expect(await get(query, 'legit'), query).toMatchObject({ data: [{ name: 'pewny' }], total: 1 });
    expect(await get('search=zawieszony', 'legit')).toMatchObject({ data: [], total: 0 });
    expect(await site.json('/api/check?search=zawieszony')).toEqual({ results: [] });
  });

  it('2.1 keeps _id, proofsId and reportId of an entry that is imported again', async () => {
    const record = makeRecord({ proofs: { private: false, items: [{ text: 'a' }] } });
    const other = await makeDatabase();
    await importRecords(other, 'legit', [record]);
    const own = await startTestSite(other.path);
    const [before] = (await own.json<ListResponse>('/api/legit')).data;
    await importRecords(other, 'legit', [{ ...record, name: 'nowy nick', reason: 'Inny powód.' }]);
    await vi.waitFor(async () => {
      const [after] = (await own.json<ListResponse>('/api/legit')).data;
      expect(after).toEqual({ ...before, name: 'nowy nick', descHtml: '<p>Inny powód.</p>' });
    });
  });
});
