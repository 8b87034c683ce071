/** The wall clock is set while the service runs; the monotonic clock goes on (libfaketime). */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LEASE_MS } from '#src/worker/worker.ts';
import { toScenario } from './fault.ts';
import type { Fault, Trial } from './fault.ts';
import { FAKETIME_LIBRARY } from './tools.ts';

const LASTS_MS = { full: 3 * LEASE_MS, quick: 3_000 };
const PAGES_LIMIT = 1_000;

const jumps = Object.entries({
  'two hours ahead': '+2h',
  'three days back': '-3d',
  'to the end of 32 bits, 2038': '+4500d',
}).map(([name, offset]): Fault => ({
  name: `the clock jumps ${name}`,
  isLong: offset === '+2h',
  needs: ['faketime'],
  settings: (folder) => {
    writeFileSync(clockOf(folder), '+0');
    return {
      LD_PRELOAD: FAKETIME_LIBRARY,
      FAKETIME_TIMESTAMP_FILE: clockOf(folder),
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  },
  async happen({ folder, ask, service, isQuick }) {
    service.takeLog();
    writeFileSync(clockOf(folder), offset);
    await setTimeout(isQuick ? LASTS_MS.quick : LASTS_MS.full);
    const { checkedAt } = JSON.parse((await ask('/api/status')).text) as { checkedAt: string };
    assert(!Number.isNaN(Date.parse(checkedAt)), `checkedAt is ${checkedAt}`);
    const waitSeconds = await refusal(service.origin);
    assert(waitSeconds >= 1 && waitSeconds <= 60, `Retry-After is ${waitSeconds}`);
    const standing = service.takeLog().filter((line) => line.includes('standing by'));
    assert.deepEqual(standing, [], 'the worker lost its lease');
    return `the worker goes on, Retry-After ${waitSeconds} s`;
  },
}));

export const clocks = toScenario('clocks', 'F12', jumps);

function clockOf(folder: string): string {
  return join(folder, 'clock');
}

/** One address asks until it is refused. @returns seconds that it is told to wait */
async function refusal(origin: Trial['service']['origin']): Promise<number> {
  for (let at = 0; at <= PAGES_LIMIT; at += 1) {
    const answer = await fetch(`${origin}/api/status`, { headers: { 'X-Forwarded-For': '10.9.1.1' } });
    await answer.arrayBuffer();
    if (answer.status === 429) return Number(answer.headers.get('retry-after'));
  }
  return Number.NaN;
}
