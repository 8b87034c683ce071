/** A hijacked account is not guilty, and no warning about it goes: SPEC's bodies, verdicts, lists, changes, snapshots. */
import { expect, it } from 'vitest';
import type { ChangesPage } from '#src/entries/mirror-schema.ts';
import type { VerdictResponse, VerdictsResponse } from '#src/entries/verdict-schema.ts';
import { createPrefixPublisher } from '#src/entries/snapshots/publish-prefixes.ts';
import { importRecords, makeLists, makeRecord } from '../support/make-entries.ts';
import { removeEntry } from '../support/change-log.ts';
import { startTestSite } from '../support/test-site.ts';
import { updateIndexes } from '../support/update-indexes.ts';

const SINCE = '2026-01-02T03:04:05.000Z';
const idOf = (last: number): string => `28086420496806886${last}`;
const [STOP, RISK, TRUSTED, BOTH, WELL] = [idOf(0), idOf(1), idOf(2), idOf(3), idOf(4)];
/** Hijacked from the beginning. */
const TAKEN = idOf(5);
const HIJACKED = { account: 'hijacked', accountSince: SINCE } as const;
const record = (id: string, facts: object = {}) => makeRecord({ id, reportId: `R-${id}`, ...facts });

const reported = (facts: object = {}) => [
  record(STOP, facts),
  record(RISK, { verified: false, ...facts }),
  record(BOTH, facts),
];
const trusted = (facts: object = {}) => [
  record(TRUSTED, { name: 'zaufana.ola', ...facts }),
  record(BOTH, { reportId: 'R-B', ...facts }),
];
const flag = async (facts: object): Promise<void> => {
  await importRecords(db, 'scammers', reported(facts));
  await importRecords(db, 'legit', trusted(facts));
  await updateIndexes(db);
};
const db = await makeLists({
  scammers: reported(),
  legit: [...trusted(), record(WELL), record(TAKEN, { name: 'szop.grafik', ...HIJACKED })],
});
await updateIndexes(db);
const site = await startTestSite(db.path);
const TWICE = idOf(6);
const ids = [STOP, RISK, TRUSTED, BOTH, WELL, idOf(9)];
const read = async () => {
  const count = async (path: string): Promise<number> => {
    const { total, results } = await site.json<{ total?: number; results: object[] }>(`/api/${path}`);
    return total ?? results.length;
  };
  const listed = ['', '?status=verified'].map((query) => `scammers${query}`);
  const trusted = ['', `?id=${TRUSTED}`, '?search=zaufana'].map((query) => `legit${query}`);
  const checked = [`id=${TRUSTED}`, 'search=zaufana.ola', `id=${STOP}`].map((query) => `check?${query}`);
  const { verdicts } = await site.json<VerdictsResponse>(`/api/verdicts?ids=${ids.join()}`);
  const feed = (await site.get('/feeds/legit.atom')).text;
  return {
    counts: await Promise.all([...listed, ...trusted, ...checked].map(count)),
    verdicts: Object.values(verdicts).map((one) => [one.verdict, one.list, one.account, one.accountSince]),
    isInFeed: feed.includes(`R-${TRUSTED}`),
  };
};

const OWN = {
  counts: [3, 2, 3, 1, 1, 1, 1, 1],
  verdicts: [
    ['reported', 'scammers', 'own', null],
    ['risk', 'scammers', 'own', null],
    ['trusted', 'legit', 'own', null],
    ['reported', 'scammers', 'own', null],
    ['trusted', 'legit', 'own', null],
    ['unknown', null, null, null],
  ],
  isInFeed: true,
};

it('keeps verdict, filters and totals where it is reported, and loses the trust where it was trusted', async () => {
  expect(await read()).toEqual(OWN);
  await flag(HIJACKED);
  expect(await read()).toEqual({
    counts: [3, 2, 1, 0, 0, 0, 0, 1],
    verdicts: [
      ['reported', 'scammers', 'hijacked', SINCE],
      ['risk', 'scammers', 'hijacked', SINCE],
      ['risk', 'legit', 'hijacked', SINCE],
      ['reported', 'scammers', 'hijacked', SINCE],
      ['trusted', 'legit', 'own', null],
      ['unknown', null, null, null],
    ],
    isInFeed: false,
  });
  const shown = { list: 'legit', account: 'hijacked', accountSince: SINCE };
  expect(await site.json<VerdictResponse>(`/api/verdict?id=${TRUSTED}`)).toMatchObject({
    ...{ verdict: 'risk', ...shown },
    entries: [{ id: TRUSTED, verified: false, ...shown }],
  });
  const spec = await site.json<{ data: object[] }>(`/api/scammers?id=${STOP}`);
  expect(Object.keys(spec.data[0] ?? {})).not.toContain('account');
});

