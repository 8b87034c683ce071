/**
 * Processes that are stopped, not dead: nothing that was removed is shown while the worker stands still, and the supervisor
 * starts others in their places.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openDatabase } from '#src/db/database.ts';
import { findRow } from '#src/entries/write-entries.ts';
import { removeEntry } from '../../support/change-log.ts';
import { importRecords, makeRecord, unverifyTrusted } from '../../support/make-entries.ts';
import { childrenOf, makePlace, untilListening, untilStarted } from '../../support/start-service.ts';

const GONE = { id: '100000000000000777', name: 'Zniknelus', reason: 'Przepadł bez wieści.' };
const SUSPENDED = { id: '100000000000000778', name: 'Zawieszalski', reason: 'Już nie.' };

it(
  'a removed or withdrawn entry is within a second in no answer and on no page',
  { timeout: 300_000 },
  async () => {
    const place = makePlace();
    const service = place.start();
    const origin = await untilStarted(service);
    const db = openDatabase(place.databasePath, 'write', { mustExist: true });
    await importRecords(db, 'scammers', [makeRecord(GONE), makeRecord()], Date.now());
    await importRecords(db, 'legit', [makeRecord(SUSPENDED)], Date.now());
    const entryId = findRow(db, 'scammers', GONE.id)?.entry_id ?? '';
    const pathsOf = ({ id, name }: typeof GONE, list: string): string[] => [
      `/api/${list}`,
      `/api/${list}?id=${id}`,
      `/api/${list}?search=${name}`,
      `/api/check?id=${id}`,
      `/api/check?search=${name}`,
      `/api/verdict?id=${id}`,
      `/api/verdict?name=${name}`,
      `/feeds/${list}.atom`,
      `/${list}`,
      `/${list}?search=${name}`,
      `/${list}?id=${id}`,
      `/?search=${name}`,
    ];
    const asked = [...pathsOf(GONE, 'scammers'), ...pathsOf(SUSPENDED, 'legit')];
    const read = async (path: string): Promise<string> => {
      const response = await fetch(origin + path);
      expect(response.status, path).toBe(200);
      // The page repeats the question.
      return (await response.text()).replaceAll(/value="[^"]*"|search=[^"&<]*/g, '');
    };
    await expect
      .poll(() => read(`/api/scammers?search=${GONE.name}`), { timeout: 20_000 })
      .toContain(GONE.id);
    await expect.poll(() => read(`/api/legit?search=${SUSPENDED.name}`)).toContain(SUSPENDED.id);
    for (const path of asked) await read(path);

    const { worker } = childrenOf(service);
    process.kill(worker, 'SIGSTOP');
    removeEntry(db, 'scammers', GONE.id, 'request', Date.now());
    unverifyTrusted(db, SUSPENDED.name);
    await pause(1_000);
    for (const path of asked) {
      const text = await read(path);
      for (const trace of [GONE.reason, SUSPENDED.reason, entryId]) expect(text, path).not.toContain(trace);
      if (path.startsWith('/api/') && !path.includes('verdict'))
        expect(text, path).not.toMatch(new RegExp(`${GONE.name}|${SUSPENDED.name}`));
    }

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
  },
);
