/** A bot in a container: the Docker Engine API, which Podman has too. */
import { z } from 'zod';
import { fetchJson, type Outbound } from '../outbound/outbound.ts';
import type { BotReading, BotSource } from './bot-source.ts';

const inspectSchema = z.object({
  State: z.object({
    Status: z.enum(['created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead']),
    StartedAt: z.iso.datetime({ offset: true }),
    Health: z.object({ Status: z.string() }).nullish(),
  }),
});

const cpuSchema = z.object({
  cpu_usage: z.object({ total_usage: z.number().nonnegative() }),
  system_cpu_usage: z.number().nonnegative().optional(),
  online_cpus: z.int().positive().optional(),
});

const statsSchema = z.object({
  memory_stats: z.object({
    usage: z.number().nonnegative().optional(),
    stats: z
      .object({ inactive_file: z.number().optional(), total_inactive_file: z.number().optional() })
      .optional(),
  }),
  cpu_stats: cpuSchema,
  precpu_stats: cpuSchema,
});

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
    // Docker takes 1 to 2 s for two samples of the processor.
    const [inspected, stats] = await Promise.all([
      fetchJson(outbound, requestOf('json', signal), inspectSchema),
      fetchJson(outbound, requestOf('stats?stream=false', signal), statsSchema),
    ]);
    const { State } = inspected;
    const memory = stats.memory_stats;
    const cache = memory.stats?.inactive_file ?? memory.stats?.total_inactive_file ?? 0;
    return {
      state: toState(State),
      uptimeMs: now() - Date.parse(State.StartedAt),
      memoryBytes: (memory.usage ?? 0) - cache,
      cpuPercent: cpuPercentOf(stats),
    };
  };
}

function toState({ Status, Health }: z.output<typeof inspectSchema>['State']): BotReading['state'] {
  switch (Status) {
    case 'running':
      // It runs, but may not work.
      if (Health?.Status === 'unhealthy') return 'unknown';
      return Health?.Status === 'starting' ? 'starting' : 'running';
    case 'restarting':
      return 'starting';
    case 'removing':
      return 'stopping';
    default:
      return 'offline';
  }
}

function cpuPercentOf({ cpu_stats: now, precpu_stats: before }: z.output<typeof statsSchema>): number {
  const used = now.cpu_usage.total_usage - before.cpu_usage.total_usage;
  const passed = (now.system_cpu_usage ?? 0) - (before.system_cpu_usage ?? 0);
  return passed > 0 && used > 0 ? (used / passed) * (now.online_cpus ?? 1) * 100 : 0;
}
