import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { setProperty } from '#src/db/properties.ts';
import type { VerdictResponse, VerdictsResponse } from '#src/entries/verdict-schema.ts';
import { updateIndexes } from '../support/update-indexes.ts';
import { importRecords, makeRecord, NOW, makeLists } from '../support/make-entries.ts';
import { startTestSite } from '../support/test-site.ts';

const LIS = '280864204968068869';
const COPY = '1234567890123456789';
const KUPSKIN = '1572250755006587457';
const ADMIN = '1100000000000000001';
const BOTH = '1100000000000000002';
const RISK = '1100000000000000003';
const SERVER = '1100000000000000004';
const REPORT_ID = expect.stringMatching(/^R-/) as unknown;
const NOBODY = '1100000000000000009';
const RENAMED = '1100000000000000005';

const ask = (query: Record<string, string>): Promise<VerdictResponse> =>
  site.json<VerdictResponse>(`/api/verdict?${new URLSearchParams(query)}`);
const seen = async (query: Record<string, string>): Promise<string[]> =>
  (await ask(query)).lookAlikes.map(({ name, why }) => `${name} ${why}`);

const db = await makeLists({
  scammers: [
    { id: COPY, name: 'Lis_Posrednlk' },
    { id: KUPSKIN, name: 'kupskin_24' },
    { id: ADMIN, name: 'аdmin_pоmoc' },
    { id: BOTH, name: 'Dwie listy', verified: false },
    { id: RISK, name: 'ryzykant', verified: false },
    { id: '__proto__', name: 'prototyp' },
    { id: 'marek', name: 'nie numer' },
    ...Array.from({ length: 21 }, (_, at) => ({ name: at === 0 ? 'Pan Tłum' : 'pan tłum' })),
    ...Array.from({ length: 21 }, () => ({ name: 'posrednictwo' })),
  ],
  servers: [
    { id: SERVER, name: 'Giełda' },
    { id: BOTH, name: 'Dwie listy' },
  ],
  legit: [{ id: LIS, name: 'Lis_Posrednik' }, { id: BOTH, name: 'Dwie Iisty' }, { name: 'posrednlctwo' }],
});
const renamed = { id: RENAMED, name: 'dawny_nick' };
await importRecords(db, 'servers', [makeRecord(renamed)]);
await importRecords(db, 'servers', [makeRecord({ ...renamed, name: 'zupełnie inny' })]);
await importRecords(db, 'legit', [makeRecord({ ...renamed, name: 'zaufana osoba' })]);
await importRecords(db, 'legit', [makeRecord({ ...renamed, name: 'po zmianie' })]);
await updateIndexes(db);
const site = await startTestSite(db.path);

// That it has these keys and no others is in openapi.test.ts.
it.each([
  [KUPSKIN, 'reported', 'scammers', ['scammers']],
  [LIS, 'trusted', 'legit', ['legit']],
  [NOBODY, 'unknown', null, []],
  // Verified as a server, on the risk list as a person, and trusted: the trusted entry is left out.
  [BOTH, 'reported', 'servers', ['servers', 'scammers']],
])('decides by the ID alone: %s is %s', async (id, verdict, list, lists) => {
  const entries = lists.map((kind) => ({ id, list: kind }));
  expect(await ask({ id })).toMatchObject({ verdict, list, entries, lookAlikes: [], warnings: [] });
  expect((await ask({ id, name: 'Lis_Posrednik' })).verdict).toBe(verdict);
});

it('calls a name alone unknown, whatever list has it', async () => {
  const body = await ask({ name: 'kupskin_24' });
  expect(body).toMatchObject({ verdict: 'unknown', list: null, entries: [] });
  expect(body.warnings).toEqual(['looks_like_reported']);
});

it.each<[asked: Record<string, string>, seen: readonly string[]]>([
  [{ name: '@kupskin_24#0001' }, ['kupskin_24 same_name']],
  // Trusted entries come first, then reported ones.
  [{ name: 'Iis_posrednik', id: NOBODY }, ['Lis_Posrednik same_shape', 'Lis_Posrednlk same_shape']],
  // An entry is no look-alike of itself.
  [{ id: LIS, name: 'Lis_Posrednik' }, ['Lis_Posrednlk same_shape']],
  // Letters of other scripts may be on either side.
  [{ name: 'admin_pomoc' }, ['аdmin_pоmoc same_shape']],
  // A word around a trusted name, but around no other.
  [{ name: 'lis_posrednik_pomoc', id: NOBODY }, ['Lis_Posrednik affix']],
  [{ name: 'kupskin_24_pomoc' }, []],
  // Names of nothing that is compared.
  [{ name: '😀🎉'.repeat(50) }, []],
  [{ name: '@' }, []],
  [{ name: '#0001' }, []],
  // A name that a reported entry had before, equal but for case and diacritics; none of a trusted one.
  [{ name: 'Dawny_Nićk' }, ['zupełnie inny former_name']],
  [{ name: 'dawny_nick', id: RENAMED }, []],
  [{ name: 'zaufana osoba' }, []],
  // A name of more than twenty reported entries warns only of the same name.
  [{ name: 'pan_tłum' }, []],
  // A trusted name is always watched, however many look like it.
  [{ name: 'pośrednjctwo' }, ['posrednlctwo one_edit']],
  // A report stands for the trusted entry of its ID, under whatever name.
  [{ name: 'po zmianie' }, ['zupełnie inny same_name']],
  [{ name: 'po zmianie_pomoc', id: NOBODY }, ['zupełnie inny affix']],
  [{ name: 'dwie listy', id: NOBODY }, ['Dwie listy same_name', 'Dwie listy same_name']],
])('finds what looks like %j: %j', async (asked, expected) => {
  expect(await seen(asked)).toEqual(expected);
});

