import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { holdPlace } from '#src/db/hold-place.ts';
import { makeFolder } from '../support/temporary-database.ts';

const MODULE = join(import.meta.dirname, '../../src/db/hold-place.ts');

it('holds a place for one process, until that ends, however it ends', async () => {
  const file = join(makeFolder(), 'data/demo.lock');
  const holder = spawn(
    process.execPath,
    [
      '--expose-gc',
      '-e',
      `import(${JSON.stringify(MODULE)}).then(({ holdPlace }) => {
       if (holdPlace(${JSON.stringify(file)})) { globalThis.gc(); console.log('held'); }
       setInterval(() => {}, 1_000);
     })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  onTestFinished(() => void holder.kill('SIGKILL'));
  const [said] = (await once(holder.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('held\n');
  expect(holdPlace(file)).toBeUndefined();

  const ended = once(holder, 'exit');
  holder.kill('SIGKILL');
  await ended;
  const release = holdPlace(file);
  expect(holdPlace(file)).toBeUndefined();
  release?.();
  const again = holdPlace(file);
  expect(again).toBeDefined();
  again?.();
});
