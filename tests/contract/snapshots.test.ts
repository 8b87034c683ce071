/** The snapshots as clients get them: headers, compressed forms, refusals. */
import { beforeAll, describe, expect, it } from 'vitest';
import { renewHistory } from '#src/changes/log-head.ts';
import type { Database } from '#src/db/database.ts';
import type { Manifest, ManifestChunk } from '#src/entries/snapshots/manifest.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { errorText } from '#src/http/errors.ts';
import { assertError } from '../support/assert-error.ts';
import { importRecords, makeRecord } from '../support/make-entries.ts';
import { createPublisher, type Publisher } from '../support/publish.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';

const MANIFEST = '/snapshots/manifest.json';
const GONE = errorText('snapshot_gone', { manifest: `https://czujka.example${MANIFEST}` });

describe('the snapshots', () => {
  let db: Database;
  let publisher: Publisher;
  let site: TestSite;
  const removable = makeRecord();

  beforeAll(async () => {
    db = await makeDatabase();
    publisher = createPublisher(db);
    site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example' });
    expect((await site.get(MANIFEST)).status).toBe(404);
    await importRecords(db, 'scammers', [removable, ...Array.from({ length: 30 }, () => makeRecord())]);
    await publisher.publish();
  });

  const chunk = async (): Promise<ManifestChunk> => {
    const [first] = (await site.json<Manifest>(MANIFEST)).lists.scammers.chunks;
    if (!first) throw new Error('there is no chunk');
    return first;
  };

  it.each([
    // A manifest of small lists fits one packet.
    ['the manifest', () => Promise.resolve(MANIFEST), 'public, no-cache', []],
    ['a chunk', async () => (await chunk()).path, 'public, max-age=3600', ['br', 'gzip']],
  ])(
    '%s has the headers of the API, and forms with tags of their own',
    async (_, pathOf, cache, encodings) => {
      const path = await pathOf();
      const plain = await site.get(path);
      expect(plain.status).toBe(200);
      expect(plain.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'cache-control': cache,
        'ratelimit-limit': '1000',
        vary: 'Accept-Encoding',
      });
      expect(plain.headers['content-encoding']).toBeUndefined();
      const tags = new Set([plain.headers.etag]);
      for (const encoding of encodings) {
        const answer = await fetch(site.origin + path, { headers: { 'Accept-Encoding': encoding } });
        expect(answer.headers.get('content-encoding')).toBe(encoding);
        expect(answer.headers.get('vary')).toBe('Accept-Encoding');
        expect(await answer.text()).toBe(plain.text);
        const tag = String(answer.headers.get('etag'));
        tags.add(tag);
        const again = await site.get(path, {
          headers: { 'Accept-Encoding': encoding, 'If-None-Match': tag },
        });
        expect(again.status).toBe(304);
        expect(again.text).toBe('');
      }
      expect(tags.size).toBe(1 + encodings.length);
    },
  );

  it('answer 404 for what is no address of theirs', async () => {
    const { path } = await chunk();
    for (const wrong of [
      path.replace('scammers', 'nobody'),
      path.replace('.json', '.txt'),
      `${path}.br`,
      '/snapshots/scammers/manifest.json',
      '/snapshots/scammers/..%2f..%2fczujka.db',
      `/snapshots/scammers/h-${'A'.repeat(64)}.json`,
    ]) {
      expect([wrong, (await site.get(wrong)).status]).toEqual([wrong, 404]);
    }
    assertError(await site.get(path.replace('scammers', 'nobody')), 404, 'Nie znaleziono');
  });

  it.each(['h', 'hf00', 'all', '0110'])('answer 410 for a chunk %s that is not there', async (digits) => {
    assertError(await site.get(`/snapshots/scammers/${digits}-${'0'.repeat(64)}.json`), 410, GONE);
  });

  it('keep the old chunk after a change, and answer 410 for all that held a removed entry', async () => {
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

  it('are not offered while a removal has not been published for a minute', async () => {
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

  it('are not offered while they are of the lists before a restored backup', async () => {
    renewHistory(db);
    for (const encoding of ['identity', 'br']) {
      const answer = await site.get(MANIFEST, { headers: { 'Accept-Encoding': encoding } });
      assertError(answer, 503, errorText('snapshots_remade', { seconds: 10 }));
      expect(answer.headers['retry-after']).toBe('10');
    }
    await publisher.publish();
    const { cursor } = await site.json<Manifest>(MANIFEST);
    expect((await site.get(`/api/changes?since=${cursor}`)).status).toBe(200);
  });
});
