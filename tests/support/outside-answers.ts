/** Answers of outside services, after their documentation and sources; each names its own. Most tell more than this. */
import type { RequestListener } from 'node:http';

/** Pterodactyl client API, `GET /api/client/servers/{id}/resources` (StatsTransformer.php; Pelican's has the same fields). */
export const PANEL_RUNNING = {
  object: 'stats',
  attributes: {
    current_state: 'running',
    is_suspended: false,
    resources: {
      memory_bytes: 588_701_696,
      cpu_absolute: 12.417,
      uptime: 266_400_000,
    },
  },
} as const;

/** Docker Engine API v1.57, `GET /containers/{id}/json`. */
export const DOCKER_INSPECT = {
  State: {
    Status: 'running',
    Running: true,
    StartedAt: '2026-11-20T09:06:47.665065138Z',
    FinishedAt: '0001-01-01T00:00:00Z',
    Health: { Status: 'healthy', FailingStreak: 0, Log: [] },
  },
} as const;

/** Docker Engine API v1.57, `GET /containers/{id}/stats?stream=false` on cgroup v2. */
export const DOCKER_STATS = {
  read: '2026-11-20T12:00:01.000000000Z',
  preread: '2026-11-20T12:00:00.000000000Z',
  memory_stats: {
    usage: 200_000_000,
    stats: { active_file: 1_000, inactive_file: 17_547_776, anon: 150_000_000 },
    limit: 2_000_000_000,
  },
  cpu_stats: {
    cpu_usage: { total_usage: 10_250_000_000 },
    system_cpu_usage: 804_000_000_000,
    online_cpus: 4,
  },
  precpu_stats: {
    cpu_usage: { total_usage: 10_000_000_000 },
    system_cpu_usage: 800_000_000_000,
    online_cpus: 4,
  },
} as const;

/**
 * The same path of Podman's compatible API. It counts what the whole machine has used in place of the time that it
 * had, and does not tell the number of cores.
 */
export const PODMAN_STATS = {
  read: '2026-11-20T12:00:01.000000000+01:00',
  preread: '2026-11-20T12:00:00.000000000+01:00',
  memory_stats: { usage: 50_000_000, max_usage: 60_000_000, limit: 2_000_000_000 },
  cpu_stats: { cpu_usage: { total_usage: 10_250_000_000 }, system_cpu_usage: 20_500_000_000, cpu: 3.1 },
  precpu_stats: { cpu_usage: { total_usage: 10_000_000_000 }, system_cpu_usage: 20_000_000_000, cpu: 3.1 },
} as const;

/** Discord REST v10, `GET /gateway` (docs.discord.com, Gateway). */
export const DISCORD_GATEWAY = { url: 'wss://gateway.discord.gg/' } as const;

export function sendJson(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): RequestListener {
  return (_request, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}
