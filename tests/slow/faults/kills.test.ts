import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startFaultyService } from '../../support/faulty-service.ts';
import { countEntries } from '../../support/stored-entries.ts';
import { trials } from '../../support/trials.ts';

const KILLS = trials(2, 20);
/** A process that has run for 20 s is started again at once; each of the two is killed at every second turn. */
const PAUSE_MS = trials(500, 10_500);
const IMPORT_MS = 1_000;
const RECORDS = 60;

it(
  `${KILLS} kills of web process and worker, and kills of imports, leave right answers and whole imports`,
  { timeout: trials(240_000, 1_800_000) },
  async () => {
    const service = await startFaultyService();
    let isOver = false;
    let kept = 0;
    const importing = (async () => {
      for (let at = 0; !isOver; at += 1) {
        const isKilled = at % 2 === 1;
        const killAfterMs = isKilled ? Math.random() * IMPORT_MS : undefined;
        if (await service.write({ count: RECORDS, killAfterMs })) kept += 1;
      }
    })();
    for (let kill = 0; kill < KILLS; kill += 1) {
      await setTimeout(PAUSE_MS);
      process.kill(service.pidOf(kill % 2 === 0 ? 'web' : 'worker'), 'SIGKILL');
      await service.untilRight();
    }
    isOver = true;
    await importing;
    expect(kept).toBeGreaterThan(0);
    const stored = countEntries(service.operator, 'servers');
    expect(stored % RECORDS, 'an import counts whole or not at all').toBe(0);
    await service.expectRecovery();
  },
);
