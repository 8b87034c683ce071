/** One suite that every list endpoint passes (SPEC 2.1, 2.2, 4.1, 8). */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { ListKind } from '#src/entries/entry.ts';
import type { ListResponse } from '#src/serving/list-response.ts';
import { assertError } from '../support/assert-error.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

const ENTRIES = 75;
const ENTRY_KEYS = ['_id', 'name', 'id', 'descHtml', 'verified', 'proofsId', 'reportId'];

export function describeListEndpoint(list: ListKind): void {
  describe(`/api/${list}`, () => {
    const path = `/api/${list}`;
    let site: TestSite;
    const get = (query: string): Promise<ListResponse> => site.json<ListResponse>(`${path}?${query}`);
    const names = async (query: string): Promise<string[]> =>
      (await get(query)).data.map((entry) => entry.name);

    beforeAll(async () => {
      const db = await makeDatabase();
      const risk = list !== 'legit';
      await importRecords(db, list, [
        ...Array.from({ length: ENTRIES - 6 }, (_, index) =>
          makeRecord({ name: `zwykły ${index}`, reportedAt: NOW - 1_000_000 - index, views: index }),
        ),
        makeRecord({
          id: '1572250755006587457',
          name: 'ŻÓŁW Łukasz',
          reason: 'Zaliczka **120 zł** za [doładowanie](https://example.com/a).\n\n<script>alert(1)</script>',
          reportedAt: NOW,
          reportId: `R-${list}`,
          views: 900,
          proofs: { private: false, items: [{ text: 'Zrzut **ekranu**' }] },
        }),
        makeRecord({
          name: 'prywatny',
          verified: !risk,
          reportedAt: NOW - 1,
          proofs: { private: true, items: [] },
        }),
        makeRecord({ name: '100% pewny_typ', verified: !risk, reportedAt: NOW - 2 }),
        makeRecord({ name: 'O\'Reilly "<b>" --', verified: !risk, reportedAt: NOW - 3 }),
        makeRecord({ name: 'Ćma', verified: !risk, reportedAt: NOW - 4, views: 1000 }),
        makeRecord({ name: 'Cma', verified: !risk, reportedAt: NOW - 5 }),
      ]);
      site = await startTestSite(db.path);
    });

    it('2.2 answers data, total and hasMore, and nothing else', async () => {
      const body = await get('');
      expect(Object.keys(body)).toEqual(['data', 'total', 'hasMore']);
      expect(body.data).toHaveLength(30);
      expect(body.total).toBe(ENTRIES);
      expect(body.hasMore).toBe(true);
    });

    it('2.1 gives every entry exactly its seven keys in order', async () => {
      const { data } = await get('limit=60');
      for (const entry of data) expect(Object.keys(entry)).toEqual(ENTRY_KEYS);
      expect(data[0]).toMatchObject({
        name: 'ŻÓŁW Łukasz',
        id: '1572250755006587457',
        verified: true,
        reportId: `R-${list}`,
      });
      expect(data[0]?._id).toMatch(/^[0-9a-f]{24}$/);
      expect(data[0]?.proofsId).toMatch(/^[0-9a-f]{32}$/);
      expect(data.find((entry) => entry.name === 'Cma')?.proofsId).toBeNull();
    });

    it('2.1 renders the reason as sanitized HTML', async () => {
      const [entry] = (await get('id=1572250755006587457')).data;
      expect(entry?.descHtml).toContain('<strong>120 zł</strong>');
      expect(entry?.descHtml).toContain('rel="nofollow ugc noopener noreferrer"');
      expect(entry?.descHtml).not.toContain('<script>');
      expect(entry?.descHtml).toContain('&lt;script&gt;');
    });

    it('2.1 keeps _id, proofsId and reportId when an entry is imported again', async () => {
      const db = await makeDatabase();
      const record = makeRecord({ proofs: { private: false, items: [{ text: 'a' }] } });
      await importRecords(db, list, [record]);
      const own = await startTestSite(db.path);
      const before = (await own.json<ListResponse>(path)).data[0];
      await importRecords(db, list, [{ ...record, name: 'nowy nick', reason: 'Inny powód.' }]);
      await vi.waitFor(async () => {
        const after = (await own.json<ListResponse>(path)).data[0];
        expect(after).toEqual({ ...before, name: 'nowy nick', descHtml: '<p>Inny powód.</p>' });
      });
    });

    it('4.1 carries the cache header to the letter', async () => {
      const { headers } = await site.get(path);
      expect(headers['cache-control']).toBe('public, s-maxage=30, stale-while-revalidate=300');
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
    });

    it('5 lets every origin read answers and their limits', async () => {
      const { headers } = await site.get(path, { headers: { Origin: 'https://inny.example' } });
      expect(headers['access-control-allow-origin']).toBe('*');
      const exposed = String(headers['access-control-expose-headers']);
      for (const name of [
        'RateLimit-Limit',
        'RateLimit-Remaining',
        'RateLimit-Reset',
        'Retry-After',
        'ETag',
        'Age',
      ]) {
        expect(exposed).toContain(name);
      }
    });

    it('4.1 sorts newest first unless asked otherwise', async () => {
      expect(await names('limit=3')).toEqual(['ŻÓŁW Łukasz', 'prywatny', '100% pewny_typ']);
      expect(await names('sort=oldest&limit=1')).toEqual([`zwykły ${ENTRIES - 7}`]);
    });

    it('4.1 sorts by views and by the Polish alphabet', async () => {
      expect(await names('sort=popular&limit=2')).toEqual(['Ćma', 'ŻÓŁW Łukasz']);
      expect((await names('sort=popular_asc&limit=60')).slice(0, 4)).not.toContain('Ćma');
      const alphabet = await names('sort=az&limit=60');
      expect(alphabet.indexOf('Cma')).toBeLessThan(alphabet.indexOf('Ćma'));
      expect(await names('sort=za&limit=1')).toEqual(['ŻÓŁW Łukasz']);
    });

    it('4.1 pages by skip and limit with a constant total', async () => {
      const first = await get('sort=az&limit=60');
      const second = await get('sort=az&limit=60&skip=60');
      expect(first.hasMore).toBe(true);
      expect(second.hasMore).toBe(false);
      expect(second.total).toBe(ENTRIES);
      const all = [...first.data, ...second.data].map((entry) => entry._id);
      expect(new Set(all).size).toBe(ENTRIES);
      expect(await get('skip=20000')).toEqual({ data: [], total: ENTRIES, hasMore: false });
    });

    it('4.1 finds by ID exactly, before search', async () => {
      expect(await names('id=1572250755006587457&search=nic')).toEqual(['ŻÓŁW Łukasz']);
      expect(await names('id=157225075500658745')).toEqual([]);
    });

    it('4.1 searches name, ID and reason without regard to case or Polish marks', async () => {
      for (const search of ['żółw', 'ZOLW', 'lukasz', '250755006', 'doładowanie', 'ZALICZKA 120 zł za']) {
        expect(await names(`search=${encodeURIComponent(search)}`), search).toEqual(['ŻÓŁW Łukasz']);
      }
      // The reason's HTML is not text: neither tags nor addresses of links are found.
      for (const search of ['strong', 'nofollow', 'example.com']) {
        expect(await names(`search=${search}`), search).toEqual([]);
      }
      expect(await names('search=%C3%B3%C5%82')).toContain('ŻÓŁW Łukasz');
    });

    it('4.1 takes wildcards, quotes and SQL in a search for what they are', async () => {
      expect(await names('search=%25')).toEqual(['100% pewny_typ']);
      expect(await names('search=y_t')).toEqual(['100% pewny_typ']);
      expect(await names(`search=${encodeURIComponent('o\'reilly "<b>')}`)).toEqual(['O\'Reilly "<b>" --']);
      expect(await names(`search=${encodeURIComponent("' OR 1=1 --")}`)).toEqual([]);
      expect(await names('search=%00')).toEqual([]);
      expect(await names('search=%E2%80%8B')).toEqual([]);
    });

    it('4.1 filters by status', async () => {
      const risk = list === 'legit' ? ENTRIES : 5;
      expect((await get('status=risk')).total).toBe(risk);
      expect((await get('status=verified')).total).toBe(list === 'legit' ? ENTRIES : ENTRIES - 5);
      expect((await get('status=all')).total).toBe(ENTRIES);
    });

    it('4.1 filters by proofs: private ones have an ID too', async () => {
      expect(await names('proofs=with')).toEqual(['ŻÓŁW Łukasz', 'prywatny']);
      expect(await names('proofs=private')).toEqual(['prywatny']);
    });

    it.each([
      ['skip=-1', 'skip'],
      ['skip=20001', 'skip'],
      ['skip=1e3', 'skip'],
      ['skip=0x10', 'skip'],
      ['skip=1.5', 'skip'],
      ['limit=0', 'limit'],
      ['limit=61', 'limit'],
      ['limit=dużo', 'limit'],
      ['limit=99999999999999999999', 'limit'],
      ['limit=NaN', 'limit'],
      ['sort=best', 'sort'],
      ['sort=__proto__', 'sort'],
      ['sort=hasOwnProperty', 'sort'],
      ['sort=Newest', 'sort'],
      ['status=maybe', 'status'],
      ['proofs=none', 'proofs'],
      ['skip=0&skip=0', 'skip'],
      ['sort=az&sort=za', 'sort'],
      ['search=a&search=b', 'search'],
      [`search=${'a'.repeat(101)}`, 'search'],
      [`id=${'1'.repeat(65)}`, 'id'],
      [`id=1&search=${'ą'.repeat(101)}`, 'search'],
    ])('answers 400 with the name of the parameter for %s', async (query, name) => {
      const answer = await site.get(`${path}?${encodeURI(query)}`);
      assertError(answer, 400, new RegExp(`^Nieprawidłowy parametr ${name}: .+\\.$`));
      expect(answer.headers['ratelimit-limit']).toBe('1000');
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

    it('answers the new state within a second of a write', async () => {
      const db = await makeDatabase();
      const own = await startTestSite(db.path);
      expect(await own.json(path)).toEqual({ data: [], total: 0, hasMore: false });
      await importRecords(db, list, [makeRecord()]);
      await vi.waitFor(async () => expect((await own.json<ListResponse>(path)).total).toBe(1), {
        timeout: 1_000,
      });
    });
  });
}
