import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a process that sends to a parent that has ended still ends in order', async () => {
  const child = fork(join(import.meta.dirname, '../support/ending-process.ts'), { stdio: 'pipe' });
  await once(child, 'message');
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
