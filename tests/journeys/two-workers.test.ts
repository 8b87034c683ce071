import { expect, it } from 'vitest';
import { runWorker } from '../support/server-process.ts';
import { makeDatabase } from '../support/temporary-database.ts';

const ACTING = { msg: 'acting: the lock is ours' };
const STANDING_BY = { msg: 'standing by: another process has the lock' };
const ENDED_WELL = { code: 0, signal: null, stderr: '' };

it('one of two workers acts, and another takes over however it ends', async () => {
  const { path } = await makeDatabase();
  const first = runWorker(path);
  await first.logged(ACTING);
  const second = runWorker(path);
  await second.logged(STANDING_BY);
  await first.logged({ msg: 'job ended', job: 'search' });
  expect(second.lines.filter(({ job }) => job !== undefined)).toEqual([]);

  first.child.kill('SIGKILL');
  await second.logged(ACTING);
  await second.logged({ msg: 'job ended', job: 'search' });

  const third = runWorker(path);
  await third.logged(STANDING_BY);
  await third.logged({ msg: 'started' });
  third.child.kill('SIGTERM');
  expect(await third.ended).toEqual(ENDED_WELL);
  second.child.kill('SIGTERM');
  expect(await second.ended).toEqual(ENDED_WELL);
  await runWorker(path).logged(ACTING);
});
