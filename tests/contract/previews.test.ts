/** The picture that a chat shows beside a link. */
import { beforeAll, describe, expect, it } from 'vitest';
import { removeEntry } from '#src/entries/write-entries.ts';
import { createPreviews, FONT_SETTINGS } from '#src/previews/previews.ts';
import { CHECK_PREVIEW, donationPreview, idPreview } from '../../src/components/layout/preview-texts.ts';
import { describePreview } from '../../src/pages/_describe-preview.ts';
import { assertError } from '../support/assert-error.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { createPublisher } from '../support/publish.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

const LISTED = '1572250755006587457';
const RISK = '1572250755006587458';
const TRUSTED = '1572250755006587459';
const BOTH = '1572250755006587460';
const UNKNOWN = '1572250755006587461';
const NAMES = ['Wpisany_Nick', 'Ryzykowny_Nick', 'Zaufany_Nick', 'Podwójny_Nick'];

describe('/preview/{page}.png', () => {
  let site: TestSite;
  beforeAll(async () => {
    const db = await makeDatabase();
    const [listed = '', risk = '', trusted = '', both = ''] = NAMES;
    await importRecords(db, 'scammers', [
      makeRecord({ id: LISTED, name: listed }),
      makeRecord({ id: RISK, name: risk, verified: false }),
      makeRecord({ id: BOTH, name: both }),
    ]);
    await importRecords(db, 'legit', [
      makeRecord({ id: TRUSTED, name: trusted }),
      makeRecord({ id: BOTH, name: both }),
    ]);
    await createPublisher(db).publish();
    site = await startTestSite(db.path);
  });

  const AT = Date.UTC(2026, 10, 22, 12);
  const describeId = async (id: string) => (await describePreview('check', id, site.services, AT)).preview;

  const LISTS = 'public, s-maxage=30, stale-while-revalidate=300';
  it.each([
    ['check.png', LISTS],
    ['scammers.png', LISTS],
    ['servers.png', LISTS],
    ['legit.png', LISTS],
    ['status.png', 'public, s-maxage=15'],
    ['donate.png', LISTS],
    ['donate.png?id=ltc_00000000000000000000', 'no-store'],
  ])('is a PNG at %s, which may be kept as long as its page, and has an ETag', async (name, cache) => {
    const path = `/preview/${name}`;
    const { status, headers, text } = await site.get(path);
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/png', cache]);
    expect(text.slice(1, 4)).toBe('PNG');
    expect(Number(headers['content-length'])).toBeLessThan(100_000);
    const again = await site.get(path, { headers: { 'If-None-Match': String(headers.etag) } });
    expect(again.status).toBe(304);
  });

  it('draws no words that stand in the place of an ID', async () => {
    for (const id of ['Jan oszukuje, nie płać', '12345', `${UNKNOWN}0000`])
      expect(await describeId(id)).toEqual(CHECK_PREVIEW);
  });

  it('looks for no font of the machine', () => {
    expect(process.env['FONTCONFIG_FILE']).toBe(FONT_SETTINGS);
  });

  it.each([
    ['a verified entry', LISTED],
    ['an entry of the risk list', RISK],
    ['a trusted one who was reported', BOTH],
  ])('says of %s only that there is one, when it was looked at, and no name', async (_what, id) => {
    const preview = await describeId(id);
    expect(preview).toEqual(idPreview('stop', id, undefined, AT));
    expect(JSON.stringify(preview)).not.toMatch(/_Nick/);
  });

  it('shows the nick and the ID of a trusted one', async () => {
    const preview = idPreview('good', TRUSTED, 'Zaufany_Nick', AT);
    expect(await describeId(TRUSTED)).toEqual(preview);
    expect(preview.lines).toEqual(['Zaufany_Nick', '1572\u00a02507\u00a05500\u00a06587\u00a0459']);
  });

  it('says of an ID that no list has, or has no longer, that there is no entry', async () => {
    expect(await describeId(UNKNOWN)).toEqual(idPreview('none', UNKNOWN, undefined, AT));
    const db = await makeDatabase();
    await importRecords(db, 'legit', [makeRecord({ id: TRUSTED, name: 'Zaufany_Nick' })]);
    const own = await startTestSite(db.path);
    const path = `/preview/check.png?id=${TRUSTED}`;
    const before = await own.get(path);
    const { preview } = await describePreview('check', TRUSTED, own.services, 0);
    expect(preview.mark).toBe('good');
    db.write(() => removeEntry(db, 'legit', TRUSTED, 'request', NOW));
    // What the cache keeps falls with a change of the lists, which is looked for every 10 ms.
    await expect.poll(async () => (await own.get(path)).headers.etag).not.toBe(before.headers.etag);
    const gone = await describePreview('check', TRUSTED, own.services, 0);
    expect(gone.preview).toEqual(idPreview('none', TRUSTED, undefined, 0));
  });

  it('says that there is no such donation', async () => {
    const { preview } = await describePreview('donate', 'ltc_00000000000000000000', site.services, 0);
    expect(preview).toEqual(donationPreview(undefined, 0));
  });

  it('is not at other addresses', async () => {
    for (const path of ['/preview/nope.png', '/preview/check.svg', '/preview/check', '/preview/'])
      expect([path, (await site.get(path)).status]).toEqual([path, 404]);
  });

  it('names a parameter that is wrong', async () => {
    const answer = await site.get(`/preview/check.png?id=${'9'.repeat(69)}`);
    assertError(answer, 400, /^Nieprawidłowy parametr id: /);
  });

  it('draws whatever is asked for', async () => {
    for (const id of ['%F0%9F%A6%8A', 'a%00b', '%ED%A0%80'])
      expect([id, (await site.get(`/preview/check.png?id=${id}`)).status]).toEqual([id, 200]);
  });

  it('refuses with 503 and Retry-After what would wait too long, while everything else is answered', async () => {
    const db = await makeDatabase();
    const never = new Promise<Buffer>(() => {});
    const own = await startTestSite(db.path, {}, { previews: createPreviews(1, () => never) });
    for (let n = 0; n < 8; n += 1) void own.get(`/preview/check.png?id=${n}`).catch(() => {});
    await expect
      .poll(async () => {
        const { status, headers } = await own.get('/preview/check.png?id=x', {
          headers: { Connection: 'close' },
        });
        return status === 503 && Number(headers['retry-after']) > 0;
      })
      .toBe(true);
    expect((await own.get('/')).status).toBe(200);
    own.server.closeAllConnections();
  });
});
