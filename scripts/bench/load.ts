/** Load on a server by autocannon, in processes of its own: `measure` starts this file for each. */
import autocannon from 'autocannon';
import { startFile } from './processes.ts';

export interface Load {
  readonly origin: string;
  /** Paths with query, asked in turn. */
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** X-Forwarded-For of the requests, in turn; the load ends when each has asked as often as a rate limit allows. */
  readonly clients?: readonly string[];
}

export interface Measured {
  /** Milliseconds of each answer. */
  readonly times: readonly number[];
  /** Answers other than 200, and broken connections. */
  readonly failures: number;
}

/** No rate limit refuses a load from this many addresses. */
const CLIENTS = 60_000;
/** Requests of an address in a minute (SPEC 8). */
const LIMIT = 1_000;
/** One autocannon saturates its core before a bare server saturates another one. */
const PROCESSES = 2;

export async function measure(load: Load, onBegin?: () => void): Promise<Measured> {
  const measureShare = (_: unknown, at: number): Promise<Measured> => {
    const share = { connections: load.connections / PROCESSES, paths: takePart(load.paths, at, PROCESSES) };
    const child = startFile('scripts/bench/load.ts', { ...load, ...share });
    return new Promise((resolve) => {
      child.on('message', (told: 'begin' | Measured) => (told === 'begin' ? onBegin?.() : resolve(told)));
    });
  };
  const shares = await Promise.all(Array.from({ length: PROCESSES }, measureShare));
  return {
    times: shares.flatMap(({ times }) => times),
    failures: shares.reduce((sum, { failures }) => sum + failures, 0),
  };
}

/** @returns one of this many parts of the paths; all of them where there are too few */
export function takePart(paths: readonly string[], at: number, parts: number): readonly string[] {
  const size = Math.floor(paths.length / parts);
  return size === 0 ? paths : paths.slice(at * size, (at + 1) * size);
}

function drive({ origin, paths, connections, seconds, clients }: Load): void {
  const amount = clients && (clients.length * LIMIT) / PROCESSES;
  const perConnection = Math.ceil(Math.max(amount ?? CLIENTS, paths.length) / connections);
  const times: number[] = [];
  let connection = 0;
  // Requests are built before the load begins, so that the figures do not include building them.
  const setupClient = (client: autocannon.Client): void => {
    const first = connection++;
    const requests = Array.from({ length: perConnection }, (_, index) => {
      const at = first + index * connections;
      const address = clients?.[at % clients.length] ?? `10.0.${(at >> 8) % (CLIENTS >> 8)}.${at & 255}`;
      return { path: paths[at % paths.length] ?? '', headers: { 'X-Forwarded-For': address } };
    });
    client.setRequests(requests);
  };
  const options = { url: origin, connections, timeout: 30, sampleInt: 50, setupClient, duration: seconds };
  const instance = autocannon({ ...options, ...(amount && { amount }) }, (_error, { non2xx, errors }) => {
    process.send?.({ times, failures: non2xx + errors }, () => process.disconnect?.());
  });
  instance.on('response', (_client, _status, _bytes, ms) => times.push(ms));
  // autocannon itself forgets the duration where it is given an amount.
  setTimeout(() => instance.stop(), seconds * 1_000).unref();
}

if (import.meta.main)
  process.once('message', (load: Load) => {
    process.send?.('begin');
    drive(load);
  });
