/** Far more addresses than are remembered, and twice as much as the machine can do. */
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { Request } from 'autocannon';
import { readAnonymousBytes } from '../bench/processes.ts';
import { toScenario } from './fault.ts';
import type { Fault } from './fault.ts';
import { askAs, askAtRate } from './open-loop.ts';

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
    const url = `${service.origin}/api/check?id=${knownId}`;
    const first = await askFromEach(url, 0, WARM_SHARE * wanted, isQuick);
    const before = readAnonymousBytes(pid);
    const addresses = await askFromEach(url, first, wanted - first, isQuick);
    const after = readAnonymousBytes(pid);
    const limit = isQuick ? GROWS_MAX_BYTES.quick : GROWS_MAX_BYTES.full;
    assert(after - before <= limit, `memory grew from ${megabytes(before)} to ${megabytes(after)}`);
    return `${addresses.toLocaleString('en')} addresses; after a quarter of them it held ${megabytes(before)}, at the end ${megabytes(after)}`;
  },
};

/** @returns how many addresses have asked when these have. @throws when one of them is refused */
async function askFromEach(url: string, first: number, amount: number, isQuick: boolean): Promise<number> {
  let address = first;
  const setupRequest = (request: Request): Request => {
    address += 1;
    const text = `10.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
    return { ...request, headers: { 'X-Forwarded-For': text } };
  };
  const instance = autocannon({ url, connections: CONNECTIONS, amount, requests: [{ setupRequest }] });
  const seconds = isQuick ? SPRAY_MAX_SECONDS.quick : SPRAY_MAX_SECONDS.full;
  const timer = globalThis.setTimeout(
    () => void (instance as unknown as { stop(): void }).stop(),
    seconds * 1_000,
  );
  const { errors, non2xx } = await instance;
  clearTimeout(timer);
  assert.equal(errors + non2xx, 0, `${errors + non2xx} of ${address} were refused`);
  return address;
}

const twice: Fault = {
  name: 'twice as many pages are asked for as can be made',
  async happen({ service, ask, knownId, isQuick }) {
    const seconds = isQuick ? MEASURE_SECONDS.quick : MEASURE_SECONDS.full;
    const { capacity, asked } = await measurePages(service.origin, seconds);
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
    await askAtRate(2 * capacity, lastsMs, async (at) => {
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
    return `${Math.round(2 * capacity)} a second: ${count.right} pages, ${count.overloaded} times 503 with Retry-After; a check took ${Math.round(slowestMs)} ms at most`;
  },
};

export const crowds = { ...toScenario('crowds', 'limits', [spray, twice]), isAlone: true as const };

/**
 * Pages that nobody has asked for before, for those are kept, from different addresses.
 * @returns how many come in a second when some ask at once, and how many were asked for
 */
async function measurePages(
  origin: string,
  seconds: number,
): Promise<{ readonly capacity: number; readonly asked: number }> {
  let asked = 0;
  const setupRequest = (request: Request): Request => {
    asked += 1;
    return { ...request, path: pageOf(asked), headers: { 'X-Forwarded-For': addressOf(asked) } };
  };
  const result = await autocannon({
    url: origin,
    connections: 32,
    duration: seconds,
    requests: [{ setupRequest }],
  });
  return { capacity: result['2xx'] / result.duration, asked };
}

/** 53,100 of them. */
function pageOf(at: number): string {
  return `/scammers?sort=popular&skip=${at % 900}&limit=${1 + (at % 59)}`;
}

function addressOf(at: number): string {
  return `10.12.${(at >>> 8) & 255}.${at & 255}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(0)} MB`;
}
