import { expect, it, vi } from 'vitest';
import { ACTING, makeWorkerPlace, STANDING_BY } from '../support/worker-place.ts';

it('one of two workers acts, and the other takes over when it is killed', async () => {
  const place = await makeWorkerPlace();
  const first = place.start();
  await first.logged({ msg: ACTING });
  const second = place.start();
  await second.logged({ msg: STANDING_BY });
  await vi.waitFor(() => expect(place.runs('tick').length).toBeGreaterThanOrEqual(2), { timeout: 20_000 });
  expect(new Set(place.runs('tick'))).toEqual(new Set([first.pid]));
  expect(second.lines.filter(({ job }) => job !== undefined)).toEqual([]);

  first.child.kill('SIGKILL');
  await second.logged({ msg: ACTING });
  await second.logged({ msg: 'job started', job: 'slow' });
  await vi.waitFor(() => expect(place.runs('tick')).toContain(second.pid), { timeout: 20_000 });
  expect(second.lines.filter(({ msg }) => msg === ACTING)).toHaveLength(1);
});
