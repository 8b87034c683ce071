/** `/api/changes/events`: the change feed as server-sent events. */
import { beforeEach, describe, expect, it } from 'vitest';
import { renewHistory } from '#src/changes/log-head.ts';
import type { Database } from '#src/db/database.ts';
import type { Change, ChangesPage } from '#src/entries/mirror-schema.ts';
import { removeEntry } from '#src/entries/write-entries.ts';
import { assertError } from '../support/assert-error.ts';
import { listen } from '../support/listen.ts';
import type { Heard } from '../support/listen.ts';
import { importRecords, makeRecord, NOW } from '../support/make-entries.ts';
import { makeDatabase } from '../support/temporary-database.ts';
import { startTestSite } from '../support/test-site.ts';
import type { TestSite } from '../support/test-site.ts';

const PATH = '/api/changes/events';
const HEADER_REFUSED = 'nagłówek Last-Event-ID: podaj w nim id ostatniego odebranego zdarzenia';

describe(PATH, () => {
  let db: Database;
  let site: TestSite;
  beforeEach(async () => {
    db = await makeDatabase();
    await importRecords(db, 'scammers', [makeRecord({ id: '1' })]);
    site = await startTestSite(db.path, { BASE_URL: 'https://czujka.example' });
  });

  const add = (id: string): Promise<unknown> => importRecords(db, 'scammers', [makeRecord({ id })]);
  const next = async (heard: Heard): Promise<Change> => JSON.parse((await heard.next()).data) as Change;
  const nextId = async (heard: Heard): Promise<string | undefined> => {
    const change = await next(heard);
    return 'entry' in change ? change.entry.id : change.tombstone._id;
  };

  it('begins now, and tells each change as /api/changes does', async () => {
    const heard = await listen(site.port, PATH);
    expect(heard.status).toBe(200);
    expect(heard.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'ratelimit-limit': '1000',
    });
    expect(heard.headers.etag).toBeUndefined();
    await add('2');
    const { id, data } = await heard.next();
    removeEntry(db, 'scammers', '1', 'appeal', NOW);
    const removal = await heard.next();
    const { changes, next: end } = await site.json<ChangesPage>('/api/changes?limit=500');
    expect([JSON.parse(data), JSON.parse(removal.data)]).toEqual(changes);
    expect(removal.id).toBe(end);
    expect((await site.json<ChangesPage>(`/api/changes?since=${id}`)).changes).toEqual([changes[1]]);
  });

  it('goes on from Last-Event-ID, which wins over since, and misses nothing in between', async () => {
    const first = await listen(site.port, PATH);
    await add('2');
    const { id = '' } = await first.next();
    first.close();
    await add('3');
    await add('4');
    const start = (await site.json<ChangesPage>('/api/changes?limit=1')).next;
    const again = await listen(site.port, `${PATH}?since=${start}`, { headers: { 'Last-Event-ID': id } });
    expect([await nextId(again), await nextId(again)]).toEqual(['3', '4']);
    await add('5');
    expect(await nextId(again)).toBe('5');
    const since = await listen(site.port, `${PATH}?since=${start}`);
    for (const id of ['2', '3', '4', '5']) expect(await nextId(since)).toBe(id);
  });

  it('names a place at once, so that nothing is lost by whoever is cut off before the first event', async () => {
    const heard = await listen(site.port, PATH);
    await expect.poll(() => heard.lastId()).toBeDefined();
    heard.close();
    await add('2');
    const again = await listen(site.port, PATH, { headers: { 'Last-Event-ID': heard.lastId() ?? '' } });
    expect(await nextId(again)).toBe('2');
  });

  it('catches up over many pages, each entry once and in order, and then hears what is new', async () => {
    const ids = Array.from({ length: 130 }, (_, place) => String(1000 + place));
    await importRecords(
      db,
      'scammers',
      ids.map((id) => makeRecord({ id })),
    );
    const start = (await site.json<ChangesPage>('/api/changes?limit=1')).next;
    const heard = await listen(site.port, `${PATH}?since=${start}`);
    const told: unknown[] = [];
    for (let count = 0; count < ids.length; count += 1) told.push(await nextId(heard));
    expect(told).toEqual(ids);
    await add('5');
    expect(await nextId(heard)).toBe('5');
  });

  it('moves the place on over changes that a later one has replaced', async () => {
    const record = makeRecord({ id: '2' });
    const start = (await site.json<ChangesPage>('/api/changes')).next;
    for (const name of ['a', 'b', 'c']) await importRecords(db, 'scammers', [{ ...record, name }]);
    const heard = await listen(site.port, `${PATH}?since=${start}`);
    expect(await next(heard)).toMatchObject({ op: 'updated', entry: { name: 'c' } });
    await expect
      .poll(async () => (await site.json<ChangesPage>(`/api/changes?since=${heard.lastId()}`)).changes)
      .toEqual([]);
  });

  it.each([
    ['parametr since: cursor z manifestu, next z /api/changes albo id zdarzenia', `${PATH}?since=x`, {}],
    [HEADER_REFUSED, PATH, { 'Last-Event-ID': 'x' }],
    [HEADER_REFUSED, `${PATH}?since=x`, { 'Last-Event-ID': 'x' }],
  ])('refuses a wrong place in the log by name: %s', async (what, path, headers) => {
    assertError(await site.get(path, { headers }), 400, `Nieprawidłowy ${what}.`);
  });

  it('ends when a backup was restored, and sends whoever comes back to the manifest', async () => {
    const heard = await listen(site.port, PATH);
    await add('2');
    const { id = '' } = await heard.next();
    renewHistory(db);
    await heard.ended;
    assertError(
      await site.get(PATH, { headers: { 'Last-Event-ID': id } }),
      410,
      'Ten kursor jest już nieważny. Pobierz listy od nowa, zaczynając od https://czujka.example/snapshots/manifest.json',
    );
    const anew = await listen(site.port, PATH);
    await add('3');
    expect(await nextId(anew)).toBe('3');
  });

  it('takes 20 of one address, refuses more in the error form, and gives places back', async () => {
    const from = '127.0.0.91';
    const many = await Promise.all(Array.from({ length: 20 }, () => listen(site.port, PATH, { from })));
    expect(many.every(({ status }) => status === 200)).toBe(true);
    const refused = await site.get(PATH, { from });
    assertError(
      refused,
      503,
      'Z jednego adresu IP można mieć najwyżej 20 otwartych strumieni. Zamknij któryś albo spróbuj ponownie za 30 s.',
    );
    expect(refused.headers['retry-after']).toBe('30');
    expect((await listen(site.port, PATH, { from: '127.0.0.92' })).status).toBe(200);
    many[0]?.close();
    await expect.poll(async () => (await listen(site.port, PATH, { from })).status).toBe(200);
  });

  it('answers HEAD without a stream, and takes no place for it', async () => {
    for (let count = 0; count < 25; count += 1) {
      const { status, text, headers } = await site.get(PATH, { method: 'HEAD' });
      expect([status, text, headers['content-type']]).toEqual([200, '', 'text/event-stream; charset=utf-8']);
    }
    expect(site.services.changeStreams.size()).toBe(0);
  });

  it('ends with the service', async () => {
    const heard = await listen(site.port, PATH);
    site.endStreams();
    await heard.ended;
    assertError(await site.get(PATH), 503, 'Serwis jest przeciążony. Spróbuj ponownie za 30 s.');
  });
});
