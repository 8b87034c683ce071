import { beforeEach, expect, it, vi } from 'vitest';
import { renewLogId } from '#src/changes/change-log.ts';
import { pruneChanges } from '#src/changes/prune-changes.ts';
import type { Database } from '#src/db/database.ts';
import type { ListKind } from '#src/entries/entry.ts';
import type { ChangesPage } from '#src/entries/mirror-schema.ts';
import { findEntryRowByChatId } from '#src/entries/find-entry-rows.ts';
import { errorText } from '#src/http/response.ts';
import { removeEntry } from '../support/change-log.ts';
import { assertError } from '../support/assert-error.ts';
import { importRecords, makeRecord, NOW, unverifyTrusted } from '../support/make-entries.ts';
import { createMirror } from '../support/mirror.ts';
import { publish } from '../support/publish.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite, type TestSite } from '../support/test-site.ts';

const MANIFEST = '/snapshots/manifest.json';
const GONE = errorText('cursor_gone', { manifest: `https://czujka.example${MANIFEST}` });

let db: Database;
let site: TestSite;
beforeEach(async () => {
  db = await makeDatabase();
  site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example' });
});

const write = (list: ListKind, records: ReturnType<typeof makeRecord>[], now = NOW): Promise<void> =>
  importRecords(db, list, records, now);

/** Past the cache, which may be some milliseconds behind. */
const ask = async (query = ''): Promise<ChangesPage> => {
  const expected =
    db.statement<{ seq: number | null }>('SELECT max(seq) AS seq FROM changes').get()?.seq ?? 0;
  return vi.waitFor(async () => {
    const page = await site.json<ChangesPage>(`/api/changes?limit=500${query}`);
    const last = page.changes.at(-1)?.seq ?? expected;
    if (last < expected) throw new Error('not there yet');
    return page;
  });
};

it('answers in order with entries, and with tombstones of exactly these fields', async () => {
  const record = makeRecord({ reportId: 'R-GONE', name: 'zniknie' });
  await write('scammers', [makeRecord({ reportId: 'R-STAYS' }), record]);
  await write('servers', [makeRecord()], NOW + 1000);
  removeEntry(db, 'scammers', record.id, 'appeal', NOW + 2000);
  const page = await ask();
  expect(page.hasMore).toBe(false);
  expect(page.changes.map(({ seq, at, op, list }) => [seq, at, op, list])).toEqual([
    [1, '2026-11-20T12:00:00.000Z', 'added', 'scammers'],
    [3, '2026-11-20T12:00:01.000Z', 'added', 'servers'],
    [4, '2026-11-20T12:00:02.000Z', 'removed', 'scammers'],
  ]);
  const [, , removed] = page.changes;
  expect(removed && 'tombstone' in removed ? removed.tombstone : {}).toEqual({
    list: 'scammers',
    _id: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
    reportId: 'R-GONE',
    removedAt: '2026-11-20T12:00:02.000Z',
    reasonCode: 'appeal',
  });
  expect(JSON.stringify(page)).not.toContain('zniknie');
});

it('never tells of an unverified entry of the trusted list; one that was verified is removed', async () => {
  await write('legit', [makeRecord({ id: '5', name: 'UKRYTY', reason: 'UKRYTE', reportId: 'R-5' })]);
  expect((await ask()).changes).toMatchObject([{ op: 'added', entry: { name: 'UKRYTY' } }]);
  unverifyTrusted(db, 'UKRYTY');
  const { changes } = await ask();
  expect(JSON.stringify(changes)).not.toContain('UKRYT');
  const _id = findEntryRowByChatId(db, 'legit', '5')?.entry_id;
  const tombstone = { _id, reportId: 'R-5', reasonCode: 'other' };
  expect(changes).toMatchObject([{ op: 'removed', tombstone }]);
});

it('answers 410 when a backup was restored, and a mirror starts anew by itself', async () => {
  await write('scammers', [makeRecord(), makeRecord()]);
  await publish(db);
  const mirror = createMirror((path) => site.get(path), 2);
  await mirror.start();
  await write('legit', [makeRecord(), makeRecord(), makeRecord()]);
  await vi.waitFor(async () => {
    await mirror.follow();
    expect([mirror.lists.legit.size, mirror.restarts]).toEqual([3, 0]);
  });
  const [gone] = mirror.lists.scammers.values();
  removeEntry(db, 'scammers', gone?.id ?? '', 'other', NOW);
  // What a restore does: another past, and numbers that are given again.
  db.connection.exec('DELETE FROM changes WHERE seq > 5');
  db.write((tx) => renewLogId(tx));
  await publish(db);
  const { next } = await ask();
  db.write((tx) => renewLogId(tx));
  await publish(db);
  assertError(await site.get(`/api/changes?since=${next}&limit=1`), 410, GONE);
  await mirror.follow();
  expect(mirror.restarts).toBe(1);
  expect([...mirror.lists.scammers.keys()]).not.toContain(gone?._id);
  expect(mirror.lists.scammers.size).toBe(1);
});

it('goes on from a change that is no longer in the log', async () => {
  const old = NOW - 91 * 86_400_000;
  const record = makeRecord({ reportedAt: new Date(old).toISOString() });
  await write('scammers', [record], old);
  await write('scammers', [{ ...record, name: 'drugi' }], old + 1);
  const { next } = await ask();
  await write('scammers', [{ ...record, name: 'trzeci' }], NOW);
  await pruneChanges(db, (change) => db.write(change), NOW);
  for (const since of ['', `&since=${next}`])
    expect((await ask(since)).changes).toMatchObject([{ seq: 3, entry: { name: 'trzeci' } }]);
});
