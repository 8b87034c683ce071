// Needs: unshare
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startFaultyService } from '../../support/faulty-service.ts';
import { makeRecord } from '../../support/make-entries.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { trials } from '../../support/trials.ts';

const DISK = 'size=64m';
const LASTS_MS = trials(2_000, 30_000);
const canMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
if (!canMount) process.stderr.write('\n*** SKIPPED: the full disk needs the right to mount (root)\n\n');

it.skipIf(!canMount)(
  'a full disk fails imports, which leave it as it was, while answers go on and nothing acknowledged is lost',
  { timeout: 240_000 },
  async () => {
    const operator = makeCommandLine();
    const disk = join(operator.folder, 'data');
    mkdirSync(disk);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', disk]).status).toBe(0);
    onTestFinished(() => void spawnSync('umount', ['--lazy', disk]));
    const service = await startFaultyService(operator);
    expect(await service.write()).toBe(true);
    const filler = join(disk, 'filler');
    // dd ends when nothing more fits.
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']);
    const { size } = statSync(operator.databasePath);
    const records = Array.from({ length: 2_000 }, () => makeRecord({ reason: 'Dużo powodów. '.repeat(100) }));
    const file = operator.file('in.ndjson', records);
    const refused = await operator.spawn(['import', file, '--list', 'servers']);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    const [, needed] =
      /^could not run: no room on the disk of \/\S+\/data: \d+ bytes are free, \d+ of them in the database, and the import needs about (\d+); nothing was imported\n$/.exec(
        refused.stderr,
      ) ?? [];
    expect(Number(needed)).toBeGreaterThan(statSync(join(operator.folder, file)).size * 3);
    expect(statSync(operator.databasePath).size).toBe(size);
    // One from standard input finds out while it writes.
    expect(await service.write({ count: 2_000 })).toBe(false);
    await setTimeout(LASTS_MS);
    expect((await service.ask(`/api/check?id=${service.ids[5]}`)).status).toBe(200);
    rmSync(filler);
    await service.expectRecovery();
  },
);
