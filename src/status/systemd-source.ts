import { execFile, type ExecException } from 'node:child_process';
import { hrtime } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv, promisify } from 'node:util';
import type { BotReading, BotSource } from './bot-source.ts';

const PROPERTIES = 'LoadState,ActiveState,SubState,ActiveEnterTimestampMonotonic,MemoryCurrent,CPUUsageNSec';
const STATES = new Map<string | undefined, BotReading['state']>([
  ['activating', 'starting'],
  ['reloading', 'starting'],
  ['deactivating', 'stopping'],
  ['inactive', 'offline'],
  ['failed', 'offline'],
]);
const run = promisify(execFile);
const OUTPUT_MAX_BYTES = 65_536;
/** Between the two readings of the processor time; Docker waits as long. */
const SPAN_MS = 1_000;

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

async function show(program: string, unit: string, signal: AbortSignal) {
  const options = { signal, maxBuffer: OUTPUT_MAX_BYTES };
  const running = run(program, ['show', `--property=${PROPERTIES}`, '--', unit], options);
  const { stdout } = await running.catch(({ code, signal: killer }: ExecException) => {
    throw new Error(`systemctl show failed (${code ?? killer})`);
  });
  return parseShown(stdout, Number(hrtime.bigint() / 1_000n) / 1_000);
}

/** @param output lines of `Property=value` @param atMs since the machine started, which is systemd's clock */
export function parseShown(output: string, atMs: number) {
  const values = parseEnv(output);
  const enteredUs = numberOf(values['ActiveEnterTimestampMonotonic']);
  return {
    state: toState(values),
    // A restarting unit still has the time of its last start.
    uptimeMs: values['ActiveState'] !== 'activating' && enteredUs > 0 ? atMs - enteredUs / 1_000 : 0,
    memoryBytes: numberOf(values['MemoryCurrent']),
    atMs,
    cpuNs: numberOf(values['CPUUsageNSec']),
  };
}

function toState({ LoadState, ActiveState, SubState }: ReturnType<typeof parseEnv>): BotReading['state'] {
  if (LoadState !== 'loaded') return LoadState === 'masked' ? 'offline' : 'unknown';
  if (ActiveState === 'active') return SubState === 'running' ? 'running' : 'unknown';
  return STATES.get(ActiveState) ?? 'unknown';
}

/** Without accounting systemd writes `[not set]` or the largest number. */
function numberOf(value: string | undefined): number {
  const number = /^\d+$/.test(value ?? '') ? Number(value) : 0;
  return Number.isSafeInteger(number) ? number : 0;
}
