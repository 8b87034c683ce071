/** Health probes of dependencies outside this process. An error counts as unhealthy. */
import { z } from 'zod';
import type { Config } from '../config.ts';
import { createEsplora } from '../outbound/esplora.ts';
import { createLitecoinCore } from '../outbound/litecoin-core.ts';
import { fetchJson, type Outbound } from '../outbound/outbound.ts';
import { assertNotAhead } from '../outbound/ranges.ts';
import type { CheckId } from './status.ts';
import { MINUTE_MS } from '../text/calendar.ts';

export type StatusSettings = Pick<
  Config,
  'baseUrl' | 'litecoin' | 'chatPlatform' | 'protectionService' | 'bots'
>;

/** @throws with the reason when the dependency is unhealthy */
export type Probe = (signal: AbortSignal) => Promise<unknown>;

/** A block comes every 2.5 minutes; test networks pause for longer. */
const TIP_AGE_MAX_MS = { main: 60 * MINUTE_MS, test: 24 * 60 * MINUTE_MS, regtest: 24 * 60 * MINUTE_MS };

const gatewaySchema = z.object({ url: z.string().startsWith('wss://') });

/** @param now epoch milliseconds @returns undefined for a dependency that is not configured */
export function createProbes(
  outbound: Outbound,
  { litecoin, chatPlatform, protectionService, baseUrl }: StatusSettings,
  now: () => number,
): Readonly<Record<Exclude<CheckId, 'database'>, Probe | undefined>> {
  return {
    litecoin: createLitecoinProbe(outbound, litecoin, now),
    // Discord REST v10. `GET /gateway` needs no token: a wrong token is not the platform's fault.
    chat_platform:
      chatPlatform &&
      ((signal) => {
        const headers = { 'User-Agent': `DiscordBot (${baseUrl}, 1.0.0)` };
        return fetchJson(outbound, { url: `${chatPlatform.apiUrl}/gateway`, headers, signal }, gatewaySchema);
      }),
    protection_service:
      protectionService &&
      ((signal) => {
        const { url, status } = protectionService;
        return outbound.send({ url, expectedStatuses: [status], skipsBody: true, signal });
      }),
  };
}

/** Unhealthy while the node synchronizes, on another network, and without a recent block. */
function createLitecoinProbe(
  outbound: Outbound,
  { network, rpc, esploraUrl }: StatusSettings['litecoin'],
  now: () => number,
): Probe | undefined {
  const checkTime = (at: number): void => {
    if (now() - at > TIP_AGE_MAX_MS[network]) throw new Error('it knows no recent block');
    assertNotAhead(at, now());
  };
  if (rpc) {
    const node = createLitecoinCore(outbound, rpc);
    return async (signal) => {
      const { chain, initialblockdownload, mediantime } = await node.getBlockchainInfo(signal);
      if (chain !== network)
        throw new Error(`it is on the chain ${chain}, but LITECOIN_NETWORK is ${network}`);
      if (initialblockdownload) throw new Error('it is still catching up with the network');
      checkTime(mediantime);
    };
  }
  if (esploraUrl === undefined) return undefined;
  const explorer = createEsplora(outbound, esploraUrl);
  return async (signal) => checkTime((await explorer.getTip(signal)).timestamp);
}
