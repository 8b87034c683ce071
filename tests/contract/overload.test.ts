/** More searches than the service takes on (SPEC section 7 has no words for it). */
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { createSearchPool, type SearchPool } from '#src/search/search-pool.ts';
import { errorText } from '#src/http/errors.ts';
import { ERRORS } from '../../src/components/layout/errors-texts.ts';
import { assertError } from '../support/assert-error.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';

const SENTENCE = errorText('overloaded', { seconds: 1 });

describe('a service that has no search.db yet', () => {
  it('refuses searches, says when to come again, and answers everything else', async () => {
    const db = await makeDatabase();
    await importRecords(db, 'scammers', [makeRecord({ name: 'kupskin' })]);
    const site = await startTestSite(db.path);
    const answer = await site.get('/api/scammers?search=kupskin');
    assertError(answer, 503, errorText('overloaded', { seconds: 5 }));
    expect(answer.headers['retry-after']).toBe('5');
    for (const path of ['/api/check?search=kupskin', '/api/scammers', '/feeds/scammers.atom'])
      expect((await site.get(path)).text, path).toContain('kupskin');
  });
});

describe('a service whose search thread is busy with one address', () => {
  const [BUSY, ...OTHERS] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
  let searches: SearchPool;
  let site: TestSite;
  let leave: () => void;

  const waitForLoad = (load: number) => expect.poll(() => searches.load).toBe(load);

  beforeEach(async () => {
    const db = await makeDatabase();
    searches = createSearchPool({
      databasePath: db.path,
      slotsMax: 3,
      threadFile: new URL('../support/search-process.ts', import.meta.url),
      onTrouble: () => {},
    });
    site = await startTestSite(db.path, {}, { searches });
    get({ port: site.port, path: '/api/legit?search=stay', localAddress: BUSY }).on('error', () => {});
    leave = () => writeFileSync(`${db.path}.finish`, '');
    await waitForLoad(1);
    return async () => {
      leave();
      await searches.close();
    };
  });

  it('refuses the latest searches of that address when all places are taken, and serves others', async () => {
    const second = site.get('/api/scammers?search=a', { from: BUSY });
    await waitForLoad(2);
    const third = site.get('/scammers?search=a%C5%BC', { from: BUSY });
    await waitForLoad(3);
    const served = [site.get('/api/scammers?search=abc', { from: OTHERS[0] })];
    const page = await third;
    expect(page.status).toBe(503);
    expect(page.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
    expect(page.text).toContain(ERRORS.overloaded.title('1'));
    expect(page.text).toContain('value="aż"');
    expect(page.text).toContain(ERRORS.notResult);
    served.push(site.get('/api/servers?search=ab', { from: OTHERS[1] }));
    const answer = await second;
    assertError(answer, 503, SENTENCE);
    expect(answer.headers['retry-after']).toBe('1');
    leave();
    expect((await Promise.all(served)).map(({ status }) => status)).toEqual([200, 200]);
  });
});
