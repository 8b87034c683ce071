import { execFile } from 'node:child_process';
import { hrtime } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { toBotReading, type BotReading, type BotSource } from './bot-source.ts';

const PROPERTIES = [
  'LoadState',
  'ActiveState',
  'SubState',
  'InvocationID',
  'ActiveEnterTimestampMonotonic',
  'MemoryCurrent',
  'CPUUsageNSec',
] as const;
const OUTPUT_MAX_BYTES = 65_536;
/** Between the first two readings of the processor time. */
const FIRST_SPAN_MS = 500;
/** An older reading would give a mean of the past. */
const SPAN_MAX_MS = 60_000;

interface CpuReading {
  readonly invocation: string;
  readonly atMs: number;
  readonly cpuNs: number;
}

/** @param program replaces systemctl in tests */
export function createSystemdSource({ unit }: { readonly unit: string }, program = 'systemctl'): BotSource {
  let last: CpuReading | undefined;
  return async (signal) => {
    let shown = await show(program, unit, signal);
    if (shown.state !== 'running') return toBotReading({ ...shown, cpuPercent: 0 });
    let before = last;
    if (!before || before.invocation !== shown.cpu.invocation || shown.cpu.atMs - before.atMs > SPAN_MAX_MS) {
      before = shown.cpu;
      await sleep(FIRST_SPAN_MS, undefined, { signal });
      shown = await show(program, unit, signal);
    }
    last = shown.cpu;
    return toBotReading({ ...shown, cpuPercent: cpuPercentOf(before, shown.cpu) });
  };
}

interface Shown extends Omit<BotReading, 'cpuPercent'> {
  readonly cpu: CpuReading;
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

/**
 * @param output lines of `Property=value`
 * @param monotonicMs milliseconds since the machine started, which is systemd's clock
 */
export function parseShown(output: string, monotonicMs: number): Shown {
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
    uptimeMs: active !== 'activating' && enteredUs > 0 ? monotonicMs - enteredUs / 1_000 : 0,
    memoryBytes: numberOf(values.get('MemoryCurrent')),
    cpu: {
      invocation: values.get('InvocationID') ?? '',
      atMs: monotonicMs,
      cpuNs: numberOf(values.get('CPUUsageNSec')),
    },
  };
}

function toState(
  load: string | undefined,
  active: string | undefined,
  sub: string | undefined,
): BotReading['state'] {
  if (load !== 'loaded') return load === 'masked' ? 'offline' : 'unknown';
  switch (active) {
    case 'active':
      return sub === 'running' ? 'running' : 'unknown';
    case 'activating':
    case 'reloading':
      return 'starting';
    case 'deactivating':
      return 'stopping';
    case 'inactive':
    case 'failed':
      return 'offline';
    default:
      return 'unknown';
  }
}

/** Without accounting systemd writes `[not set]` or the largest number. */
function numberOf(value: string | undefined): number {
  const number = /^\d+$/.test(value ?? '') ? Number(value) : 0;
  return Number.isSafeInteger(number) ? number : 0;
}

function cpuPercentOf(before: CpuReading, after: CpuReading): number {
  const passedMs = after.atMs - before.atMs;
  return passedMs > 0 ? ((after.cpuNs - before.cpuNs) / 1e6 / passedMs) * 100 : 0;
}
