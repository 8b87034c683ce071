/** Processes that are killed in the midst of their work. */
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { importRecords } from '../support/make-entries.ts';
import { numberedRecords, readState } from '../support/stage-import.ts';
import { startProcess } from '../support/start-process.ts';
import { makeDatabase, makeFolder } from '../support/temporary-database.ts';
import { ACTING, makeWorkerPlace, STANDING_BY } from '../support/worker-place.ts';

const COUNT = 400;
const PRESENT = 20;

it('an import that is killed while it commits leaves the list as it was, and the next one is whole', async () => {
  const cwd = makeFolder();
  const db = await makeDatabase(cwd);
  await importRecords(db, 'scammers', numberedRecords(1, PRESENT));
  const before = readState(db);
  const importUntil = (moment: string) =>
    startProcess(join(import.meta.dirname, '../support/import-process.ts'), {
      cwd,
      args: [db.path, String(COUNT), moment],
    }).ended;

  expect(await importUntil(`changes ${COUNT / 2}`)).toMatchObject({ signal: 'SIGKILL', stderr: '' });
  expect(readState(db)).toEqual(before);
  expect(db.connection.pragma('integrity_check', { simple: true })).toBe('ok');

  expect(await importUntil('never')).toMatchObject({ code: 0, stderr: '' });
  expect(db.statement('SELECT count(*) FROM entries').pluck().get()).toBe(COUNT);
  db.close();
});

it('of two workers one acts, and when it is killed the other takes over', async () => {
  const place = await makeWorkerPlace();
  const first = place.start();
  await first.logged({ msg: ACTING });
  const second = place.start();
  await second.logged({ msg: STANDING_BY });
  await vi.waitFor(() => expect(place.runs('tick').length).toBeGreaterThanOrEqual(2), { timeout: 20_000 });
  expect(new Set(place.runs('tick'))).toEqual(new Set([first.pid]));
  expect(second.lines.filter(({ job }) => job !== undefined)).toEqual([]);

  first.child.kill('SIGKILL');
  await second.logged({ msg: ACTING });
  await second.logged({ msg: 'job started', job: 'slow' });
  await vi.waitFor(() => expect(place.runs('tick')).toContain(second.pid), { timeout: 20_000 });
  expect(second.lines.filter(({ msg }) => msg === ACTING)).toHaveLength(1);
});