it('finds at most twenty of a name, trusted ones first', async () => {
  expect(await seen({ name: 'PAN TŁUM' })).toEqual(Array(20).fill(expect.stringMatching(/same_name$/)));
  expect((await seen({ name: 'pośrednictwo' }))[0]).toBe('posrednlctwo same_shape');
});

it('follows a change at once by ID, and by name when the worker has followed', async () => {
  const id = '1100000000000000077';
  expect((await ask({ id })).verdict).toBe('unknown');
  const before = (await ask({ id })).dataAt;
  await importRecords(db, 'legit', [makeRecord({ id, name: 'Nowy_Zaufany', reportedAt: NOW })], NOW + 60_000);
  await setTimeout(20);
  const after = await ask({ id });
  expect(after).toMatchObject({
    verdict: 'trusted',
    entries: [{ reportedAt: new Date(NOW).toISOString() }],
  });
  expect(after.dataAt).not.toBe(before);
  expect((await ask({ name: 'N0wy Zaufany' })).dataAt).toBe(before);
  await updateIndexes(db);
  await setTimeout(20);
  expect((await ask({ name: 'N0wy Zaufany' })).dataAt).toBe(after.dataAt);
  expect(await seen({ name: 'N0wy Zaufany' })).toEqual(['Nowy_Zaufany same_shape']);
  await importRecords(db, 'legit', [makeRecord({ id, name: 'Inny_nick' })], NOW + 61_000);
  await setTimeout(20);
  expect(await seen({ name: 'N0wy Zaufany' }), 'renamed, not followed yet').toEqual([]);
});

it('answers by ID without the orders of the lists', async () => {
  const damaged = await makeLists({ scammers: [{ id: KUPSKIN, name: 'kupskin_24' }] });
  damaged.write((tx) => setProperty(tx, 'list_indexes', 'no JSON'));
  const bare = await startTestSite(damaged.path);
  const paths = ['verdict?id', 'verdicts?ids', 'check?id', 'scammers?id'];
  const statuses = paths.map(async (path) => (await bare.get(`/api/${path}=${KUPSKIN}`)).status);
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 200]);
  expect((await bare.get('/api/scammers')).status, 'orders that cannot be read').toBe(500);
});

describe('/api/verdicts', () => {
  const askAll = (ids: readonly string[]): Promise<VerdictsResponse> =>
    site.json<VerdictsResponse>(`/api/verdicts?ids=${ids.map(encodeURIComponent).join()}`);

  it('answers each ID once', async () => {
    const body = await askAll([KUPSKIN, LIS, NOBODY, BOTH, RISK, KUPSKIN]);
    const listed = { account: 'own', accountSince: null, reportId: REPORT_ID, appeal: null, warnings: [] };
    expect(body.verdicts).toEqual({
      [KUPSKIN]: { verdict: 'reported', list: 'scammers', ...listed },
      [LIS]: { verdict: 'trusted', list: 'legit', ...listed },
      [NOBODY]: { verdict: 'unknown', list: null, ...listed, account: null, reportId: null },
      [BOTH]: { verdict: 'reported', list: 'servers', ...listed },
      [RISK]: { verdict: 'risk', list: 'scammers', ...listed },
    });
    expect(body.dataAt).toBe((await ask({ id: LIS })).dataAt);
  });

  it('takes an ID in the spellings that the field on the page takes', async () => {
    const id = `https://chat.example/users/${KUPSKIN}.`;
    expect(await ask({ id })).toMatchObject({ verdict: 'reported', warnings: [] });
    expect((await askAll([id, NOBODY])).verdicts[id]).toMatchObject({ verdict: 'reported' });
    // SPEC 4.1 and 4.2: exact.
    for (const path of ['check', 'scammers'])
      expect((await site.get(`/api/${path}?id=${encodeURIComponent(id)}`)).text).not.toContain(KUPSKIN);
  });

  it('warns of an ID that lost digits, or is none, as the verdict of one does', async () => {
    const ids = ['1572250755006587400', 'undefined', '1572250755006587456'];
    const { verdicts } = await askAll(ids);
    for (const id of ids) expect(verdicts[id]?.warnings, id).toEqual((await ask({ id })).warnings);
    const warnings = [['id_rounded'], ['id_malformed'], []];
    expect(ids.map((id) => verdicts[id]?.warnings)).toEqual(warnings);
  });

  it('takes __proto__ for an ID like any other', async () => {
    const { text } = await site.get('/api/verdicts?ids=__proto__,constructor');
    expect(text).toMatch(/^\{"verdicts":\{"__proto__":\{"verdict":"reported",/);
    expect(text).toContain('"constructor":{"verdict":"unknown",');
  });
});
