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
  readonly chatPlatform: ChatPlatformSettings | undefined;
  readonly protectionService: ProtectionServiceSettings | undefined;
  readonly bots: Readonly<Record<BotId, BotSettings | undefined>>;
}

export interface ChatPlatformSettings {
  /** Discord's REST API with its version, without a trailing slash. */
  readonly apiUrl: string;
  readonly token: string | undefined;
}

export interface ProtectionServiceSettings {
  readonly url: string;
  /** A healthy service answers with it. */
  readonly status: number;
}

export type BotSettings =
  | { readonly source: 'panel'; readonly url: string; readonly key: string; readonly server: string }
  | { readonly source: 'docker'; readonly socketPath: string; readonly container: string }
  | { readonly source: 'systemd'; readonly unit: string };
