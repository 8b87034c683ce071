// Needs: faketime
/** The worker under a wall clock that somebody sets: libfaketime changes it, the monotonic clock goes on. */
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { makeWorkerPlace } from '../../support/worker-place.ts';

const [LIBRARY = ''] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');

it('jobs go on when the wall clock jumps back and forward', async () => {
  const place = await makeWorkerPlace();
  const clock = join(place.cwd, 'clock');
  writeFileSync(clock, '+0');
  place.start({
    LD_PRELOAD: LIBRARY,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  });
  const ticks = (): number => place.runs('tick').length;
  await vi.waitFor(() => expect(ticks()).toBeGreaterThanOrEqual(2), { timeout: 30_000 });
  for (const offset of ['-2h', '+2h']) {
    writeFileSync(clock, offset);
    const before = ticks();
    await vi.waitFor(() => expect(ticks(), offset).toBeGreaterThanOrEqual(before + 4), { timeout: 15_000 });
    // One a second: what was passed over is not made good one by one.
    expect(ticks(), offset).toBeLessThan(before + 25);
  }
});
