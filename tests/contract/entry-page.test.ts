/** The page of a report number: the entry, or what became of it. */
import { describe, expect, it } from 'vitest';
import { REMOVED } from '#src/components/check/removed-texts.ts';
import type { RemovalReason } from '#src/removals/removal-reasons.ts';
import type { Transaction } from '#src/db/database.ts';
import { openAppeal, upholdAppeal } from '#src/entries/write-appeal.ts';
import { removeEntry } from '../support/change-log.ts';
import { giveOldNumber, importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { plain, textOf } from '../support/page-text.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const REASONS: readonly RemovalReason[] = ['appeal', 'mistake', 'request', 'duplicate', 'other'];
const ID = '1572250755006587457';
const APPEALED = '1572250755006587458';

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
  makeRecord({ id: APPEALED, reportId: 'R-APPEALED00', reportedAt: '2026-10-20' }),
  makeRecord({ id: 'undone', reportId: 'R-UNDONE0000' }),
  makeRecord({ id: 'gone-case', reportId: 'Case-1' }),
]);
giveOldNumber(db, '7', 'zgl/1');
giveOldNumber(db, '8', 'żab B');
for (const reason of REASONS) removeEntry(db, 'scammers', `gone-${reason}`, reason, NOW);
removeEntry(db, 'scammers', 'gone-case', 'mistake', NOW);
await importRecords(db, 'scammers', [makeRecord({ name: 'inna_osoba', reportId: 'CASE-1' })]);
removeEntry(db, 'scammers', 'undone', 'other', NOW, { origin: 'undo' });
const site = await startTestSite(db.path, { APPEALS_ANSWER_DAYS: '14' });

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

it('names the day of an unconfirmed report once, under the title, and since when an old one is', async () => {
  const says = textOf((await site.get('/wpis/R-NEW')).text);
  expect(says).toContain('Wstrzymaj się z wpłatą. To może być pomyłka. Zgłoszono');
  expect(says.match(/Zgłoszono/g)).toHaveLength(1);
  for (const number of ['R-OLD', 'R-NEW', 'R-CONFIRMED']) {
    const says = textOf((await site.get(`/wpis/${number}`)).text);
    expect(says.includes('Niepotwierdzone od 6 miesięcy'), number).toBe(number === 'R-OLD');
  }
});

it.each(['r-abcdefghjk', 'R-abcDefghjk'])('leads %s to the stored spelling', async (number) => {
  const { status, headers } = await site.get(`/wpis/${number}`);
  expect([status, headers['location']]).toEqual([308, '/wpis/R-ABCDEFGHJK']);
});

it('does not exist for numbers that were never given, and for odd ones', async () => {
  for (const number of ['R-0000000000', 'zgl%2f1', 'zgl/1', '%C5%BCab%20b', '%2e%2e', 'x'.repeat(65)])
    expect((await site.get(`/wpis/${number}`)).status, number).toBe(404);
  expect((await site.get('/scammers')).text).toContain('/scammers?id=7"');
});

it('shows no other person under the number of a removed entry, where numbers differ by case', async () => {
  expect((await site.get('/wpis/Case-1')).status).toBe(410);
  expect((await site.get('/wpis/CASE-1')).text).toContain('inna_osoba');
  expect((await site.get('/wpis/case-1')).headers.location).toContain('/wpis/CASE-1');
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

describe('an appeal', () => {
  const actor = { by: undefined, now: Date.parse('2026-11-09T12:00:00Z') };
  const reportId = 'R-APPEALED00';
  const change = (work: (tx: Transaction) => unknown): unknown => db.write(work);
  const PATHS = [`/wpis/${reportId}`, `/?search=${APPEALED}`, `/scammers?id=${APPEALED}`];
  const NOTE = 'przelew & rozmowa <img src=x onerror=alert(1)> są **z tego** [samego](/x) dnia.';
  const read = async (path: string): Promise<string> => {
    site.clock.now += 400_000;
    return (await site.get(path)).text;
  };

  it('is told of in one line on the page of the entry and in the answer, and softens nothing', async () => {
    const head = async (path: string) => /<div class="head">[^]*?<\/div>/.exec(await read(path))?.[0];
    const before = await Promise.all(PATHS.map(head));
    change((tx) => openAppeal(tx, reportId, actor, '2026-11-03'));
    for (const path of PATHS) {
      const text = plain(textOf(await read(path)));
      expect(text).toMatch(/Odwołanie z 3 listopada( 2026)?, czeka na decyzję\./);
      expect(text).toContain('czyta teraz człowiek. Odpowiadamy w ciągu 14 dni.');
    }
    expect(plain(textOf(await read(`/odwolania?nr=${reportId}`)))).toContain('czeka na decyzję');
    expect(await Promise.all(PATHS.map(head))).toEqual(before);
  });

  it('is told of with its note as plain text when it is decided', async () => {
    change((tx) => upholdAppeal(tx, reportId, actor, NOTE));
    for (const path of [...PATHS, `/odwolania?nr=${reportId}`]) {
      const html = await read(path);
      expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; są **');
      expect(plain(textOf(html))).toContain('są z tego samego dnia\u2069.');
      expect(plain(textOf(html))).toMatch(
        /Odwołanie z 3 listopada( 2026)?: wpis podtrzymano 9 listopada( 2026)?, bo/,
      );
    }
    expect(await read(PATHS[0] ?? '')).toContain(`href="/odwolania?nr=${reportId}">`);
    expect(await read('/feeds/scammers.atom')).not.toContain('onerror');
  });

  it('stands in verdicts and changes, and in none of the bodies of SPEC', async () => {
    const appeal = {
      openedAt: '2026-11-03T00:00:00.000Z',
      decidedAt: '2026-11-09T12:00:00.000Z',
      outcome: 'upheld',
      note: NOTE,
    };
    const { entries } = await site.json<{ entries: unknown[] }>(`/api/verdict?id=${APPEALED}`);
    expect(entries).toMatchObject([{ appeal, verified: true }]);
    expect(await site.json(`/api/verdicts?ids=${APPEALED}`)).toMatchObject({
      verdicts: { [APPEALED]: { verdict: 'reported', appeal } },
    });
    const { changes } = await site.json<{ changes: unknown[] }>('/api/changes?limit=500');
    expect(changes.at(-1)).toMatchObject({ op: 'updated', entry: { reportId, appeal } });
    for (const path of [`/api/scammers?id=${APPEALED}`, `/api/check?id=${APPEALED}`])
      expect(await read(path)).not.toContain('appeal');
  });
});
