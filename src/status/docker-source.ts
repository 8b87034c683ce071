/** A bot in a container: the Docker Engine API, which Podman has too, with other states and fewer numbers. */
import { z } from 'zod';
import { fetchJson, type Outbound } from '../outbound/outbound.ts';
import type { BotReading, BotSource } from './bot-source.ts';

/** Podman's are `configured`, `initialized`, `stopped`, `stopping` and `unknown` (libpod/define/containerstate.go). */
const STATES = {
  created: 'offline',
  configured: 'offline',
  initialized: 'starting',
  running: 'running',
  paused: 'offline',
  restarting: 'starting',
  stopping: 'stopping',
  removing: 'stopping',
  stopped: 'offline',
  exited: 'offline',
  dead: 'offline',
  unknown: 'unknown',
} as const satisfies Record<string, BotReading['state']>;

const inspectSchema = z.object({
  State: z.object({
    Status: z.enum(Object.keys(STATES) as (keyof typeof STATES)[]),
    StartedAt: z.iso.datetime({ offset: true }),
    Health: z.object({ Status: z.string() }).nullish(),
  }),
});

/** Bytes, or nanoseconds of processor time, which Go writes as a whole number of 64 bits. */
const COUNT_MAX = 2 ** 64;
const count = z.number().min(0).max(COUNT_MAX);
const cpuSchema = z.object({ cpu_usage: z.object({ total_usage: count }) });

const statsSchema = z.object({
  read: z.iso.datetime({ offset: true }).optional(),
  /** The year 1 without an earlier sample. */
  preread: z.iso.datetime({ offset: true }).optional(),
  memory_stats: z.object({
    usage: count.optional(),
    stats: z.object({ inactive_file: count.optional(), total_inactive_file: count.optional() }).optional(),
  }),
  cpu_stats: cpuSchema,
  precpu_stats: cpuSchema.optional(),
});
/** Docker and Podman take the two samples a second or two apart. */
const SPAN_MAX_MS = 60_000;

/** @param now epoch milliseconds */
export function createDockerSource(
  outbound: Outbound,
  { socketPath, container }: { readonly socketPath: string; readonly container: string },
  now: () => number = Date.now,
): BotSource {
  const requestOf = (rest: string, signal: AbortSignal) => ({
    url: `http://docker/containers/${encodeURIComponent(container)}/${rest}`,
    socketPath,
    signal,
  });
  return async (signal) => {
    const { State } = await fetchJson(outbound, requestOf('json', signal), inspectSchema);
    const state = toState(State);
    // Podman refuses the numbers of a container that does not run.
    if (State.Status !== 'running') return { state, uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };
    const stats = await fetchJson(outbound, requestOf('stats?stream=false', signal), statsSchema);
    const memory = stats.memory_stats;
    const cache = memory.stats?.inactive_file ?? memory.stats?.total_inactive_file ?? 0;
    return {
      state,
      uptimeMs: now() - Date.parse(State.StartedAt),
      memoryBytes: (memory.usage ?? 0) - cache,
      cpuPercent: cpuPercentOf(stats),
    };
  };
}

function toState({ Status, Health }: z.output<typeof inspectSchema>['State']): BotReading['state'] {
  if (Status !== 'running') return STATES[Status];
  // It runs, but may not work.
  if (Health?.Status === 'unhealthy') return 'unknown';
  return Health?.Status === 'starting' ? 'starting' : 'running';
}

/** This divides by the time between the samples, because Podman counts the processor time of the machine otherwise, and not its cores. */
function cpuPercentOf(stats: z.output<typeof statsSchema>): number {
  const { read = '', preread = '', cpu_stats: now, precpu_stats: before = now } = stats;
  const usedMs = (now.cpu_usage.total_usage - before.cpu_usage.total_usage) / 1e6;
  const passedMs = Date.parse(read) - Date.parse(preread);
  return passedMs > 0 && passedMs < SPAN_MAX_MS && usedMs > 0 ? (usedMs / passedMs) * 100 : 0;
}
