/** Images on the proofs page (SPEC 2.1 `proofsId`): pictures of public proofs, and no way to any other file. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#src/db/database.ts';
import { makeImage, makePhoto, METADATA_MARKER } from '../support/make-image.ts';
import { importRecords, makeRecord, unverifyTrusted } from '../support/make-entries.ts';
import { makeDatabase, makeFolder } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';

const PUBLIC_ID = '100000000000000001';
const PRIVATE_ID = '100000000000000002';
const SUSPENDED_ID = '100000000000000003';

describe('images of proofs', () => {
  let db: Database;
  let site: TestSite;
  let page: string;
  const folder = makeFolder();
  const publicFolder = (): string => join(dirname(db.path), 'proofs/public');
  const proofsIdOf = (id: string): string =>
    db.connection.prepare('SELECT proofs_id FROM entries WHERE chat_id = ?').pluck().get(id) as string;
  const recordWith = (id: string, file: string, isPrivate = false) =>
    makeRecord({
      id,
      proofs: { private: isPrivate, items: [{ file, caption: 'Rozmowa & zwrot' }, { file }] },
    });

  beforeAll(async () => {
    writeFileSync(join(folder, 'photo.jpg'), await makePhoto());
    writeFileSync(join(folder, 'secret.png'), await makeImage(60, 41).png().toBuffer());
    writeFileSync(join(folder, 'suspended.png'), await makeImage(60, 42).png().toBuffer());
    db = await makeDatabase();
    await importRecords(
      db,
      'scammers',
      [recordWith(PUBLIC_ID, 'photo.jpg'), recordWith(PRIVATE_ID, 'secret.png', true)],
      undefined,
      folder,
    );
    await importRecords(db, 'legit', [recordWith(SUSPENDED_ID, 'suspended.png')], undefined, folder);
    unverifyTrusted(db, SUSPENDED_ID);
    site = await startTestSite(db.path);
    page = (await site.get(`/proofs/${proofsIdOf(PUBLIC_ID)}`)).text;
  });

  const addresses = (html: string): string[] => [
    ...new Set(html.match(/\/proofs\/images\/[0-9a-f]{64}\.(?:avif|webp)/g)),
  ];

  it('are shown in two formats, with their size, lazy but the first, and linked without script', () => {
    expect(page).toMatch(/<source type="image\/avif" srcset="[^"]+ 240w, [^"]+ 300w"/);
    // The entry's face is an image too.
    const images = (page.match(/<img [^>]+>/g) ?? []).filter((image) => !image.includes('class="avatar"'));
    expect(images).toHaveLength(2);
    for (const image of images) expect(image).toMatch(/ width="300" height="600"/);
    expect(images[0]).toContain('alt="Rozmowa &amp; zwrot"');
    expect(images[1]).toContain('loading="lazy"');
    expect(page).toMatch(/<a href="\/proofs\/images\/[0-9a-f]{64}\.webp"/);
  });

  it('are served by the hash of their content, for asking again each time', async () => {
    const paths = addresses(page);
    expect(paths).toHaveLength(4);
    for (const path of paths) {
      const { status, headers } = await site.get(path);
      expect(status).toBe(200);
      expect(headers).toMatchObject({
        'content-type': `image/${path.split('.').at(-1)}`,
        'cache-control': 'public, no-cache',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      });
      const again = await site.get(path, { headers: { 'If-None-Match': headers.etag ?? '' } });
      expect(again).toMatchObject({ status: 304, text: '' });
      const bytes = readFileSync(join(publicFolder(), basename(path)));
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(bytes.includes(METADATA_MARKER)).toBe(false);
    }
    // Two formats of each of the two public images; the larger one has two sizes.
    expect(readdirSync(publicFolder())).toHaveLength(6);
  });

  it('have no listing, no original and no other name', async () => {
    const [path = ''] = addresses(page);
    const original = readdirSync(join(dirname(db.path), 'proofs/originals'));
    expect(original).toHaveLength(3);
    for (const wrong of [
      '/proofs/images',
      path.replace('webp', 'png'),
      `/proofs/images/..%2foriginals%2f${original[0]}`,
      ...original.flatMap((sha256) => [
        `/proofs/images/${sha256}.webp`,
        `/proofs/originals/${sha256}`,
        `/proofs/public/${sha256}.webp`,
      ]),
    ]) {
      const { status, headers } = await site.get(wrong);
      expect(status, wrong).toBe(404);
      expect(headers['cache-control'], wrong).toBe('no-store');
    }
  });

  it('do not exist while an entry of the trusted list is not shown', async () => {
    const pictures = db.connection
      .prepare(
        `SELECT sha256, format FROM proof_images JOIN proof_items ON file_sha256 = original_sha256
         JOIN entries USING (row) WHERE chat_id = ?`,
      )
      .all(SUSPENDED_ID) as { sha256: string; format: string }[];
    expect(pictures.length).toBeGreaterThan(0);
    for (const { sha256, format } of pictures) {
      expect((await site.get(`/proofs/images/${sha256}.${format}`)).status).toBe(404);
    }
  });

  it('are gone at once when the proofs become private, and there again when they become public', async () => {
    const paths = addresses(page);
    await importRecords(db, 'scammers', [recordWith(PUBLIC_ID, 'photo.jpg', true)], undefined, folder);
    for (const path of paths) {
      expect(existsSync(join(publicFolder(), basename(path)))).toBe(false);
      expect((await site.get(path)).status).toBe(404);
    }
    const { status, text } = await site.get(`/proofs/${proofsIdOf(PUBLIC_ID)}`);
    expect(status).toBe(403);
    expect(text).not.toMatch(/<img|Rozmowa|images/);
    await importRecords(db, 'scammers', [recordWith(PUBLIC_ID, 'photo.jpg')], undefined, folder);
    for (const path of paths) expect((await site.get(path)).status).toBe(200);
  });
});
