/** Probes all parts at once. Never throws, and never takes longer than one probe. */
import { performance } from 'node:perf_hooks';
import type { Outbound } from '../outbound/outbound.ts';
import { untilAborted } from '../outbound/until-aborted.ts';
import type { BotSource } from './bot-source.ts';
import { createDockerSource } from './docker-source.ts';
import { createPanelSource } from './panel-source.ts';
import { createProbes, type Probe } from './probes.ts';
import {
  BOT_IDS,
  CHECK_IDS,
  PROBE_DEADLINE_MS,
  type BotId,
  type CheckId,
  type PartId,
  type Status,
  type StatusBot,
  type StatusCheck,
} from './status.ts';
import type { BotSettings, StatusSettings } from './status-settings.ts';
import { createSystemdSource } from './systemd-source.ts';

/**
 * @param checkDatabase throws when the database is unhealthy
 * @param signal ends the sample; missing answers count as failed
 */
export type TakeSample = (checkDatabase: () => unknown, signal?: AbortSignal) => Promise<Status>;

/** Called for each new reason; a reason contains no secret. */
export type ReportTrouble = (part: PartId, reason: string) => void;

export interface SamplerOptions {
  readonly settings: StatusSettings;
  readonly outbound: Outbound;
  readonly report: ReportTrouble;
  /** Called when a reported part is healthy again. */
  readonly recovered?: (part: PartId) => void;
  /** Epoch milliseconds. */
  readonly now?: () => number;
  readonly deadlineMs?: number;
}

export function createSampler({
  settings,
  outbound,
  report,
  recovered = () => {},
  now = Date.now,
  deadlineMs = PROBE_DEADLINE_MS,
}: SamplerOptions): TakeSample {
  const probes = createProbes(outbound, settings, now);
  const bots = BOT_IDS.map((id) => {
    const bot = settings.bots[id];
    return [id, bot && createBotSource(outbound, bot)] as const;
  });

  const lastReasons = new Map<PartId, string>();
  const recordResult: RecordResult = (part, error) => {
    if (error === undefined) {
      if (lastReasons.delete(part)) recovered(part);
      return;
    }
    const reason = error instanceof Error ? error.message : 'it failed';
    if (lastReasons.get(part) !== reason) report(part, reason);
    lastReasons.set(part, reason);
  };

  return async (checkDatabase, ended) => {
    // SQLite is synchronous: it runs first, so that its time does not count for the others.
    const database = timeDatabase(checkDatabase, recordResult);
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Error('no answer in time')), deadlineMs);
    const signal = ended ? AbortSignal.any([deadline.signal, ended]) : deadline.signal;
    try {
      const [checks, readings] = await Promise.all([
        Promise.all(
          CHECK_IDS.map(async (id) =>
            id === 'database' ? database : timeProbe(id, probes[id], signal, recordResult),
          ),
        ),
        Promise.all(bots.map(([id, source]) => readBot(id, source, signal, recordResult))),
      ]);
      return { checks, bots: readings, checkedAt: new Date(now()).toISOString() };
    } finally {
      clearTimeout(timer);
    }
  };
}

function createBotSource(outbound: Outbound, settings: BotSettings): BotSource {
  switch (settings.source) {
    case 'panel':
      return createPanelSource(outbound, settings);
    case 'docker':
      return createDockerSource(outbound, settings);
    case 'systemd':
      return createSystemdSource(settings);
  }
}

/** Undefined: the part is healthy. */
type RecordResult = (part: PartId, error: unknown) => void;

function timeDatabase(checkDatabase: () => unknown, recordResult: RecordResult): StatusCheck {
  const startedAt = performance.now();
  let ok = true;
  try {
    checkDatabase();
    recordResult('database', undefined);
  } catch (error) {
    ok = false;
    recordResult('database', error);
  }
  return { id: 'database', ok, latencyMs: elapsedMs(startedAt) };
}

async function timeProbe(
  id: CheckId,
  probe: Probe | undefined,
  signal: AbortSignal,
  recordResult: RecordResult,
): Promise<StatusCheck> {
  if (!probe) return { id, ok: false, latencyMs: 0 };
  const startedAt = performance.now();
  let ok = false;
  try {
    ok = await untilAborted(probe(signal), signal);
    recordResult(id, ok ? undefined : 'it answers that it is not ready');
  } catch (error) {
    recordResult(id, error);
  }
  return { id, ok, latencyMs: elapsedMs(startedAt) };
}

async function readBot(
  id: BotId,
  source: BotSource | undefined,
  signal: AbortSignal,
  recordResult: RecordResult,
): Promise<StatusBot> {
  const nothing = { uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };
  if (!source) return { id, ok: false, state: 'not_configured', ...nothing };
  try {
    const reading = await untilAborted(source(signal), signal);
    recordResult(id, undefined);
    return { id, ok: reading.state === 'running', ...reading };
  } catch (error) {
    recordResult(id, error);
    return { id, ok: false, state: 'unknown', ...nothing };
  }
}

/** At least 1, because 0 means that nothing is configured. */
function elapsedMs(startedAt: number): number {
  return Math.max(1, Math.round(performance.now() - startedAt));
}
