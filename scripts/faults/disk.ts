/** Disks that are full, end in the middle of a file, fail, are slow, or take nothing any more. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { toScenario } from './fault.ts';
import { limit } from './processes.ts';
import type { Fault, Trial } from './fault.ts';

const LASTS_MS = { full: 20_000, quick: 4_000 };
const ENDS_MS = 500;
const WRITING = 'pwrite64,fsync,fdatasync';

const full: Fault = {
  name: 'the disk is full',
  diskMb: 48,
  async happen({ folder, writer, isQuick }) {
    const filler = join(folder, 'filler');
    // It ends when nothing more fits.
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']);
    const kept = await writeFor(lastsMs(isQuick), writer, 400);
    rmSync(filler);
    return `${kept} imports had room`;
  },
};

const fileLimit: Fault = {
  name: 'files may not grow (prlimit --fsize)',
  needs: ['prlimit'],
  async happen({ service, databasePath, writer, isQuick }) {
    const worker = service.pidOf('worker');
    limit(worker, `--fsize=${statSync(databasePath).size}:`);
    await writeFor(lastsMs(isQuick), writer);
    assert.equal(service.pidOf('worker'), worker, 'the worker ended');
    limit(worker, '--fsize=unlimited:');
    return 'the worker lives on';
  },
};

const failing: Fault = {
  name: 'writes and fsync fail (strace)',
  needs: ['strace'],
  async happen({ service, writer, isQuick }) {
    const count = { tried: 0, kept: 0 };
    await whileTraced(service.pidOf('worker'), `${WRITING}:error=EIO:when=2+4`, async () => {
      for (const begun = performance.now(); performance.now() - begun < lastsMs(isQuick); count.tried += 1) {
        // Another call fails each time.
        const within = ['strace', ...tracing(`${WRITING}:error=EIO:when=${1 + ((count.tried * 3) % 40)}`)];
        if (await writer.write({ entries: 20, within })) count.kept += 1;
      }
    });
    return `${count.tried - count.kept} of ${count.tried} imports failed and said so`;
  },
};

const slow: Fault = {
  name: 'each fsync of the worker takes half a second (strace)',
  needs: ['strace'],
  async happen({ service, writer, isQuick }) {
    let kept = 0;
    await whileTraced(service.pidOf('worker'), 'fsync,fdatasync:delay_exit=500000', async () => {
      kept = await writeFor(lastsMs(isQuick), writer);
    });
    return `${kept} imports went on`;
  },
};

/** A disk turns read-only only when nobody has a file of it open for writing: both processes start anew on it. */
const readOnly: Fault = {
  name: 'the disk takes no writes when both start anew',
  diskMb: 48,
  maySilence: true,
  async happen({ folder, service, ask, knownId, isQuick }) {
    process.kill(service.pid(), 'SIGSTOP');
    for (const name of ['web', 'worker'] as const) process.kill(service.pidOf(name), 'SIGKILL');
    await setTimeout(ENDS_MS);
    const { status, stderr } = spawnSync('mount', ['-o', 'remount,ro', folder], { encoding: 'utf8' });
    process.kill(service.pid(), 'SIGCONT');
    assert.equal(status, 0, stderr);
    await setTimeout(lastsMs(isQuick));
    const answer = await ask(`/api/check?id=${knownId}`).catch(() => undefined);
    spawnSync('mount', ['-o', 'remount,rw', folder]);
    return `a check meanwhile ${answer?.status ?? 'is not answered'}`;
  },
};

export const disk = toScenario('disk', 'F3–F6', [full, fileLimit, failing, slow, readOnly]);

function lastsMs(isQuick: boolean): number {
  return isQuick ? LASTS_MS.quick : LASTS_MS.full;
}

/** Imports again and again for so long. @returns how many were acknowledged */
async function writeFor(ms: number, writer: Trial['writer'], entries = 20): Promise<number> {
  let kept = 0;
  for (const begun = performance.now(); performance.now() - begun < ms;)
    if (await writer.write({ entries })) kept += 1;
  return kept;
}

async function whileTraced(pid: number, injection: string, happen: () => Promise<void>): Promise<void> {
  const tracer = spawn('strace', [...tracing(injection), '-p', String(pid)], { stdio: 'ignore' });
  const ended = once(tracer, 'exit');
  try {
    await happen();
  } finally {
    tracer.kill('SIGINT');
    await ended;
  }
}

/** @param injection system calls, and what happens to them, as strace names it */
function tracing(injection: string): string[] {
  const calls = injection.replace(/:.*/, '');
  return ['-qq', '-f', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', `inject=${injection}`];
}
