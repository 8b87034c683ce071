/** Web process, worker and an importing command are killed at random moments: nothing that was acknowledged is lost. */
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { createRandom } from '../bench/questions.ts';
import { seconds, toScenario } from './fault.ts';
import type { Fault } from './fault.ts';

/**
 * `kills` are of web process and worker in turn, with a pause in which one that was killed before counts as stable:
 * else the supervisor waits longer and longer. `imports` are killed meanwhile.
 */
const FULL = { kills: 60, pauseMs: 10_500, imports: 140, entries: 60 };
const QUICK = { kills: 2, pauseMs: 6_000, imports: 6, entries: 60 };
/** An import that is not killed takes about as long. */
const IMPORT_MS = 1_000;
/** Of a machine that does nothing else. */
const BACK_WITHIN_MS = 2_000;
const SEED = 3;

const killed: Fault = {
  name: 'web process, worker and imports are killed',
  async happen({ isQuick, service, writer, untilRight }) {
    const { kills: count, pauseMs, imports, entries } = isQuick ? QUICK : FULL;
    const random = createRandom(SEED);
    let slowestMs = 0;
    let isOver = false;
    let killedImports = 0;
    const importing = (async () => {
      for (let at = 0; !isOver; at += 1) {
        const isKilled = at % 2 === 0 && killedImports < imports;
        if (isKilled) killedImports += 1;
        await writer.write({ entries, ...(isKilled && { killAfterMs: random() * IMPORT_MS }) });
      }
    })();
    for (let kill = 0; kill < count; kill += 1) {
      await setTimeout(pauseMs * (0.9 + 0.2 * random()));
      process.kill(service.pidOf(kill % 2 === 0 ? 'web' : 'worker'), 'SIGKILL');
      slowestMs = Math.max(slowestMs, await untilRight());
    }
    isOver = true;
    await importing;
    assert(isQuick || slowestMs <= BACK_WITHIN_MS, `back after ${seconds(slowestMs)}`);
    return `${count} kills of the two, right again after ${seconds(slowestMs)} at most; ${killedImports} imports killed`;
  },
};

export const kills = toScenario('kills', 'F1, F2', [killed]);
