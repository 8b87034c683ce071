import { z } from 'zod';
import { createJsonRpc, type RpcCallOptions, type RpcLogin } from './json-rpc.ts';
import type { Outbound } from './outbound.ts';

export interface LitecoinCoreSettings {
  /** Without credentials, for example `http://127.0.0.1:9332`. */
  readonly url: string;
  readonly login: RpcLogin | undefined;
}

const blockchainInfoSchema = z.object({
  chain: z.enum(['main', 'test', 'regtest', 'signet']),
  blocks: z.int(),
  headers: z.int(),
  bestblockhash: z.string(),
  /** True until the first synchronization with the network. */
  initialblockdownload: z.boolean(),
  /** Median time of the last eleven blocks, epoch seconds: on the main network about 15 minutes ago. */
  mediantime: z.int(),
});

export type LitecoinCore = ReturnType<typeof createLitecoinCore>;

const DEADLINE_MS = 6_000;
/** For `listsinceblock` of a busy wallet, the longest answer. */
const BODY_MAX_BYTES = 16 * 1024 * 1024;
const LITOSHI_PER_LTC = 100_000_000;

/** The node writes LTC as a JSON number with eight decimals; this reads whole litoshi. */
export const litoshiSchema = z
  .number()
  .transform((ltc) => Math.round(ltc * LITOSHI_PER_LTC))
  .pipe(z.int());

export function createLitecoinCore(outbound: Outbound, settings: LitecoinCoreSettings) {
  const rpc = createJsonRpc(outbound, {
    ...settings,
    deadlineMs: DEADLINE_MS,
    bodyMaxBytes: BODY_MAX_BYTES,
  });
  return {
    ...rpc,
    getBlockchainInfo: (options?: RpcCallOptions) =>
      rpc.call('getblockchaininfo', [], blockchainInfoSchema, options),
  };
}
