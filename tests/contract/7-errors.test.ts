/** SPEC 7 and 8. Methods, paths, HEAD, 304 and 429 are in journeys/wire. */
import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '#src/components/layout/errors-texts.ts';
import { errorText } from '#src/http/response.ts';
import { createSearchPool } from '#src/search/search-pool.ts';
import { assertError } from '../support/assert-error.ts';
import { makeLists } from '../support/make-entries.ts';
import { plain, textOf } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const CLIENT = { 'X-Forwarded-For': '203.0.113.9' };

it('answers 500 with fixed sentences while the database fails, and 200 afterwards', async () => {
  const db = await makeLists({ scammers: [{ name: 'Abc' }] });
  const site = await startTestSite(db.path);
  // The log too: without a change, lists would be found in the orders in memory.
  const tables = ['entries', 'published', 'changes'];
  for (const table of tables) db.connection.exec(`ALTER TABLE ${table} RENAME TO ${table}_gone`);
  for (const path of ['/api/scammers', '/api/check?search=abc']) {
    const answer = await site.get(path);
    assertError(answer, 500, 'Błąd podczas pobierania danych.');
    expect(answer.headers['ratelimit-limit']).toBe('1000');
  }
  for (const path of ['/', '/?search=kupskin', '/scammers', '/legit?id=280864204968068869']) {
    const { status, text } = await site.get(path);
    expect(status, path).toBe(500);
    for (const words of [ERRORS.internal.title, ERRORS.internal.text, ERRORS.notResult])
      expect(textOf(text)).toContain(plain(words));
    expect(textOf(text)).toMatch(/Kod błędu: [0-9a-f]{8}/);
    expect(text).not.toContain('class="answer"');
  }
  for (const path of ['/odwolania', '/pomoc', '/docs']) expect((await site.get(path)).status, path).toBe(200);
  expect((await site.get('/nie-ma-takiej')).status).toBe(404);
  for (const table of tables) db.connection.exec(`ALTER TABLE ${table}_gone RENAME TO ${table}`);
  expect((await site.get('/api/scammers')).status).toBe(200);
});

it('8 lists and check share one bucket, status and donation another, and each other kind has its own', async () => {
  const own = await startTestSite((await makeDatabase()).path, { TRUST_PROXY: 'loopback' });
  const kinds: readonly (readonly [limit: number, ...paths: string[]])[] = [
    [1000, '/api/scammers', '/api/servers', '/api/legit', '/api/check?id=1'],
    [30, '/api/status', '/api/donate/status'],
    [1000, '/api/verdict?id=1', '/api/verdicts?ids=1'],
    [1000, '/api/changes', '/api/changes/events'],
    [1000, '/feeds/legit.atom', '/status/incidents.atom'],
    [1000, '/badge/status.svg'],
    [1000, '/api/status/history?id=database'],
    [1000, `/proofs/images/${'0'.repeat(64)}.webp`],
    [1000, '/api/chat/avatar/80351110224678912'],
    [1000, '/snapshots/manifest.json', '/snapshots/legit/x'],
    [1000, '/', '/openapi.json', '/nowhere', '/robots.txt'],
    [30, '/healthz', '/readyz'],
  ];
  for (const [limit, ...paths] of kinds) {
    const left = [];
    for (const path of paths) {
      // The stream of changes ends at once.
      const { headers } = await own.get(path, { method: 'HEAD', headers: CLIENT });
      left.push(headers['ratelimit-remaining']);
    }
    expect(left, paths.join()).toEqual(paths.map((_path, at) => String(limit - 1 - at)));
  }
});

describe('searches', () => {
  it('get 503 with the seconds to wait until search.db exists, and nothing else does', async () => {
    const db = await makeLists({ scammers: [{ name: 'kupskin' }] });
    const site = await startTestSite(db.path);
    const answer = await site.get('/api/scammers?search=kupskin');
    assertError(answer, 503, errorText('overloaded', { seconds: 5 }));
    expect(answer.headers['retry-after']).toBe('5');
    for (const path of ['/api/check?search=kupskin', '/api/scammers', '/feeds/scammers.atom'])
      expect((await site.get(path)).text, path).toContain('kupskin');
  });

  it('get 503, the page too, while their address has sixteen under way, and an answer from another address', async () => {
    const { path } = await makeDatabase();
    const threadFile = new URL('../support/search-process.ts', import.meta.url);
    const searches = createSearchPool({ databasePath: path, threadFile, onTrouble: () => {} });
    const site = await startTestSite(path, {}, { searches });
    const ask = (skip: number, from: string) => site.get(`/api/scammers?search=stay&skip=${skip}`, { from });
    const served = Array.from({ length: 16 }, (_, skip) => ask(skip, '127.0.0.2'));
    await expect.poll(() => searches.load).toBe(16);
    assertError(await ask(16, '127.0.0.2'), 503, errorText('overloaded', { seconds: 1 }));
    const page = await site.get('/scammers?search=a%C5%BC', { from: '127.0.0.2' });
    expect(page.status).toBe(503);
    expect(page.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
    for (const words of [ERRORS.overloaded.title('1'), 'value="aż"', ERRORS.notResult])
      expect(page.text).toContain(words);
    served.push(ask(17, '127.0.0.3'));
    await expect.poll(() => searches.load).toBe(17);
    writeFileSync(`${path}.finish`, '');
    for (const { status } of await Promise.all(served)) expect(status).toBe(200);
    await searches.close();
  });
});

const small = await startTestSite((await makeDatabase()).path);

describe('an error for programs', () => {
  it.each([
    ['/api/nope', 'not_found'],
    ['/api/scammers?limit=61', 'invalid_parameter'],
    ['/api/chat/avatar/%zz', 'bad_request'],
  ])('names the code of an error in a header that other sites may read: %s', async (path, code) => {
    const { headers } = await small.get(path);
    expect(headers['x-error-code']).toBe(code);
    expect(headers['access-control-expose-headers']).toContain('X-Error-Code');
  });

  it.each(['/api/chat/avatar/%zz', '/badge/%zz.svg', '/%zz'])('8 counts the broken %s', async (path) => {
    const answer = await small.get(path);
    assertError(answer, 400, errorText('bad_request'));
    expect(answer.headers['ratelimit-limit']).toBe('1000');
  });
});
