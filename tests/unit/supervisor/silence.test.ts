import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSilence } from '#src/supervisor/silence.ts';

const BUSY = 'process.stdout.write("."); for (;;);';
const ASLEEP = 'process.stdout.write("."); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);';

/** Resolves when the program begins. */
async function run(program: string, launcher: readonly string[] = []) {
  const [command = '', ...args] = [...launcher, process.execPath, '--eval', program];
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return Object.assign(child, { silence: createSilence(child.pid ?? 0) });
}

describe.runIf(process.platform === 'linux')('the silence of a process', () => {
  it('grows with all time while it is stopped or asleep, until it says something', async () => {
    const [stopped, asleep] = [await run(BUSY), await run(ASLEEP)];
    stopped.kill('SIGSTOP');
    for (const { silence } of [stopped, asleep]) {
      await expect.poll(() => silence.look(1_000), { timeout: 10_000 }).toBeGreaterThanOrEqual(3_000);
      silence.break();
      expect(silence.look(1_000)).toBe(1_000);
    }
  });

  it('grows with the time for which a loop has a processor, not with that for which it waits for one', async () => {
    // On one processor, the polite one gets a seventieth of it.
    const greedy = await run(BUSY, ['taskset', '--cpu-list', '0']);
    const polite = await run(BUSY, ['taskset', '--cpu-list', '0', 'nice', '--adjustment', '19']);
    await expect.poll(() => greedy.silence.look(1_000_000), { timeout: 60_000 }).toBeGreaterThan(1_000);
    expect(greedy.silence.look(1_000_000)).toBeLessThan(60_000);
    const { silence } = polite;
    // It sleeps for a moment where it waits for a thread of its own.
    await expect
      .poll(() => (silence.break(), silence.look(1_000_000)), { timeout: 60_000 })
      .toBeLessThan(500);
  });
});
