/** The snapshots as clients get them; headers and 304 are in openapi.test.ts. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Manifest, ManifestChunk } from '#src/entries/snapshots/manifest.ts';
import { changeEntry } from '#src/entries/write-entry.ts';
import { createPrefixPublisher } from '#src/entries/snapshots/publish-prefixes.ts';
import { errorText } from '#src/http/response.ts';
import { removeEntry } from '../support/change-log.ts';
import { assertError } from '../support/assert-error.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { publish } from '../support/publish.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const MANIFEST = '/snapshots/manifest.json';
const GONE = errorText('snapshot_gone', { manifest: `https://czujka.example${MANIFEST}` });

describe('the snapshots', async () => {
  const removable = makeRecord();

  const db = await makeDatabase();
  const site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example' });
  expect((await site.get(MANIFEST)).status).toBe(404);
  await importRecords(db, 'scammers', [removable, ...Array.from({ length: 30 }, () => makeRecord())]);
  await publish(db);

  const chunk = async () => (await site.json<Manifest>(MANIFEST)).lists.scammers.chunks[0] as ManifestChunk;

  it('answer 404 at other addresses', async () => {
    const { path } = await chunk();
    for (const wrong of [
      path.replace('scammers', 'nobody'),
      path.replace('.json', '.txt'),
      '/snapshots/scammers/..%2f..%2fczujka.db',
      `/snapshots/scammers/h-${'A'.repeat(64)}.json`,
      `/snapshots/scammers/h-${'0'.repeat(63)}.json`,
    ])
      expect([wrong, (await site.get(wrong)).status]).toEqual([wrong, 404]);
  });

  it('keep the old chunk after a change, and answer 410 for chunks that held a removed entry', async () => {
    const old = await chunk();
    await importRecords(db, 'scammers', [{ ...removable, name: 'inaczej' }]);
    await publish(db);
    const changed = await chunk();
    expect(changed.path).not.toBe(old.path);
    for (const { path } of [old, changed]) expect((await site.get(path)).status).toBe(200);
    removeEntry(db, 'scammers', removable.id, 'request', Date.now());
    await publish(db);
    for (const { path } of [old, changed]) {
      for (const encoding of ['identity', 'br', 'gzip']) {
        const headers = { 'Accept-Encoding': encoding };
        assertError(await site.get(path, { headers }), 410, GONE);
      }
    }
    const { text } = await site.get((await chunk()).path);
    expect(text).not.toContain(removable.id);
  });

  it('get 503 where their manifest does not say which changes they have', async () => {
    const { path } = await chunk();
    const file = join(dirname(db.path), 'snapshots', 'manifest.json');
    const manifest = readFileSync(file, 'utf8');
    writeFileSync(file, manifest.replace('"cursor"', '"place"'));
    for (const refused of [MANIFEST, path]) expect((await site.get(refused)).status).toBe(503);
    writeFileSync(file, manifest);
    expect((await site.get(path)).status).toBe(200);
  });

  it('get 503 while a removal or redaction waits for its publication for more than a minute', async () => {
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
    await publish(db);
    expect((await site.get(MANIFEST)).status).toBe(200);
    await importRecords(db, 'scammers', [record]);
    await changeEntry(db, 'scammers', record.id, { fields: { reason: 'bez danych' }, redacts: true }, {});
    expect((await site.get(MANIFEST)).status).toBe(200);
    db.statement('UPDATE removals SET at = at - 61_000').run();
    for (const refused of [MANIFEST, path]) expect((await site.get(refused)).status).toBe(503);
    await publish(db);
    removeEntry(db, 'scammers', record.id, 'request', Date.now());
    expect((await site.get(MANIFEST)).status).toBe(200);
  });
});

describe('the hash prefixes', async () => {
  const db = await makeDatabase();
  const prefixes = createPrefixPublisher(db);
  const site = await startTestSite(db.path);
  const read = async (): Promise<Set<number>> => {
    const answer = await fetch(`${site.origin}/snapshots/prefixes`);
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    const bytes = new DataView(await answer.arrayBuffer());
    const found = Array.from({ length: bytes.byteLength / 4 }, (_, at) => bytes.getUint32(at * 4));
    expect(found).toEqual(found.toSorted((one, other) => one - other));
    expect(new Set(found).size).toBe(found.length);
    return new Set(found);
  };
  const prefixOf = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE();

  it('are not there before they are made, and then empty for empty lists', async () => {
    assertError(await site.get('/snapshots/prefixes'), 503, errorText('snapshots_remade', { seconds: 10 }));
    await prefixes.publish();
    expect(await read()).toEqual(new Set());
  });

  it('hold every public ID of all lists, and of others no more than chance gives', async () => {
    const listed = Array.from({ length: 1_000 }, (_, at) => `15${String(at).padStart(16, '0')}`);
    const records = listed.map((id) => makeRecord({ id }));
    await importRecords(db, 'scammers', [...records.slice(0, 500), makeRecord({ id: 'żółw' })]);
    await importRecords(db, 'servers', records.slice(400, 700));
    await importRecords(db, 'legit', records.slice(700));
    await prefixes.publish();
    const found = await read();
    for (const id of [...listed, 'żółw']) expect(found.has(prefixOf(id)), id).toBe(true);
    const others = Array.from({ length: 100_000 }, (_, at) => prefixOf(`16${String(at).padStart(16, '0')}`));
    expect(others.filter((prefix) => found.has(prefix)).length).toBeLessThan(5);
  });

  it('lose a removed ID, and no other', async () => {
    const before = await read();
    removeEntry(db, 'scammers', 'żółw', 'appeal', NOW);
    await prefixes.publish();
    expect(before.difference(await read())).toEqual(new Set([prefixOf('żółw')]));
  });

  it('are withheld when a removal was not published within a minute', async () => {
    removeEntry(db, 'legit', `15${'0'.repeat(13)}999`, 'request', Date.now() - 61_000);
    assertError(await site.get('/snapshots/prefixes'), 503, errorText('snapshots_remade', { seconds: 10 }));
    await createPrefixPublisher(db).publish();
    expect((await read()).has(prefixOf(`15${'0'.repeat(13)}999`))).toBe(false);
  });
});
