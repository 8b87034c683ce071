/** The page of a report number: the entry, or what became of it. */
import { describe, expect, it } from 'vitest';
import { REMOVED } from '#src/components/check/removed-texts.ts';
import type { RemovalReason } from '#src/removals/removal-reasons.ts';
import { removeEntry } from '../support/change-log.ts';
import { giveOldNumber, importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { plain, textOf } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const REASONS: readonly RemovalReason[] = ['appeal', 'mistake', 'request', 'duplicate', 'other'];
const ID = '1572250755006587457';

const db = await makeDatabase();
const numberOf = (reason: RemovalReason): string =>
  `R-GONE${reason.slice(0, 4).toUpperCase().padEnd(6, '0')}`;
await importRecords(db, 'scammers', [
  makeRecord({ id: ID, name: 'kupskin', reportId: 'R-ABCDEFGHJK' }),
  makeRecord({ reportId: 'R-OLD', verified: false, reportedAt: Date.now() - 200 * 86_400_000 }),
  makeRecord({ reportId: 'R-NEW', verified: false, reportedAt: Date.now() - 179 * 86_400_000 }),
  makeRecord({ reportId: 'R-CONFIRMED', reportedAt: Date.now() - 200 * 86_400_000 }),
  makeRecord({ id: '7' }),
  makeRecord({ id: '8' }),
  ...REASONS.map((reason) =>
    makeRecord({ id: `gone-${reason}`, name: 'Jan Kowal', reportId: numberOf(reason) }),
  ),
  makeRecord({ id: 'undone', reportId: 'R-UNDONE0000' }),
]);
giveOldNumber(db, '7', 'zgl/1');
giveOldNumber(db, '8', 'żab B');
for (const reason of REASONS) removeEntry(db, 'scammers', `gone-${reason}`, reason, NOW);
removeEntry(db, 'scammers', 'undone', 'other', NOW, { how: 'undo' });
const site = await startTestSite(db.path);

describe('/wpis', () => {
  it('shows the entry, and is its canonical address, also in rows and in the feed', async () => {
    const { status, text, headers } = await site.get('/wpis/R-ABCDEFGHJK');
    expect(status).toBe(200);
    expect(headers['cache-control']).toContain('s-maxage=30');
    expect(text).toContain('kupskin');
    expect(text).toContain(`rel="canonical" href="${site.services.baseUrl}/wpis/R-ABCDEFGHJK"`);
    expect(text).toContain('name="robots" content="noindex"');
    for (const path of ['/scammers', '/feeds/scammers.atom', `/scammers?id=${ID}`])
      expect((await site.get(path)).text, path).toContain('/wpis/R-ABCDEFGHJK"');
  });

  it('says since when an old report is unconfirmed', async () => {
    const says = async (number: string) => textOf((await site.get(`/wpis/${number}`)).text);
    expect(await says('R-OLD')).toContain('niepotwierdzone od 6 miesięcy');
    for (const number of ['R-NEW', 'R-CONFIRMED'])
      expect(await says(number)).not.toContain('niepotwierdzone od');
  });

  it.each(['r-abcdefghjk', 'R-abcDefghjk'])('leads %s to the stored spelling', async (number) => {
    const { status, headers } = await site.get(`/wpis/${number}`);
    expect([status, headers['location']]).toEqual([308, '/wpis/R-ABCDEFGHJK']);
  });

  it('does not exist for numbers that were never given, and for odd ones', async () => {
    for (const number of [
      'R-0000000000',
      'zgl%2f1',
      'zgl/1',
      encodeURIComponent('żab b'),
      '%2e%2e',
      'x'.repeat(65),
    ])
      expect((await site.get(`/wpis/${number}`)).status, number).toBe(404);
    expect((await site.get('/scammers')).text).toContain('/scammers?id=7"');
  });

  it.each([...REASONS, 'undone'] as const)('says of a removed one why: %s', async (reason) => {
    const reportId = reason === 'undone' ? 'R-UNDONE0000' : numberOf(reason);
    const sentence = plain(REMOVED.title({ reportId, removedAt: NOW, reason }));
    const { status, text, headers } = await site.get(`/wpis/${reportId}`);
    expect([status, headers['cache-control']]).toEqual([410, 'no-store']);
    const checked = await site.get(`/?search=${reportId.toLowerCase()}`);
    expect(checked.status).toBe(200);
    for (const page of [text, checked.text]) {
      expect(textOf(page)).toContain(sentence);
      expect(page).not.toMatch(/Jan Kowal|gone-|name="search"[^>]*undone"/);
      expect(page).toContain('content="noindex"');
    }
  });
});
