/** Far more addresses than are remembered, and twice as much as the machine can do. */
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { readAnonymousBytes } from '../bench/processes.ts';
import { toScenario } from './fault.ts';
import type { Fault } from './fault.ts';
import { askAs, askAtRate, askInTurn } from './visitors.ts';

const ADDRESSES = { full: 1_000_000, quick: 60_000 };
/** Whatever the machine can do, the spray is over by then. */
const SPRAY_MAX_SECONDS = { full: 150, quick: 8 };
/** In a full run as many are held then as can be, and caches and the garbage collector have what they need. */
const WARM_SHARE = 0.25;
const GROWS_MAX_BYTES = { full: 40_000_000, quick: 60_000_000 };
const MEASURE_SECONDS = { full: 10, quick: 3 };
const TWICE_SECONDS = { full: 30, quick: 6 };
const CONNECTIONS = 64;

const spray: Fault = {
  name: 'each question comes from another address',
  async happen({ service, knownId, isQuick }) {
    const pid = service.pidOf('web');
    const wanted = isQuick ? ADDRESSES.quick : ADDRESSES.full;
    const seconds = isQuick ? SPRAY_MAX_SECONDS.quick : SPRAY_MAX_SECONDS.full;
    let addresses = 0;
    const askFromEach = async (amount: number): Promise<void> => {
      const { asked, failed } = await askInTurn(
        service.origin,
        { connections: CONNECTIONS, seconds, amount },
        (at) => ({ path: `/api/check?id=${knownId}`, address: numberedAddress(addresses + at) }),
      );
      addresses += asked;
      assert.equal(failed, 0, `${failed} of ${asked} were refused`);
    };
    await askFromEach(WARM_SHARE * wanted);
    const before = readAnonymousBytes(pid);
    await askFromEach(wanted - addresses);
    const after = readAnonymousBytes(pid);
    const limit = isQuick ? GROWS_MAX_BYTES.quick : GROWS_MAX_BYTES.full;
    assert(after - before <= limit, `memory grew from ${megabytes(before)} to ${megabytes(after)}`);
    return `${addresses.toLocaleString('en')} addresses; after a quarter of them it held ${megabytes(before)}, at the end ${megabytes(after)}`;
  },
};

const twice: Fault = {
  name: 'twice as many pages are asked for as can be made',
  async happen({ service, ask, knownId, isQuick }) {
    const { perSecond, asked } = await askInTurn(
      service.origin,
      { connections: 32, seconds: isQuick ? MEASURE_SECONDS.quick : MEASURE_SECONDS.full },
      (at) => ({ path: pageOf(at), address: addressOf(at) }),
    );
    const count = { right: 0, overloaded: 0, other: 0, broken: new Set<string>() };
    const agent = new Agent({ keepAlive: true, maxSockets: 2_000 });
    const lastsMs = (isQuick ? TWICE_SECONDS.quick : TWICE_SECONDS.full) * 1_000;
    let slowestMs = 0;
    const begun = performance.now();
    const checking = (async () => {
      while (performance.now() - begun < lastsMs) {
        const askedAt = performance.now();
        assert.equal((await ask(`/api/check?id=${knownId}`)).status, 200);
        slowestMs = Math.max(slowestMs, performance.now() - askedAt);
        await setTimeout(100);
      }
    })();
    await askAtRate(2 * perSecond, lastsMs, async (at) => {
      try {
        const { statusCode, headers } = await askAs(
          service.origin + pageOf(asked + at),
          addressOf(at),
          agent,
        );
        if (statusCode === 200) count.right += 1;
        else if (statusCode === 503 && headers['retry-after'] !== undefined) count.overloaded += 1;
        else count.other += 1;
      } catch (error) {
        count.broken.add((error as Error).message);
      }
    });
    await checking;
    agent.destroy();
    assert.deepEqual([...count.broken], []);
    assert.equal(count.other, 0, `${count.other} answers were neither pages nor 503`);
    return `${Math.round(2 * perSecond)} a second: ${count.right} pages, ${count.overloaded} times 503 with Retry-After; a check took ${Math.round(slowestMs)} ms at most`;
  },
};

export const crowds = { ...toScenario('crowds', 'limits', [spray, twice]), isAlone: true as const };

/** 53,100 of them: nobody has asked before, for those are kept. */
function pageOf(at: number): string {
  return `/scammers?sort=popular&skip=${at % 900}&limit=${1 + (at % 59)}`;
}

function numberedAddress(at: number): string {
  return `10.${(at >>> 16) & 255}.${(at >>> 8) & 255}.${at & 255}`;
}

function addressOf(at: number): string {
  return `10.12.${(at >>> 8) & 255}.${at & 255}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}
