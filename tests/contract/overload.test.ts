/** More searches than the service takes on (SPEC section 7 has no words for it). */
import { get } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorText } from '#src/http/errors.ts';
import { createSearchPool } from '#src/serving/search-pool.ts';
import { ERRORS } from '../../src/components/texts/errors.ts';
import { assertError } from '../support/assert-error.ts';
import { keepServing } from '../support/keep-serving.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

const SENTENCE = errorText('overloaded', { seconds: 1 });

describe('a service whose queue of searches is full', () => {
  let site: TestSite;

  beforeAll(async () => {
    const db = await makeDatabase();
    await importRecords(db, 'scammers', [makeRecord({ id: '7', name: 'Żółw' })]);
    keepServing(db);
    const searches = createSearchPool({ databasePath: db.path, placesMax: 0, onThreadEnd: () => {} });
    site = await startTestSite(db.path, {}, { searches });
  });

  it('refuses a search in the error form', async () => {
    const answer = await site.get('/api/scammers?search=a');
    assertError(answer, 503, SENTENCE);
    expect(answer.headers['retry-after']).toBe('1');
    expect(answer.headers['ratelimit-limit']).toBe('1000');
  });

  it('goes on answering what is no search', async () => {
    for (const path of ['/api/scammers', '/api/scammers?id=7&search=a', '/api/check?id=7', '/scammers']) {
      expect((await site.get(path)).status, path).toBe(200);
    }
  });

  it('keeps the form on the page', async () => {
    const answer = await site.get('/scammers?search=a%C5%BC');
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
    expect(answer.text).toContain(SENTENCE);
    expect(answer.text).toContain('value="aż"');
    expect(answer.text).toContain(ERRORS.rateLimited.notResult);
    // Nothing that could be read as a result.
    expect(answer.text).not.toMatch(/0 wpisów|Brak wpisów/);
  });
});

describe('a service whose places for searches all belong to one address', () => {
  const [GREEDY, ...OTHERS] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];

  it('refuses the latest searches of that address, and serves another address', async () => {
    const db = await makeDatabase();
    const searches = createSearchPool({
      databasePath: db.path,
      placesMax: 3,
      threadFile: new URL('../support/search-process.ts', import.meta.url),
      onThreadEnd: () => {},
    });
    const site = await startTestSite(db.path, {}, { searches });
    const isLoad = (load: number) => expect.poll(() => searches.load).toBe(load);
    const staying = get({ port: site.port, path: '/api/legit?search=stay', localAddress: GREEDY });
    staying.on('error', () => {});
    await isLoad(1);
    const second = site.get('/api/scammers?search=a', { from: GREEDY });
    await isLoad(2);
    const third = site.get('/scammers?search=a%C5%BC', { from: GREEDY });
    await isLoad(3);

    const served = [site.get('/api/scammers?search=abc', { from: OTHERS[0] })];
    const page = await third;
    expect(page.status).toBe(503);
    expect(page.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
    expect(page.text).toContain(SENTENCE);
    expect(page.text).toContain('value="aż"');
    served.push(site.get('/api/servers?search=ab', { from: OTHERS[1] }));
    const answer = await second;
    assertError(answer, 503, SENTENCE);
    expect(answer.headers['retry-after']).toBe('1');

    staying.socket?.resetAndDestroy();
    expect((await Promise.all(served)).map(({ status }) => status)).toEqual([200, 200]);
    await searches.close();
  });
});
