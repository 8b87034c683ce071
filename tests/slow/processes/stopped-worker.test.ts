/**
 * Processes that are stopped, not dead: nothing that was removed is shown while the worker stands still, and the
 * supervisor starts others in their places. That files for mirrors wait then is in contract/snapshots.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readLogHead, formatCursor } from '#src/changes/change-log.ts';
import { openDatabase } from '#src/db/database.ts';
import { findEntryRowByChatId } from '#src/entries/find-entry-rows.ts';
import { appealsPath, LINK_PICTURES, proofsPath } from '#src/paths.ts';
import { removeEntry } from '../../support/change-log.ts';
import { importRecords, makeRecord, unverifyTrusted } from '../../support/make-entries.ts';
import { childrenOf, makePlace, untilListening, untilStarted } from '../../support/start-service.ts';
import { ask } from '../../support/test-site.ts';

const proofs = { private: false, items: [{ text: 'Zrzut pokazuje, kto to był.' }] };
const GONE = { id: '100000000000000777', name: 'Zniknelus', reason: 'Przepadł bez wieści.', proofs };
const SUSPENDED = { id: '100000000000000778', name: 'Zawieszalski', reason: 'Już nie.', proofs };

it('a removed or withdrawn entry is within a second in no answer and on no page', async () => {
  const place = makePlace();
  const service = place.start({ settings: { BASE_URL: 'https://localhost' } });
  const port = Number(new URL(await untilStarted(service)).port);

  const db = openDatabase(place.databasePath, 'write', { mustExist: true });
  const since = formatCursor(readLogHead(db));
  await importRecords(db, 'scammers', [makeRecord(GONE), makeRecord()], Date.now());
  await importRecords(db, 'legit', [makeRecord(SUSPENDED)], Date.now());
  const listed = { scammers: GONE, legit: SUSPENDED };
  const people = (['scammers', 'legit'] as const).map((list) => {
    const { id, name, reason } = listed[list];
    const row = findEntryRowByChatId(db, list, id);
    const [entryId = '', number = '', proofsId = ''] = [row?.entry_id, row?.report_id, row?.proofs_id ?? ''];
    const paths = [
      ...[list, `${list}?id=${id}`, `${list}?search=${name}`].flatMap((path) => [`/${path}`, `/api/${path}`]),
      ...[`/api/check?id=${id}`, `/api/check?search=${name}`, `/api/changes?since=${since}`],
      ...[`/api/verdict?id=${id}`, `/api/verdict?name=${name}`, `/api/verdicts?ids=${id}`],
      ...[`/?search=${id}`, `/?search=${name}`, `/?search=${number}`],
      ...[`/feeds/${list}.atom`, proofsPath(proofsId), appealsPath(number)],
    ];
    return { paths, traces: [name, id, reason, proofs.items[0]?.text ?? '', entryId, number] };
  });

  /** Reads an answer without what repeats the question. */
  const read = async (path: string): Promise<string> => {
    const { status, text } = await ask(port, path);
    expect([200, 404, 410], path).toContain(status);
    return text.replaceAll(decodeURIComponent(path.split(/[?/]/).at(-1)?.split('=').at(-1) ?? ''), '');
  };
  const everywhere = people.flatMap(({ paths, traces }) => paths.map((path) => ({ path, traces })));
  const tracesIn = async ({ path, traces }: (typeof everywhere)[number]): Promise<string[]> => {
    const text = await read(path);
    return traces.filter((trace) => text.includes(trace)).map((trace) => `${path}: ${trace}`);
  };
  const card = `/?search=${GONE.id}`;
  // So that it can fail below.
  for (const place of everywhere)
    await expect.poll(() => tracesIn(place), { message: place.path, timeout: 20_000 }).not.toEqual([]);
  expect(await read(card)).toContain(LINK_PICTURES.entry);

  const { worker } = childrenOf(service);
  process.kill(worker, 'SIGSTOP');
  removeEntry(db, 'scammers', GONE.id, 'request', Date.now());
  unverifyTrusted(db, SUSPENDED.name);
  await pause(1_000);
  const left = (await Array.fromAsync(everywhere, tracesIn)).flat();
  // A mirror learns by them which entry is gone.
  const known = people.flatMap(({ traces }) => traces.slice(4));
  expect(
    left.filter((trace) => !(trace.includes('/api/changes') && known.some((one) => trace.endsWith(one)))),
  ).toEqual([]);
  expect(await read(card)).not.toContain(LINK_PICTURES.entry);
  // These tell of nobody, before and after.
  for (const path of [`/api/chat/avatar/${GONE.id}`, LINK_PICTURES.entry, '/badge/status.svg'])
    expect(await tracesIn({ path, traces: people[0]?.traces ?? [] })).toEqual([]);

  process.kill(childrenOf(service).web, 'SIGSTOP');
  const replaced = { msg: 'process ended; it is started again' };
  await service.logged({ ...replaced, process: 'worker', pauseMs: 0 });
  await service.loggedAgain({ component: 'worker', msg: 'acting: the lock is ours' }, 1);
  await service.logged({ ...replaced, process: 'web', pauseMs: 0 });
  const again = await untilListening(service, 1);
  expect((await fetch(`${again}/api/check?id=${GONE.id}`)).status).toBe(200);
  // The pause grows, although the process has run for long.
  process.kill(childrenOf(service).worker, 'SIGSTOP');
  await service.logged({ ...replaced, process: 'worker', pauseMs: 500 });
  await service.loggedAgain({ component: 'worker', msg: 'acting: the lock is ours' }, 2);
  db.close();
  service.child.kill('SIGTERM');
  await service.ended;
}, 300_000);
