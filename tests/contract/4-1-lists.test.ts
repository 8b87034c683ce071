/** SPEC 4.1: `/api/scammers` whole, and the two other lists where they differ from it. */
import { expect, it } from 'vitest';
import { updateIndexes } from '../support/update-indexes.ts';
import { makeLists, NOW, unverifyTrusted } from '../support/make-entries.ts';
import { startTestSite } from '../support/test-site.ts';
import type { ListResponse } from '../support/responses.ts';

const TOTAL = 75;
const ENTRY_KEYS = ['_id', 'name', 'id', 'descHtml', 'verified', 'proofsId', 'reportId'];
const get = (query: string, list = 'scammers'): Promise<ListResponse> =>
  site.json<ListResponse>(`/api/${list}?${query}`);
const names = async (query: string, list?: string): Promise<string[]> =>
  (await get(query, list)).data.map((entry) => entry.name);

const db = await makeLists({
  scammers: [
    ...Array.from({ length: TOTAL - 6 }, (_, index) => ({
      name: `zwykły ${index}`,
      reportedAt: NOW - 1_000_000 - index,
      views: index,
    })),
    {
      id: '1572250755006587457',
      name: 'ŻÓŁW Łukasz',
      reason: 'Zaliczka **120 zł** za [doładowanie](https://example.com/a).\n\n<script>alert(1)</script>',
      reportedAt: NOW,
      reportId: 'R-1',
      views: 900,
      proofs: { private: false, items: [{ text: 'Zrzut **ekranu**' }] },
    },
    {
      name: 'prywatny',
      verified: false,
      reportedAt: NOW - 1,
      proofs: { private: true, items: [] },
    },
    { name: '100% pewny_typ', verified: false, reportedAt: NOW - 2 },
    { name: 'O\'Reilly "<b>" --', verified: false, reportedAt: NOW - 3 },
    { name: 'Ćma', verified: false, reportedAt: NOW - 4, views: 1000 },
    { name: 'Cma', verified: false, reportedAt: NOW - 5 },
  ],
  servers: [{ name: 'potwierdzony' }, { name: 'ryzyko', verified: false }],
  legit: [{ name: 'pewny' }, { id: '331', name: 'zawieszony' }],
});
unverifyTrusted(db, 'zawieszony');
await updateIndexes(db);
const site = await startTestSite(db.path);

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

// Orders, pages and filters in all their combinations are in property/read-model.
it.each([
  ['limit=3', ['ŻÓŁW Łukasz', 'prywatny', '100% pewny_typ']],
  ['skip=1&limit=1', ['prywatny']],
  ['sort=oldest&limit=1', [`zwykły ${TOTAL - 7}`]],
  ['sort=popular&limit=2', ['Ćma', 'ŻÓŁW Łukasz']],
  ['sort=za&limit=1', ['ŻÓŁW Łukasz']],
  ['sort=az&status=risk&limit=4', ['100% pewny_typ', 'Cma', 'Ćma', 'O\'Reilly "<b>" --']],
  ['proofs=with', ['ŻÓŁW Łukasz', 'prywatny']],
  ['proofs=private&status=verified', []],
  ['id=1572250755006587457&search=nic', ['ŻÓŁW Łukasz']],
  ['id=157225075500658745', []],
  ['search=%20PEWNY_T%20&id=&nieznany=1&__proto__=2', ['100% pewny_typ']],
  ['skip=20000', []],
])('answers %s', async (query, expected) => {
  expect(await names(query)).toEqual(expected);
});

it('searches name, ID and reason without regard to case or Polish marks', async () => {
  for (const search of ['ZOLW', '250755006', 'ZALICZKA 120 zł za'])
    expect(await names(`search=${encodeURIComponent(search)}`), search).toEqual(['ŻÓŁW Łukasz']);
  // The reason's HTML is not text: neither tags nor addresses of links are found. SQL is text.
  for (const search of ['strong', 'example.com', "' OR 1=1 --", '\0'])
    expect(await names(`search=${encodeURIComponent(search)}`), search).toEqual([]);
});

// That _id, proofsId and reportId stay (2.1) is in journeys/operator/import.
it('lets every origin read', async () => {
  const { headers } = await site.get('/api/legit', { headers: { Origin: 'https://inny.example' } });
  expect(headers['access-control-allow-origin']).toBe('*');
  const exposed = String(headers['access-control-expose-headers']).split(', ');
  const limits = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After'];
  expect(exposed).toEqual(expect.arrayContaining([...limits, 'ETag', 'Age', 'X-Error-Code']));
});

it('never serves an unverified entry of the trusted list, whatever status says', async () => {
  for (const query of ['status=all', 'status=risk', 'status=verified', 'sort=az'])
    expect(await get(query, 'legit'), query).toMatchObject({ data: [{ name: 'pewny' }], total: 1 });
  for (const query of ['search=zawieszony', 'id=331'])
    expect(await get(query, 'legit'), query).toMatchObject({ data: [], total: 0 });
  for (const query of ['search=zawieszony', 'id=331'])
    expect(await site.json(`/api/check?${query}`), query).toEqual({ results: [] });
});
