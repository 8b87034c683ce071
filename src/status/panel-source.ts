/** A bot on a Pterodactyl or Pelican panel, whose client API has the states and units of SPEC 2.4. */
import { z } from 'zod';
import { fetchJson, type Outbound } from '../outbound/outbound.ts';
import type { BotSource } from './bot-source.ts';

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
  const request = {
    url: `${url}/api/client/servers/${encodeURIComponent(server)}/resources`,
    headers: { Authorization: `Bearer ${key}` },
  };
  return async (signal) => {
    const { attributes } = await fetchJson(outbound, { ...request, signal }, resourcesSchema);
    const { current_state, is_suspended, resources } = attributes;
    return {
      state: is_suspended ? 'offline' : current_state,
      uptimeMs: resources.uptime,
      memoryBytes: resources.memory_bytes,
      cpuPercent: resources.cpu_absolute,
    };
  };
}
