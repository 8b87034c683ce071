/** The snapshots as clients get them; headers and 304 are in openapi.test.ts. */
import { describe, expect, it } from 'vitest';
import type { Manifest, ManifestChunk } from '#src/entries/snapshots/manifest.ts';
import { errorText } from '#src/http/errors.ts';
import { removeEntry } from '../support/change-log.ts';
import { assertError } from '../support/assert-error.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { createPublisher } from '../support/publish.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const MANIFEST = '/snapshots/manifest.json';
const GONE = errorText('snapshot_gone', { manifest: `https://czujka.example${MANIFEST}` });

describe('the snapshots', async () => {
  const removable = makeRecord();

  const db = await makeDatabase();
  const publisher = createPublisher(db);
  const site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example' });
  expect((await site.get(MANIFEST)).status).toBe(404);
  await importRecords(db, 'scammers', [removable, ...Array.from({ length: 30 }, () => makeRecord())]);
  await publisher.publish();

  const chunk = async (): Promise<ManifestChunk> => {
    const [first] = (await site.json<Manifest>(MANIFEST)).lists.scammers.chunks;
    if (!first) throw new Error('there is no chunk');
    return first;
  };

  it('answer 404 at other addresses', async () => {
    const { path } = await chunk();
    for (const wrong of [
      path.replace('scammers', 'nobody'),
      path.replace('.json', '.txt'),
      '/snapshots/scammers/manifest.json',
      '/snapshots/scammers/..%2f..%2fczujka.db',
      `/snapshots/scammers/h-${'A'.repeat(64)}.json`,
      `/snapshots/scammers/-${'0'.repeat(64)}.json`,
      `/snapshots/scammers/h-${'0'.repeat(63)}.json`,
    ])
      expect([wrong, (await site.get(wrong)).status]).toEqual([wrong, 404]);
  });

  it('keep the old chunk after a change, and answer 410 for chunks that held a removed entry', async () => {
    const old = await chunk();
    await importRecords(db, 'scammers', [{ ...removable, name: 'inaczej' }]);
    await publisher.publish();
    const changed = await chunk();
    expect(changed.path).not.toBe(old.path);
    for (const { path } of [old, changed]) expect((await site.get(path)).status).toBe(200);
    removeEntry(db, 'scammers', removable.id, 'request', Date.now());
    await publisher.publish();
    for (const { path } of [old, changed]) {
      for (const encoding of ['identity', 'br', 'gzip']) {
        const headers = { 'Accept-Encoding': encoding };
        assertError(await site.get(path, { headers }), 410, GONE);
      }
    }
    const { text } = await site.get((await chunk()).path);
    expect(text).not.toContain(removable.id);
  });

  it('get 503 while a removal waits for its publication for more than a minute', async () => {
    const longAgo = Date.now() - 61_000;
    const record = makeRecord();
    await importRecords(db, 'scammers', [record], longAgo);
    const { path } = await chunk();
    expect((await site.get(MANIFEST)).status).toBe(200);
    removeEntry(db, 'scammers', record.id, 'request', longAgo);
    for (const refused of [MANIFEST, path]) {
      const answer = await site.get(refused);
      assertError(answer, 503, errorText('snapshots_remade', { seconds: 10 }));
      expect(answer.headers['retry-after']).toBe('10');
    }
    await publisher.publish();
    expect((await site.get(MANIFEST)).status).toBe(200);
    await importRecords(db, 'scammers', [record]);
    removeEntry(db, 'scammers', record.id, 'request', Date.now());
    expect((await site.get(MANIFEST)).status).toBe(200);
  });
});
