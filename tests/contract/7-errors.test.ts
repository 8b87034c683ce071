/** Methods, paths, HEAD, 304 and 429 are in journeys/wire. */
import { describe, expect, it } from 'vitest';
import { assertError } from '../support/assert-error.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

describe('7 errors', () => {
  it('answers 500 with the fixed sentence when the database fails, and 200 once it is back', async () => {
    const db = await makeDatabase();
    await importRecords(db, 'scammers', [makeRecord({ name: 'Abc' })]);
    const own = await startTestSite(db.path);
    db.connection.exec('ALTER TABLE contents RENAME TO gone');
    for (const path of ['/api/scammers', '/api/check?search=abc']) {
      const answer = await own.get(path);
      assertError(answer, 500, 'Błąd podczas pobierania danych.');
      expect(answer.headers['ratelimit-limit']).toBe('1000');
    }
    db.connection.exec('ALTER TABLE gone RENAME TO contents');
    expect((await own.get('/api/scammers')).status).toBe(200);
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
        const { headers } = await own.get(path, {
          method: 'HEAD',
          headers: { 'X-Forwarded-For': '203.0.113.9' },
        });
        left.push(headers['ratelimit-remaining']);
      }
      expect(left, paths.join()).toEqual(paths.map((_path, at) => String(limit - 1 - at)));
    }
  });
});
