/** Probes all parts at once. Never throws, and never takes longer than one probe. */
import { performance } from 'node:perf_hooks';
import type { Outbound } from '../outbound/outbound.ts';
import type { OutageLog } from '../outbound/outage-log.ts';
import type { BotReading, BotSource } from './bot-source.ts';
import { createDockerSource } from './docker-source.ts';
import { createPanelSource } from './panel-source.ts';
import { createProbes, type Probe, type StatusSettings } from './probes.ts';
import {
  BOT_IDS,
  PROBE_DEADLINE_MS,
  type BotId,
  type CheckId,
  type PartId,
  type Status,
  type StatusBot,
  type StatusCheck,
} from './status.ts';
import { createSystemdSource } from './systemd-source.ts';

/** @param checkDatabase throws when it is unhealthy @param signal ends the sample; missing answers count as failed */
export type TakeSample = (checkDatabase: () => unknown, signal?: AbortSignal) => Promise<Status>;

export interface SamplerOptions {
  readonly settings: StatusSettings;
  readonly outbound: Outbound;
  readonly outages: OutageLog;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly deadlineMs?: number;
}

const OUTSIDE = ['litecoin', 'chat_platform', 'protection_service'] as const;
const CPU_DECIMALS = 3;
/** A hundred years, a pebibyte and 10,000 cores: a source that names more is wrong. */
const USAGE_MAX = { uptimeMs: 100 * 365.25 * 86_400_000, memoryBytes: 2 ** 50, cpuPercent: 1_000_000 };
const NO_USAGE = { uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };

export function createSampler(options: SamplerOptions): TakeSample {
  const { settings, outbound, outages, now = Date.now, deadlineMs = PROBE_DEADLINE_MS } = options;
  const probes = createProbes(outbound, settings, now);
  const bots = BOT_IDS.map((id) => {
    const bot = settings.bots[id];
    return [id, bot && createBotSource(outbound, bot)] as const;
  });

  /** @returns undefined after a failure */
  const attempt = async <T>(part: PartId, work: () => Promise<T>): Promise<{ result: T } | undefined> => {
    try {
      const result = await work();
      outages.succeeded(part);
      return { result };
    } catch (error) {
      outages.failed(part, error);
      return undefined;
    }
  };

  const check = async (id: CheckId, probe: Probe | undefined, signal: AbortSignal): Promise<StatusCheck> => {
    if (!probe) return { id, ok: false, latencyMs: 0 };
    const startedAt = performance.now();
    const answer = await attempt(id, () => probe(signal));
    // At least 1, because 0 means that nothing is configured.
    const latencyMs = Math.max(1, Math.round(performance.now() - startedAt));
    return { id, ok: answer !== undefined, latencyMs };
  };

  const readBot = async (
    id: BotId,
    source: BotSource | undefined,
    signal: AbortSignal,
  ): Promise<StatusBot> => {
    if (!source) return { id, ok: false, state: 'not_configured', ...NO_USAGE };
    const answer = await attempt(id, async () => {
      const reading = await source(signal);
      return { state: reading.state, ...toUsage(reading) };
    });
    if (!answer) return { id, ok: false, state: 'unknown', ...NO_USAGE };
    return { id, ok: answer.result.state === 'running', ...answer.result };
  };

  return async (checkDatabase, ended) => {
    const deadline = AbortSignal.timeout(deadlineMs);
    const signal = ended ? AbortSignal.any([deadline, ended]) : deadline;
    // SQLite is synchronous: it runs first, so that its time does not count for the others.
    const database = await check('database', async () => checkDatabase(), signal);
    const [checks, readings] = await Promise.all([
      Promise.all(OUTSIDE.map((id) => check(id, probes[id], signal))),
      Promise.all(bots.map(([id, source]) => readBot(id, source, signal))),
    ]);
    return { checks: [database, ...checks], bots: readings, checkedAt: new Date(now()).toISOString() };
  };
}

function createBotSource(outbound: Outbound, settings: NonNullable<StatusSettings['bots'][BotId]>) {
  if (settings.source === 'panel') return createPanelSource(outbound, settings);
  if (settings.source === 'docker') return createDockerSource(outbound, settings);
  return createSystemdSource(settings);
}

/** Rounds as SPEC 2.4 asks; a bot that is off uses nothing. @throws for a number outside its range */
function toUsage(reading: BotReading): typeof NO_USAGE {
  const { state, uptimeMs, memoryBytes, cpuPercent } = reading;
  if (state === 'offline') return NO_USAGE;
  for (const [name, max] of Object.entries(USAGE_MAX))
    if (!(reading[name as keyof typeof USAGE_MAX] <= max)) throw new Error(`its ${name} cannot be right`);
  return {
    uptimeMs: Math.max(0, Math.round(uptimeMs)),
    memoryBytes: Math.max(0, Math.round(memoryBytes)),
    cpuPercent: Math.max(0, Number(cpuPercent.toFixed(CPU_DECIMALS))),
  };
}
