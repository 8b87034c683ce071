// Needs: unshare
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeReserve } from '#src/db/reserve.ts';
import { truncateWal } from '#src/db/truncate-wal.ts';
import { findInFiles } from '../../support/find-in-files.ts';
import { startFaultyService } from '../../support/faulty-service.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makePhoto } from '../../support/make-image.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { trials } from '../../support/trials.ts';

/** The file system is as good as full for a reserve, or has room for one. */
const [SMALL, LARGE] = ['64m', '256m'];
const LASTS_MS = trials(2_000, 30_000);
const canMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
if (!canMount) process.stderr.write('\n*** SKIPPED: the full disk needs the right to mount (root)\n\n');

function makeDisk(size: string) {
  const operator = makeCommandLine();
  const disk = join(operator.folder, 'data');
  mkdirSync(disk);
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk]).status).toBe(0);
  onTestFinished(() => void spawnSync('umount', ['--lazy', disk]));
  const filler = join(disk, 'filler');
  // dd ends when nothing more fits.
  const fill = (): void => void spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']);
  return { operator, disk, fill, filler };
}

it.skipIf(!canMount)(
  'a full disk fails imports, which leave it as it was, while answers go on and nothing acknowledged is lost',
  { timeout: 240_000 },
  async () => {
    const { operator, fill, filler } = makeDisk(SMALL);
    const service = await startFaultyService(operator);
    expect(await service.write()).toBe(true);
    fill();
    const { size } = statSync(operator.databasePath);
    const records = Array.from({ length: 2_000 }, () => makeRecord({ reason: 'Dużo powodów. '.repeat(100) }));
    const file = operator.file('in.ndjson', records);
    const refused = await operator.spawn(['import', file, '--list', 'servers']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    const [, needed] =
      /^could not run: no room on the disk of \/\S+\/data: \d+ bytes are free, \d+ of them in the database, and the import needs about (\d+); nothing was imported; \S+search\.db \(\d+ MB\) may be deleted: .*\n$/.exec(
        refused.stderr,
      ) ?? [];
    expect(Number(needed)).toBeGreaterThan(statSync(join(operator.folder, file)).size * 3);
    expect(statSync(operator.databasePath).size).toBe(size);
    // One from standard input finds out while it writes.
    expect(await service.write({ count: 2_000 })).toBe(false);
    await setTimeout(LASTS_MS);
    expect((await service.ask(`/api/check?id=${service.ids[5]}`)).status).toBe(200);
    const photo = operator.file('photo.jpg', await makePhoto());
    const add = ['proofs', 'add', service.ids[6] ?? '', '--list', 'scammers', '--private', '--file', photo];
    expect((await operator.run(add)).code).toBe(2);
    rmSync(filler);
    await operator.succeed(...add);
    await service.expectRecovery();
  },
);

it.skipIf(!canMount)(
  'on a full disk a removal after an appeal takes the room of the reserve, which the worker makes again',
  { timeout: 240_000 },
  async () => {
    const { operator, disk, fill, filler } = makeDisk(LARGE);
    const records = Array.from({ length: 4 }, () => makeRecord());
    await operator.fill('servers', ...records);
    const service = await startFaultyService(operator);
    const reserve = join(disk, 'reserve');
    const untilReserve = () =>
      vi.waitFor(() => expect(statSync(reserve).blocks * 512).toBeGreaterThanOrEqual(32 * 1024 ** 2), 30_000);
    await untilReserve();
    const [first = '', second = '', third = '', fourth = ''] = records.map(({ id }) => id);
    const on = ['--list', 'servers'];
    const photo = operator.file('photo.jpg', await makePhoto());
    const add = ['proofs', 'add', first, ...on, '--public', '--file', photo, '--caption'];
    for (const caption of ['a', 'b']) await operator.succeed(...add, caption);
    const refill = (): void => {
      rmSync(filler, { force: true });
      makeReserve(operator.databasePath);
      operator.write((db) => truncateWal(db));
      fill();
    };
    const verbs = [
      ['proofs', 'remove', first, ...on, '--item', '1'],
      ['proofs', 'private', first, ...on],
      ['entry', 'edit', second, ...on, '--redact', '--reason', 'Nowy.'],
      ['entry', 'remove', third, ...on, '--reason', 'appeal'],
    ];
    for (const verb of verbs) {
      refill();
      const note = 'the disk is full: the file "reserve" is deleted';
      expect(await operator.notes(...verb)).toContain(note);
      expect(existsSync(reserve)).toBe(false);
    }
    expect(readdirSync(join(disk, 'proofs/public'))).toEqual([]);
    expect(await operator.json('proofs', 'show', first)).toMatchObject([{ proofs: 'private', items: [{}] }]);
    expect((await service.ask(`/api/check?id=${third}`)).text).not.toContain(third);
    await vi.waitFor(() => expect(findInFiles(disk, [third])).toEqual([]), 60_000);

    // Other verbs leave it, and say what may be deleted.
    refill();
    const note = ['entry', 'edit', second, ...on, '--reason', 'Dłuższy. '.repeat(1_000)];
    expect(await operator.break(...note)).toMatch(/search\.db \(\d+ MB\) may be deleted/);
    expect(existsSync(reserve)).toBe(true);
    const refused = join('data', 'saved');
    expect((await operator.run(['backup', refused])).code).toBe(2);
    rmSync(filler);
    await operator.succeed('backup', refused);

    // Without the service, too.
    await service.stop();
    refill();
    await operator.succeed('entry', 'remove', fourth, ...on, '--reason', 'appeal');
    rmSync(filler);
    await service.start();
    await untilReserve();
    await service.expectRecovery();
  },
);
