/** Health probes of dependencies. An error counts as unhealthy. */
import { z } from 'zod';
import { createEsplora } from '../outbound/esplora.ts';
import { createLitecoinCore } from '../outbound/litecoin-core.ts';
import { fetchJson, type Outbound } from '../outbound/outbound.ts';
import { PROBE_DEADLINE_MS, type CheckId } from './status.ts';
import type { ChatPlatformSettings, ProtectionServiceSettings, StatusSettings } from './status-settings.ts';

export type Probe = (signal: AbortSignal) => Promise<boolean>;

const MINUTE_MS = 60_000;
/** A block comes every 2.5 minutes; test networks pause for longer. */
const TIP_AGE_MAX_MS = { main: 60 * MINUTE_MS, test: 24 * 60 * MINUTE_MS, regtest: 24 * 60 * MINUTE_MS };
const GATEWAY_MAX_BYTES = 16_384;
/** The body of a protection service is not used. */
const ANY_BODY_MAX_BYTES = 1_048_576;

/**
 * @param now epoch milliseconds
 * @returns a probe for each configured dependency outside this process
 */
export function createProbes(
  outbound: Outbound,
  settings: StatusSettings,
  now: () => number,
): Readonly<Partial<Record<CheckId, Probe>>> {
  const { litecoin, chatPlatform, protectionService, baseUrl } = settings;
  const probes = {
    litecoin: createLitecoinProbe(outbound, litecoin, now),
    chat_platform: chatPlatform && createChatPlatformProbe(outbound, chatPlatform, baseUrl),
    protection_service: protectionService && createProtectionProbe(outbound, protectionService),
  };
  return Object.fromEntries(Object.entries(probes).filter(([, probe]) => probe !== undefined));
}

/** Unhealthy while the node synchronizes, on another network, and without a recent block. */
function createLitecoinProbe(
  outbound: Outbound,
  { network, rpc, esploraUrl }: StatusSettings['litecoin'],
  now: () => number,
): Probe | undefined {
  const isRecent = (seconds: number): boolean => now() - seconds * 1000 <= TIP_AGE_MAX_MS[network];
  if (rpc) {
    const node = createLitecoinCore(outbound, rpc);
    return async (signal) => {
      const info = await node.getBlockchainInfo({ signal });
      return !info.initialblockdownload && info.chain === network && isRecent(info.mediantime);
    };
  }
  if (esploraUrl === undefined) return undefined;
  const explorer = createEsplora(outbound, esploraUrl);
  return async (signal) => isRecent((await explorer.getTip(signal)).timestamp);
}

/** Discord REST v10. `GET /gateway` needs no token: a wrong token is not the platform's fault. */
function createChatPlatformProbe(
  outbound: Outbound,
  { apiUrl }: ChatPlatformSettings,
  baseUrl: string,
): Probe {
  return async (signal) => {
    await fetchJson(
      outbound,
      {
        url: `${apiUrl}/gateway`,
        headers: { 'User-Agent': `DiscordBot (${baseUrl}, 1.0.0)` },
        deadlineMs: PROBE_DEADLINE_MS,
        bodyMaxBytes: GATEWAY_MAX_BYTES,
        signal,
      },
      gatewaySchema,
    );
    return true;
  };
}

const gatewaySchema = z.object({ url: z.string().startsWith('wss://') });

function createProtectionProbe(outbound: Outbound, { url, status }: ProtectionServiceSettings): Probe {
  return async (signal) => {
    await outbound.send({
      url,
      deadlineMs: PROBE_DEADLINE_MS,
      bodyMaxBytes: ANY_BODY_MAX_BYTES,
      acceptStatus: (given) => given === status,
      signal,
    });
    return true;
  };
}
