/** SPEC 2.1 `proofsId`: the proofs page and its images. Nothing of private proofs is anywhere, and no other file. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { PROOFS } from '#src/components/proofs/proofs-texts.ts';
import { updateIndexes } from '../support/update-indexes.ts';
import { makeImage, makePhoto, METADATA_MARKER } from '../support/make-image.ts';
import { importRecords, makeRecord, unverifyTrusted } from '../support/make-entries.ts';
import { makeDatabase, makeFolder } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { ListResponse } from '../support/responses.ts';

const SECRET = 'MARKER-7f3a';
const PUBLIC = makeRecord({
  name: 'jawny',
  proofs: {
    private: false,
    items: [
      { text: 'Zapis **rozmowy** <script>alert(1)</script>', caption: 'z 18 listopada' },
      { url: 'https://example.com/zrzut?a=1' },
      { file: 'photo.jpg', caption: 'Rozmowa & zwrot' },
      { file: 'photo.jpg' },
    ],
  },
});
const PRIVATE = makeRecord({
  name: 'tajny',
  proofs: {
    private: true,
    items: [{ text: SECRET, url: `https://example.com/${SECRET}`, caption: SECRET }, { file: 'secret.png' }],
  },
});
const SUSPENDED = makeRecord({
  name: 'zawieszony',
  proofs: { private: false, items: [{ text: SECRET }, { file: 'suspended.png' }] },
});

const folder = makeFolder();
const inProofs = (name: string): string => join(dirname(db.path), 'proofs', name);
const pathOf = (name: string): string =>
  `/proofs/${db.statement('SELECT proofs_id FROM entries WHERE name = ?').pluck().get(name) as string}`;
const write = (...records: (typeof PUBLIC)[]): Promise<void> =>
  importRecords(db, 'scammers', records, undefined, folder);
const addresses = (html: string): string[] => [
  ...new Set(html.match(/\/proofs\/images\/[0-9a-f]{64}\.(?:avif|webp)/g)),
];

writeFileSync(join(folder, 'photo.jpg'), await makePhoto());
writeFileSync(join(folder, 'secret.png'), await makeImage(60, 41).png().toBuffer());
writeFileSync(join(folder, 'suspended.png'), await makeImage(60, 42).png().toBuffer());
const db = await makeDatabase();
await write(PUBLIC, PRIVATE);
await importRecords(db, 'legit', [SUSPENDED], undefined, folder);
unverifyTrusted(db, 'zawieszony');
await updateIndexes(db);
const site = await startTestSite(db.path);
const page = (await site.get(pathOf('jawny'))).text;

it('shows public proofs in their order, sanitized', () => {
  expect(page).toContain('<strong>rozmowy</strong>');
  expect(page).toContain('&lt;script&gt;alert(1)');
  expect(page).toContain('<p>z 18 listopada</p>');
  expect(page).toMatch(/href="https:\/\/example\.com\/zrzut\?a=1" rel="nofollow ugc noopener noreferrer"/);
  expect(page.indexOf('Dowód 1')).toBeLessThan(page.indexOf('Dowód 2'));
});

it('leads to an appeal against its entry', () => {
  const [number = ''] = /R-[0-9A-Z]{10}/.exec(page) ?? [];
  expect(page).toMatch(new RegExp(`<a class="act" href="/odwolania\\?nr=${number}">.*Odwołaj się`));
});

it('shows images in two formats, with their size, lazy but the first, and linked without script', () => {
  expect(page).toMatch(/<source type="image\/avif" srcset="[^"]+ 240w, [^"]+ 300w"/);
  // The entry's face is an image too.
  const images = (page.match(/<img [^>]+>/g) ?? []).filter((image) => !image.includes('/api/chat/avatar/'));
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/ width="300" height="600"/);
  expect(images[0]).toContain('alt="Rozmowa &amp; zwrot"');
  expect(images[1]).toContain('loading="lazy"');
  expect(page).toMatch(/<a class="picture" href="\/proofs\/images\/[0-9a-f]{64}\.webp"/);
});

it('serves images by the hash of their content, for asking again each time', async () => {
  const paths = addresses(page);
  expect(paths).toHaveLength(4);
  for (const path of paths) {
    const { headers } = await site.get(path);
    expect(headers).toMatchObject({
      'content-type': `image/${path.split('.').at(-1)}`,
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    });
    const again = await site.get(path, { headers: { 'If-None-Match': headers.etag ?? '' } });
    expect(again).toMatchObject({ status: 304, text: '' });
    const bytes = readFileSync(join(inProofs('public'), basename(path)));
    expect(headers['content-length']).toBe(String(bytes.length));
    expect(bytes.includes(METADATA_MARKER)).toBe(false);
  }
});

it('says of private proofs only that they are private', async () => {
  const { status, text, headers } = await site.get(pathOf('tajny'));
  expect(status).toBe(403);
  expect(text).toContain(PROOFS.private.title);
  expect(text).not.toContain('tajny');
  expect(text).toMatch(/<a href="\/wpis\/R-\w+">\s*Zobacz/);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
});

it('shows nothing of private proofs anywhere', async () => {
  const { data } = await site.json<ListResponse>('/api/scammers?proofs=private');
  expect(data.map((entry) => `/proofs/${entry.proofsId}`)).toEqual([pathOf('tajny')]);
  const paths = ['/scammers', '/scammers?proofs=private', '/?search=tajny', '/api/check?search=tajny'];
  for (const path of [...paths, `/scammers?id=${data[0]?.id}`, pathOf('tajny'), '/api/scammers'])
    expect((await site.get(path)).text, path).not.toContain(SECRET);
  expect(await site.json('/api/scammers?search=MARKER')).toMatchObject({ total: 0 });
});

it('finds no unknown ID, no entry that is not served, no original and no other name of a file', async () => {
  const [path = ''] = addresses(page);
  const originals = readdirSync(inProofs('originals'));
  expect(originals).toHaveLength(3);
  const suspended = db
    .statement<string>(
      `SELECT sha256 || '.' || format FROM proof_images JOIN proof_items ON file_sha256 = original_sha256
         JOIN entries USING (row) WHERE name = 'zawieszony'`,
    )
    .pluck()
    .all();
  expect(suspended).not.toEqual([]);
  const [original = ''] = originals;
  for (const wrong of [
    ...['/proofs/nic', `/proofs/${'0'.repeat(32)}`, pathOf('zawieszony'), path.replace('webp', 'png')],
    ...[`..%2foriginals%2f${original}`, `${original}.webp`].map((name) => `/proofs/images/${name}`),
    ...[`originals/${original}`, `public/${original}.webp`].map((name) => `/proofs/${name}`),
    ...suspended.map((name) => `/proofs/images/${name}`),
  ]) {
    const { status, headers, text } = await site.get(wrong);
    expect([status, headers['cache-control']], wrong).toEqual([404, 'no-store']);
    expect(text).not.toContain(SECRET);
  }
});

it('has no images at once when the proofs become private, and has them again when they become public', async () => {
  const { items = [] } = PUBLIC.proofs ?? {};
  await write({ ...PUBLIC, proofs: { private: true, items } });
  for (const path of addresses(page)) {
    expect(existsSync(join(inProofs('public'), basename(path)))).toBe(false);
    expect((await site.get(path)).status).toBe(404);
  }
  await write(PUBLIC);
  for (const path of addresses(page)) expect((await site.get(path)).status).toBe(200);
});