it('still warns of nicks like its own', async () => {
  const { warnings, lookAlikes } = await site.json<VerdictResponse>('/api/verdict?name=zaufana.oIa');
  expect([warnings, lookAlikes]).toMatchObject([
    ['looks_like_trusted'],
    [{ verdict: 'risk', list: 'legit', account: 'hijacked', id: TRUSTED }],
  ]);
});

it('is untrusted in changes too, and no prefix of a warning', async () => {
  const { changes } = await site.json<ChangesPage>('/api/changes?limit=500');
  const last = changes.find((change) => 'entry' in change && change.entry.id === TRUSTED);
  expect(last).toMatchObject({ op: 'updated', entry: { verified: false, ...HIJACKED } });
  await createPrefixPublisher(db).publish();
  expect((await site.get('/snapshots/prefixes')).headers['content-length']).toBe('24');
});

it('is shown as the victim’s: by ID, and by a nick that the check does not find', async () => {
  const read = async (path: string): Promise<string> => (await site.get(path)).text;
  for (const path of [`/?search=${STOP}`, `/wpis/R-${TAKEN}`]) {
    const page = await read(path);
    expect(page).toMatch(/<section class="answer" data-role="victim" data-by="id"/);
    for (const part of ['To konto ktoś przejął', 'Nie wysyłaj pieniędzy', 'To nie Twoja wina', 'Powód'])
      expect(page, path).toContain(part);
    expect(page).toContain(`<meta property="og:title" content="To konto ktoś przejął">`);
    expect(page).toMatch(/<meta property="og:image" content="[^"]*\/link-card-taken.png">/);
  }
  expect(await read('/?search=szop.grafik')).toMatch(/<h1[^>]*>\s*Konto\so\stym\snicku\sktoś\sprzejął/);
  expect(await read('/?search=szop.grafiik')).toMatch(/class="stage"[^]*data-role="victim"/);
  expect(await read('/scammers')).toContain('Konto przejęte');
  expect(await read('/feeds/scammers.atom')).toContain('<title>Konto przejęte: ');
  expect(await read('/legit')).not.toContain(TAKEN);
});

it('is as before when its owner has it again, and a removal says so', async () => {
  await flag({ account: 'own' });
  expect(await read()).toEqual(OWN);
  removeEntry(db, 'scammers', STOP, 'recovered', Date.now());
  const { changes } = await site.json<ChangesPage>('/api/changes?limit=500');
  expect(changes.at(-1)).toMatchObject({ op: 'removed', tombstone: { reasonCode: 'recovered' } });
  const page = await site.get(`/wpis/R-${STOP}`);
  expect([page.status, page.text]).toEqual([410, expect.stringContaining('właściciel odzyskał konto')]);
});

it('says of a server that it is one, by its number and in its link card too', async () => {
  await importRecords(db, 'servers', [record(idOf(7), { reportId: 'R-C', ...HIJACKED })]);
  const { text } = await site.get(`/?search=${idOf(7)}`);
  expect(text).toMatch(
    /og:description" content="[^"]*Rządzi nim ktoś inny niż właściciel\. Nie wysyłaj pieniędzy\./,
  );
});

it('shows the takeover of a trusted account beside a report, and not as trust', async () => {
  await importRecords(db, 'scammers', [record(TAKEN, { reportId: 'R-D' })]);
  const { text } = await site.get(`/?search=${TAKEN}`);
  expect(text).toMatch(
    /data-role="stop" data-by="id"[^]*Inne\swpisy\sz\stym\sID[^]*szop\.grafik[^]*Konto przejęte/,
  );
  expect(text).not.toContain('jest też na liście zaufanych');
});

it('decides between two lists as the verdict of the API does', async () => {
  await importRecords(db, 'servers', [record(TWICE)]);
  await importRecords(db, 'scammers', [record(TWICE, { reportId: 'R-TWICE', ...HIJACKED })]);
  const { list, account } = await site.json<VerdictResponse>(`/api/verdict?id=${TWICE}`);
  expect([list, account]).toEqual(['scammers', 'hijacked']);
  expect((await site.get(`/?search=${TWICE}`)).text).toContain('data-role="victim" data-by="id"');
});
