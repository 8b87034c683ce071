import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFaultyService } from '../../support/faulty-service.ts';
import { trials } from '../../support/trials.ts';

const KILLS = trials(2, 20);
/** A process that has run for 20 s is started again at once; each of the two is killed at every second turn. */
const PAUSE_MS = trials(500, 10_500);
/** An import that is not killed takes about as long. */
const IMPORT_MS = 1_000;

it(
  `${KILLS} kills of web process and worker, and kills of imports, leave right answers and every acknowledged import`,
  { timeout: trials(240_000, 1_800_000) },
  async () => {
    const service = await startFaultyService();
    let isOver = false;
    const count = { kept: 0, killed: 0 };
    const importing = (async () => {
      for (let at = 0; !isOver; at += 1) {
        const isKilled = at % 2 === 1;
        const isKept = await service.write({
          count: 60,
          ...(isKilled && { killAfterMs: Math.random() * IMPORT_MS }),
        });
        count[isKept ? 'kept' : 'killed'] += 1;
      }
    })();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await setTimeout(PAUSE_MS);
      process.kill(service.pidOf(kill % 2 === 0 ? 'web' : 'worker'), 'SIGKILL');
      await service.untilRight();
    }
    isOver = true;
    await importing;
    expect(count.kept).toBeGreaterThan(0);
    await service.expectRecovery();
  },
);
