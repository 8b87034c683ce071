/** Asks everything at once how it is. Never throws, and never takes longer than a probe may. */
import { performance } from 'node:perf_hooks';
import type { Outbound } from '../outbound/outbound.ts';
import { untilAborted } from '../outbound/until-aborted.ts';
import type { BotSource } from './bot-source.ts';
import { createBotSource } from './create-bot-source.ts';
import { createProbes } from './probes.ts';
import type { Probe } from './probes.ts';
import { BOT_IDS, CHECK_IDS, PROBE_DEADLINE_MS } from './status.ts';
import type { BotId, CheckId, PartId, Status, StatusBot, StatusCheck } from './status.ts';
import type { StatusSettings } from './status-settings.ts';

/**
 * @param checkDatabase uses the database as its process does; throws when that fails
 * @param signal ends it early, with everything that has not answered counted as failed
 */
export type TakeSample = (checkDatabase: () => unknown, signal?: AbortSignal) => Promise<Status>;

/** Told why a part is not well, once for each new reason; it holds no secret. */
export type ReportTrouble = (part: PartId, reason: string) => void;

export interface SamplerOptions {
  readonly settings: StatusSettings;
  readonly outbound: Outbound;
  readonly report: ReportTrouble;
  /** Told when a part that was reported is well again. */
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
  const bots = new Map<BotId, BotSource>();
  for (const id of BOT_IDS) {
    const bot = settings.bots[id];
    if (bot) bots.set(id, createBotSource(outbound, bot));
  }

  const troubles = new Map<PartId, string>();
  const note: NoteTrouble = (part, error) => {
    const reason = error === undefined ? undefined : error instanceof Error ? error.message : 'it failed';
    if (reason === undefined) {
      if (troubles.delete(part)) recovered(part);
      return;
    }
    if (troubles.get(part) !== reason) report(part, reason);
    troubles.set(part, reason);
  };

  return async (checkDatabase, ended) => {
    // SQLite answers synchronously: before the others begin, so that it does not count as their time.
    const database = timeDatabase(checkDatabase, note);
    const cut = new AbortController();
    const timer = setTimeout(() => cut.abort(new Error('no answer in time')), deadlineMs);
    const signal = ended ? AbortSignal.any([cut.signal, ended]) : cut.signal;
    try {
      const [checks, readings] = await Promise.all([
        Promise.all(
          CHECK_IDS.map(async (id) =>
            id === 'database' ? database : timeProbe(id, probes[id], signal, note),
          ),
        ),
        Promise.all(BOT_IDS.map((id) => readBot(id, bots.get(id), signal, note))),
      ]);
      return { checks, bots: readings, checkedAt: new Date(now()).toISOString() };
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Undefined: there is no trouble, or none any more. */
type NoteTrouble = (part: PartId, error: unknown) => void;

function timeDatabase(checkDatabase: () => unknown, note: NoteTrouble): StatusCheck {
  const startedAt = performance.now();
  let ok = true;
  try {
    checkDatabase();
    note('database', undefined);
  } catch (error) {
    ok = false;
    note('database', error);
  }
  return { id: 'database', ok, latencyMs: elapsedMs(startedAt) };
}

async function timeProbe(
  id: CheckId,
  probe: Probe | undefined,
  signal: AbortSignal,
  note: NoteTrouble,
): Promise<StatusCheck> {
  if (!probe) return { id, ok: false, latencyMs: 0 };
  const startedAt = performance.now();
  let ok = false;
  try {
    ok = await untilAborted(probe(signal), signal);
    note(id, ok ? undefined : 'it answers that it is not ready');
  } catch (error) {
    note(id, error);
  }
  return { id, ok, latencyMs: elapsedMs(startedAt) };
}

async function readBot(
  id: BotId,
  source: BotSource | undefined,
  signal: AbortSignal,
  note: NoteTrouble,
): Promise<StatusBot> {
  const nothing = { uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };
  if (!source) return { id, ok: false, state: 'not_configured', ...nothing };
  try {
    const reading = await untilAborted(source(signal), signal);
    note(id, undefined);
    return { id, ok: reading.state === 'running', ...reading };
  } catch (error) {
    note(id, error);
    return { id, ok: false, state: 'unknown', ...nothing };
  }
}

/** At least 1: 0 says that nothing is configured. */
function elapsedMs(startedAt: number): number {
  return Math.max(1, Math.round(performance.now() - startedAt));
}
