import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lockForProcess } from '#src/db/process-lock.ts';
import { makeFolder } from '../../support/temporary-database.ts';

const MODULE = join(import.meta.dirname, '../../../src/db/process-lock.ts');

it('holds a place for one process, until that ends, however it ends', async () => {
  const file = join(makeFolder(), 'data/demo.lock');
  const holder = spawn(
    process.execPath,
    [
      '--expose-gc',
      '-e',
      `import(${JSON.stringify(MODULE)}).then(({ lockForProcess }) => {
       if (lockForProcess(${JSON.stringify(file)})) { globalThis.gc(); console.log('held'); }
       setInterval(() => {}, 1_000);
     })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void holder.kill('SIGKILL'));
  const [said] = (await once(holder.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('held\n');
  expect(lockForProcess(file)).toBeUndefined();

  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
  const release = lockForProcess(file);
  expect(lockForProcess(file)).toBeUndefined();
  release?.();
  const again = lockForProcess(file);
  expect(again).toBeDefined();
  again?.();
});
