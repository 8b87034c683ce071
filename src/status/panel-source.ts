/** A bot on a Pterodactyl or Pelican panel, whose client API has the states and units of SPEC 2.4. */
import { z } from 'zod';
import { fetchJson, type Outbound } from '../outbound/outbound.ts';
import { toBotReading, type BotSource } from './bot-source.ts';
import { PROBE_DEADLINE_MS } from './status.ts';

const BODY_MAX_BYTES = 65_536;

const resourcesSchema = z.object({
  attributes: z.object({
    current_state: z.enum(['running', 'starting', 'stopping', 'offline']),
    is_suspended: z.boolean().optional(),
    resources: z.object({
      uptime: z.number().nonnegative(),
      memory_bytes: z.number().nonnegative(),
      /** 100 is one core. */
      cpu_absolute: z.number().nonnegative(),
    }),
  }),
});

/** @param server its short ID */
export function createPanelSource(
  outbound: Outbound,
  { url, key, server }: { readonly url: string; readonly key: string; readonly server: string },
): BotSource {
  return async (signal) => {
    const { value } = await fetchJson(
      outbound,
      {
        url: `${url}/api/client/servers/${encodeURIComponent(server)}/resources`,
        headers: { Authorization: `Bearer ${key}` },
        deadlineMs: PROBE_DEADLINE_MS,
        bodyMaxBytes: BODY_MAX_BYTES,
        signal,
      },
      resourcesSchema,
    );
    const { current_state, is_suspended, resources } = value.attributes;
    return toBotReading({
      state: is_suspended ? 'offline' : current_state,
      uptimeMs: resources.uptime,
      memoryBytes: resources.memory_bytes,
      cpuPercent: resources.cpu_absolute,
    });
  };
}
