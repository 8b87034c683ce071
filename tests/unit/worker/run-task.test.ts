import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { runTask } from '#src/worker/run-task.ts';

const TASK = new URL('../../support/task.ts', import.meta.url);
const run = (kind: string, signal = new AbortController().signal) =>
  runTask({ kind } as never, signal, {}, TASK);

it('gives what the work gave, from another process', async () => {
  const result = (await run('work')) as { pid: number };
  expect(result).toMatchObject({ kind: 'work' });
  expect(result.pid).not.toBe(process.pid);
});

it('throws what the work threw', async () => {
  for (const kind of ['fail', 'fail twice'])
    await expect(run(kind)).rejects.toThrow(new RangeError('no luck'));
});

it('says that the process ended without an answer', async () => {
  await expect(run('crash')).rejects.toThrow('ended with code 3');
});

it('is ended by the signal while it hears nobody', async () => {
  const ending = new AbortController();
  const running = run('stand', ending.signal);
  const failed = expect(running).rejects.toThrow('enough');
  await setTimeout(500);
  ending.abort(new Error('enough'));
  await failed;
});

it('begins nothing after the signal', async () => {
  await expect(run('work', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
});
