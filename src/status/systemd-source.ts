import { execFile } from 'node:child_process';
import { hrtime } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BotReading, BotSource } from './bot-source.ts';

const PROPERTIES = [
  'LoadState',
  'ActiveState',
  'SubState',
  'ActiveEnterTimestampMonotonic',
  'MemoryCurrent',
  'CPUUsageNSec',
] as const;
const STATES = new Map<string | undefined, BotReading['state']>([
  ['activating', 'starting'],
  ['reloading', 'starting'],
  ['deactivating', 'stopping'],
  ['inactive', 'offline'],
  ['failed', 'offline'],
]);
const OUTPUT_MAX_BYTES = 65_536;
/** Between the two readings of the processor time; Docker waits as long. */
const SPAN_MS = 1_000;

interface Shown extends Omit<BotReading, 'cpuPercent'> {
  /** Milliseconds since the machine started, which is systemd's clock. */
  readonly atMs: number;
  readonly cpuNs: number;
}

/** @param program replaces systemctl in tests */
export function createSystemdSource({ unit }: { readonly unit: string }, program = 'systemctl'): BotSource {
  return async (signal) => {
    const before = await show(program, unit, signal);
    if (before.state !== 'running') return { ...before, cpuPercent: 0 };
    await sleep(SPAN_MS, undefined, { signal });
    const shown = await show(program, unit, signal);
    const cpuMs = (shown.cpuNs - before.cpuNs) / 1e6;
    return { ...shown, cpuPercent: (cpuMs / (shown.atMs - before.atMs)) * 100 };
  };
}

function show(program: string, unit: string, signal: AbortSignal): Promise<Shown> {
  return new Promise((resolve, reject) => {
    execFile(
      program,
      ['show', `--property=${PROPERTIES.join(',')}`, '--', unit],
      { signal, maxBuffer: OUTPUT_MAX_BYTES, encoding: 'utf8' },
      (error, stdout) => {
        if (error) reject(new Error(`systemctl show failed (${error.code ?? error.signal})`));
        else resolve(parseShown(stdout, Number(hrtime.bigint() / 1_000n) / 1_000));
      },
    );
  });
}

/** @param output lines of `Property=value` */
export function parseShown(output: string, atMs: number): Shown {
  const values = new Map(
    output.split('\n').map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)] as const;
    }),
  );
  const active = values.get('ActiveState');
  const enteredUs = numberOf(values.get('ActiveEnterTimestampMonotonic'));
  return {
    state: toState(values.get('LoadState'), active, values.get('SubState')),
    // A restarting unit still has the time of its last start.
    uptimeMs: active !== 'activating' && enteredUs > 0 ? atMs - enteredUs / 1_000 : 0,
    memoryBytes: numberOf(values.get('MemoryCurrent')),
    atMs,
    cpuNs: numberOf(values.get('CPUUsageNSec')),
  };
}

function toState(
  load: string | undefined,
  active: string | undefined,
  sub: string | undefined,
): BotReading['state'] {
  if (load !== 'loaded') return load === 'masked' ? 'offline' : 'unknown';
  if (active === 'active') return sub === 'running' ? 'running' : 'unknown';
  return STATES.get(active) ?? 'unknown';
}

/** Without accounting systemd writes `[not set]` or the largest number. */
function numberOf(value: string | undefined): number {
  const number = /^\d+$/.test(value ?? '') ? Number(value) : 0;
  return Number.isSafeInteger(number) ? number : 0;
}
