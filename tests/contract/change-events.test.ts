import { expect, it, onTestFinished } from 'vitest';
import { renewLogId } from '#src/changes/change-log.ts';
import type { Change, ChangesPage } from '#src/entries/mirror-schema.ts';
import { errorText } from '#src/http/response.ts';
import { removeEntry } from '../support/change-log.ts';
import { assertError } from '../support/assert-error.ts';
import { openEvents, type Heard } from '../support/listen.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';

const PATH = '/api/changes/events';

const db = await makeDatabase();
const site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example' });

const write = (...records: Parameters<typeof makeRecord>[0][]): Promise<void> =>
  importRecords(db, 'scammers', records.map(makeRecord));
let last = 0;
const add = async (): Promise<string> => {
  const id = String((last += 1));
  await write({ id });
  return id;
};
/** A listener that leaves with its test. */
const hear = async (path = PATH, headers: Readonly<Record<string, string>> = {}): Promise<Heard> => {
  const heard = await openEvents(site.port, path, headers);
  onTestFinished(() => heard.close());
  return heard;
};
const next = async (heard: Heard): Promise<Change> => JSON.parse((await heard.next()).data) as Change;
const nextId = async (heard: Heard): Promise<string | undefined> => {
  const change = await next(heard);
  return 'entry' in change ? change.entry.id : undefined;
};
const now = async (): Promise<string> => {
  const heard = await hear();
  await expect.poll(() => heard.lastId()).toBeDefined();
  return heard.lastId() ?? '';
};

it('begins now, and tells each change as /api/changes does', async () => {
  const known = await add();
  const start = await now();
  const heard = await hear();
  await add();
  const { id = '', data } = await heard.next();
  removeEntry(db, 'scammers', known, 'appeal', NOW);
  const removal = await heard.next();
  const since = (cursor: string) => site.json<ChangesPage>(`/api/changes?limit=500&since=${cursor}`);
  const { changes, next: end } = await since(start);
  expect([JSON.parse(data), JSON.parse(removal.data)]).toEqual(changes);
  expect(removal.id).toBe(end);
  expect((await since(id)).changes).toEqual([changes[1]]);
});

it('goes on from Last-Event-ID, which wins over since, and misses nothing in between', async () => {
  const start = await now();
  const first = await hear();
  const before = await add();
  const { id = '' } = await first.next();
  first.close();
  const missed = await add();
  const again = await hear(`${PATH}?since=${start}`, { 'Last-Event-ID': id });
  expect(await nextId(again)).toBe(missed);
  const later = await add();
  expect(await nextId(again)).toBe(later);
  const since = await hear(`${PATH}?since=${start}`);
  for (const id of [before, missed, later]) expect(await nextId(since)).toBe(id);
});

it('moves the place on over changes that a later one has replaced', async () => {
  const start = await now();
  const id = String((last += 1));
  for (const name of ['a', 'b', 'c']) await write({ id, name, reportedAt: NOW });
  const heard = await hear(`${PATH}?since=${start}`);
  expect(await next(heard)).toMatchObject({ op: 'updated', entry: { name: 'c' } });
  await expect
    .poll(async () => (await site.json<ChangesPage>(`/api/changes?since=${heard.lastId()}`)).changes)
    .toEqual([]);
});

it('refuses a wrong place in the log by name', async () => {
  const headers = { 'Last-Event-ID': 'x' };
  assertError(await site.get(`${PATH}?since=x`), 400, /^Nieprawidłowy parametr since: /);
  for (const path of [PATH, `${PATH}?since=x`])
    assertError(await site.get(path, { headers }), 400, /^Nieprawidłowy nagłówek Last-Event-ID: /);
});

it('ends when a backup was restored, and sends clients that come back to the manifest', async () => {
  const heard = await hear();
  await add();
  const { id = '' } = await heard.next();
  db.write((tx) => renewLogId(tx));
  await heard.ended;
  assertError(
    await site.get(PATH, { headers: { 'Last-Event-ID': id } }),
    410,
    errorText('cursor_gone', { manifest: 'https://czujka.example/snapshots/manifest.json' }),
  );
});

it('answers HEAD without a stream, and takes no place for it', async () => {
  await expect.poll(() => site.services.changeStreams.size()).toBe(0);
  expect(await site.get(PATH, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  expect(site.services.changeStreams.size()).toBe(0);
});
