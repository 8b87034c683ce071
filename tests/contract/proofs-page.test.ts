/** SPEC 2.1 `proofsId`: the proofs page. */
import { beforeAll, describe, expect, it } from 'vitest';
import { PROOFS } from '#src/components/proofs/proofs-texts.ts';
import { updateIndexes } from '../support/update-indexes.ts';
import { importRecords, makeRecord, unverifyTrusted } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';
import type { ListResponse } from '../support/responses.ts';

const SECRET = 'MARKER-7f3a';

describe('/proofs/{proofsId}', () => {
  let site: TestSite;
  let ids: Record<string, string>;

  beforeAll(async () => {
    const db = await makeDatabase();
    await importRecords(db, 'scammers', [
      makeRecord({
        name: 'jawny',
        proofs: {
          private: false,
          items: [
            { text: 'Zapis **rozmowy** <script>alert(1)</script>', caption: 'z 18 listopada' },
            { url: 'https://example.com/zrzut?a=1' },
          ],
        },
      }),
      makeRecord({
        name: 'tajny',
        proofs: {
          private: true,
          items: [{ text: SECRET, url: `https://example.com/${SECRET}`, caption: SECRET }],
        },
      }),
    ]);
    await importRecords(db, 'legit', [
      makeRecord({ name: 'zawieszony', proofs: { private: false, items: [{ text: SECRET }] } }),
    ]);
    const rows = db.connection.prepare('SELECT name, proofs_id FROM entries').all();
    ids = Object.fromEntries(
      (rows as { name: string; proofs_id: string }[]).map((row) => [row.name, row.proofs_id]),
    );
    unverifyTrusted(db, 'zawieszony');
    await updateIndexes(db);
    site = await startTestSite(db.path);
  });

  it('shows public proofs in their order, sanitized', async () => {
    const { status, text, headers } = await site.get(`/proofs/${ids.jawny}`);
    expect(status).toBe(200);
    expect(text).toContain('<strong>rozmowy</strong>');
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).toContain('<p>z 18 listopada</p>');
    expect(text).toMatch(/href="https:\/\/example\.com\/zrzut\?a=1" rel="nofollow ugc noopener noreferrer"/);
    expect(text.indexOf('Dowód 1')).toBeLessThan(text.indexOf('Dowód 2'));
    expect(headers['x-robots-tag']).toBe('noindex');
  });

  it('says of private proofs only that they are private', async () => {
    const { status, text, headers } = await site.get(`/proofs/${ids.tajny}`);
    expect(status).toBe(403);
    expect(text).toContain(PROOFS.private.title);
    expect(text).not.toContain('tajny');
    expect(text).toMatch(/<a href="\/scammers\?id=\d+">\s*Zobacz/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-robots-tag']).toBe('noindex');
  });

  it('shows nothing of private proofs anywhere', async () => {
    const paths = ['/scammers', '/scammers?proofs=private', '/?search=tajny', '/api/check?search=tajny'];
    const { data } = await site.json<ListResponse>('/api/scammers?proofs=private');
    expect(data.map((entry) => entry.proofsId)).toEqual([ids.tajny]);
    for (const path of [...paths, `/scammers?id=${data[0]?.id}`, `/proofs/${ids.tajny}`, '/api/scammers']) {
      expect((await site.get(path)).text, path).not.toContain(SECRET);
    }
    expect(await site.json('/api/scammers?search=MARKER')).toMatchObject({ total: 0 });
  });

  it('does not find an unknown ID, nor proofs of an entry that is not served', async () => {
    for (const name of ['nic', '0'.repeat(32), 'zawieszony']) {
      const { status, text } = await site.get(`/proofs/${ids[name] ?? name}`);
      expect(status, name).toBe(404);
      expect(text).not.toContain(SECRET);
    }
  });
});
