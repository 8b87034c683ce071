import { describe, expect, it } from 'vitest';
import { assertError } from '../support/assert-error.ts';
import { NOW, makeLists } from '../support/make-entries.ts';
import { startTestSite } from '../support/test-site.ts';
import type { CheckResponse } from '../support/responses.ts';

describe('4.2 /api/check', async () => {
  const check = (query: string): Promise<CheckResponse> => site.json<CheckResponse>(`/api/check?${query}`);
  const kinds = async (query: string): Promise<string[]> =>
    (await check(query)).results.map(({ kind }) => kind);
  const names = async (query: string): Promise<string[]> =>
    (await check(query)).results.flatMap(({ entries }) => entries.map((entry) => entry.name));

  const db = await makeLists({
    scammers: [
      { id: '111', name: 'Marek', views: 5 },
      { id: '112', name: 'marek handel', views: 1 },
      { id: '113', name: 'Stary Marek', views: 50 },
      { id: '114', name: 'Nowy Marek', views: 50, reportedAt: NOW },
      { id: 'marek', name: 'ktoś inny', views: 0 },
      ...Array.from({ length: 30 }, (_, index) => ({ name: `tłum ${index}`, views: index })),
    ],
    servers: [
      { id: '111', name: 'Serwer jedenastki' },
      { id: '221', name: 'Marek i spółka', reason: 'Tajemnica w powodzie.' },
    ],
    legit: [
      { id: '111', name: 'Marek' },
      { id: '331', name: 'Zaufany Zenek' },
    ],
  });
  const site = await startTestSite(db.path);

  it('rule 1 searches all lists at once, by name and by ID', async () => {
    expect(await kinds('search=marek')).toEqual(['scammers', 'servers']);
    expect(await kinds('search=111')).toEqual(['scammers', 'servers']);
    expect(await kinds('id=221')).toEqual(['servers']);
    expect(await kinds('search=zaufany')).toEqual(['legit']);
  });

  it('rule 2 returns at most 20 entries of a list, the most viewed', async () => {
    const [result] = (await check('search=t%C5%82um')).results;
    expect(result?.entries).toHaveLength(20);
    expect(result?.entries[0]?.name).toBe('tłum 29');
  });

  it('rule 3 leaves the trusted list out when a reported entry is found', async () => {
    expect(await kinds('id=111')).toEqual(['scammers', 'servers']);
    expect(await kinds('id=331')).toEqual(['legit']);
  });

  it('puts an equal ID first, then an equal name, then names that begin with it, then the rest by views', async () => {
    const [scammers] = (await check('search=marek')).results;
    expect(scammers?.entries.map((entry) => entry.name)).toEqual([
      'ktoś inny',
      'Marek',
      'marek handel',
      'Nowy Marek',
      'Stary Marek',
    ]);
  });

  it.each([
    // Reasons are not searched, and rule 4.
    ['search=tajemnica', []],
    ['search=%E2%80%8B', []],
    ['id=999', []],
    ['id=marek&search=t%C5%82um', ['ktoś inny']],
    ['id=MAREK', []],
  ])('answers %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('refuses a question without nick and ID, and one that is too long or asked twice', async () => {
    for (const query of ['', '?id=&search=%20&foo=1'])
      assertError(await site.get(`/api/check${query}`), 400, 'Podaj nick albo ID.');
    for (const query of [`id=${'1'.repeat(65)}`, 'id=1&id=1'])
      assertError(await site.get(`/api/check?${query}`), 400, /^Nieprawidłowy parametr id: .+\.$/);
  });
});
