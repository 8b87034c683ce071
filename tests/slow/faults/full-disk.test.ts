// Needs: unshare
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { startFaultyService } from '../../support/faulty-service.ts';
import { makeCommandLine } from '../../support/run-czujka.ts';
import { trials } from '../../support/trials.ts';

const DISK = 'size=64m';
const LASTS_MS = trials(2_000, 30_000);
const canMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
if (!canMount) process.stderr.write('\n*** SKIPPED: the full disk needs the right to mount (root)\n\n');

it.skipIf(!canMount)(
  'a full disk fails imports, while answers go on and nothing acknowledged is lost',
  { timeout: 240_000 },
  async () => {
    const operator = makeCommandLine();
    const disk = join(operator.folder, 'data');
    mkdirSync(disk);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', disk]).status).toBe(0);
    onTestFinished(() => void spawnSync('umount', ['--lazy', disk]));
    const service = await startFaultyService({ operator });
    expect(await service.write()).toBe(true);
    const filler = join(disk, 'filler');
    // dd ends when nothing more fits.
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']);
    expect(await service.write({ count: 2_000 })).toBe(false);
    await setTimeout(LASTS_MS);
    expect((await service.ask(`/api/check?id=${service.ids[5]}`)).status).toBe(200);
    rmSync(filler);
    await service.expectRecovery();
  },
);
