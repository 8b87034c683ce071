import type { LitecoinCoreSettings } from '../outbound/litecoin-core.ts';
import type { BotId } from './status.ts';

export interface StatusSettings {
  /** Part of the User-Agent. */
  readonly baseUrl: string;
  readonly litecoin: {
    readonly network: 'main' | 'test' | 'regtest';
    readonly rpc: LitecoinCoreSettings | undefined;
    readonly esploraUrl: string | undefined;
  };
  /** Discord's REST API with its version, without a trailing slash. */
  readonly chatPlatform: { readonly apiUrl: string } | undefined;
  /** A healthy service answers with this status. */
  readonly protectionService: { readonly url: string; readonly status: number } | undefined;
  readonly bots: Readonly<Record<BotId, BotSettings | undefined>>;
}

export type BotSettings =
  | { readonly source: 'panel'; readonly url: string; readonly key: string; readonly server: string }
  | { readonly source: 'docker'; readonly socketPath: string; readonly container: string }
  | { readonly source: 'systemd'; readonly unit: string };
