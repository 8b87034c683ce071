/** A service that is asked and written to for long: its memory and its descriptors stay what they are. */
import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { readAnonymousBytes } from '../bench/processes.ts';
import { toScenario } from './fault.ts';
import type { Fault } from './fault.ts';
import type { Scenario } from './scenario.ts';
import { askAtRate } from './visitors.ts';

const SAMPLE_MS = 10_000;
/** Questions a second, and how long after a write the next one. */
const LOAD = { rate: 100, pauseMs: 5_000 };
/** At first all that is bounded fills: caches, what is remembered of addresses, the young generation. */
const WARM_SHARE = 1 / 6;
/** Busier than afterwards, for some of it fills only when much is asked. */
const WARM_LOAD = { rate: 250, pauseMs: 1_000 };
const GROWS_MAX_BYTES = 1_000_000;
const PER_MS = 10 * 60_000;
const NAMES = ['web', 'worker'] as const;
const PATHS = [
  '/scammers?skip=',
  '/api/scammers?search=a&skip=',
  '/api/scammers?sort=popular&skip=',
  '/api/check?id=',
];

/** @param minutes how long it lasts */
export function makeSoak(minutes: number): Scenario {
  const fault: Fault = {
    name: `asked and written to for ${minutes} minutes`,
    async happen({ service, ask, writer }) {
      const samples: { at: number; bytes: readonly number[]; descriptors: readonly number[] }[] = [];
      const lastsMs = minutes * 60_000;
      const warmMs = lastsMs * WARM_SHARE;
      const begun = performance.now();
      const isBefore = (ms: number): boolean => performance.now() - begun < ms;
      const question = async (at: number): Promise<void> => {
        await ask(`${PATHS[at % PATHS.length]}${at % 900}`);
      };
      // As many as ever, however busy the machine is: how much is kept depends on it.
      const asking = (async () => {
        await askAtRate(WARM_LOAD.rate, warmMs, question);
        await askAtRate(LOAD.rate, lastsMs - warmMs, question);
      })();
      const writing = (async () => {
        // The same ones: of more entries, more is kept in memory.
        await writer.write({ entries: 5 });
        for (; isBefore(lastsMs); await setTimeout((isBefore(warmMs) ? WARM_LOAD : LOAD).pauseMs))
          await writer.write({ entries: 5, again: true });
      })();
      const looking = (async () => {
        for (; isBefore(lastsMs); await setTimeout(SAMPLE_MS)) {
          const pids = NAMES.map((name) => service.pidOf(name));
          samples.push({
            at: performance.now() - begun,
            bytes: pids.map(readAnonymousBytes),
            descriptors: pids.map((pid) => readdirSync(`/proc/${pid}/fd`).length),
          });
        }
      })();
      await Promise.all([asking, writing, looking]);
      const warm = samples.filter(({ at }) => at >= warmMs);
      const grown = NAMES.map(
        (_, place) => slope(warm.map(({ at, bytes }) => [at, bytes[place] ?? 0])) * PER_MS,
      );
      const said = NAMES.map((name, place) => {
        const open = warm.map(({ descriptors }) => descriptors[place] ?? 0);
        return `${name} ${((grown[place] ?? 0) / 1_000_000).toFixed(2)} MB in ten minutes, ${Math.min(...open)}–${Math.max(...open)} descriptors`;
      }).join('; ');
      if (grown.some((bytes) => bytes > GROWS_MAX_BYTES)) throw new Error(`memory grows: ${said}`);
      return said;
    },
  };
  return { ...toScenario('soak', 'F22', [fault]), isOnRequest: true };
}

/** Of the line with the least squares through these points. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (place: 0 | 1): number => points.reduce((sum, point) => sum + point[place], 0) / points.length;
  const [meanX, meanY] = [mean(0), mean(1)];
  const over = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return over / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
