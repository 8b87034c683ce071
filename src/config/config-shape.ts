/**
 * The settings as processes get them: checked, with defaults, grouped by who needs them. How each is read stands in
 * site-settings.ts, litecoin-settings.ts and outside-settings.ts, in the terms of setting.ts; config.ts above this folder
 * puts them together and is the only one that looks at the environment.
 */

export interface Config {
  readonly host: string;
  /** 0 lets the system choose a free port. */
  readonly port: number;
  /** Absolute path of the SQLite file. */
  readonly databasePath: string;
  /** False: the path is the default one, below the working directory. */
  readonly isDatabaseNamed: boolean;
  /** Folder of the database; proof files and what is made from the data lie beside it. */
  readonly dataFolder: string;
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  /** CIDR ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
  /** Which requests the log names. */
  readonly logRequests: 'none' | 'errors' | 'all';
  /** Port of the metrics on the loopback interface; 0 lets the system choose. */
  readonly metricsPort: number | undefined;
  /** Daily backups; undefined: none are made. */
  readonly backups: BackupSettings | undefined;
  readonly operator: Operator;
  readonly litecoin: LitecoinSettings;
  /** The chat platform: Discord, or what speaks like it. */
  readonly chatPlatform:
    | {
        /** Base address of its REST interface, version included, without a trailing slash. */
        readonly apiUrl: string;
        /** Token of a bot. */
        readonly token: string | undefined;
      }
    | undefined;
  /** Where avatars come from; undefined unless address, token and CDN are all set. */
  readonly avatarPlatform:
    | {
        readonly apiUrl: string;
        readonly cdnUrl: string;
        readonly token: string;
        readonly baseUrl: string;
        readonly callsPerSecond: number;
      }
    | undefined;
  /** Bytes of avatars that are kept on disk, at most. */
  readonly avatarsMaxBytes: number;
  /** A web address whose status tells whether the service behind it is well. */
  readonly protectionService: { readonly url: string; readonly status: number } | undefined;
  /** By ID of SPEC 2.4, where the facts about each bot come from. */
  readonly bots: Readonly<
    Record<'main_bot' | 'protection_public_bot' | 'protection_admin_bot', BotSettings | undefined>
  >;
  readonly donations: DonationSettings;
}

export interface BackupSettings {
  /** Absolute path. */
  readonly folder: string;
  /** When the daily one is made, minutes after midnight UTC. */
  readonly minuteOfDay: number;
}

/** Settings of donations: prices, addresses, and texts of the pages. */
export interface DonationSettings {
  /** Extended public key of an account (BIP84). */
  readonly accountKey: string | undefined;
  /** Address of an explorer; a slash and a transaction ID are appended. */
  readonly explorerUrl: string | undefined;
  readonly requiredConfirmations: number;
  /** How long a payer has. */
  readonly paymentMinutes: number;
  /** zł with a decimal point, as the two below; without it CoinGecko is asked. */
  readonly priceOfLtcPln: string | undefined;
  readonly coingeckoUrl: string;
  readonly premiumMonthPln: string | undefined;
  readonly premiumLifetimePln: string | undefined;
  /** Texts about the purpose of donations and how to start one, with the marks of Rich.astro. */
  readonly purpose: string | undefined;
  /** The benefits of premium, one text a line; empty when nothing is set. */
  readonly premiumBenefits: readonly string[];
  readonly howToStart: string | undefined;
}

export type BotSettings =
  | { readonly source: 'panel'; readonly url: string; readonly key: string; readonly server: string }
  | { readonly source: 'docker'; readonly socketPath: string; readonly container: string }
  | { readonly source: 'systemd'; readonly unit: string };

/** How the Litecoin network is reached: by a node, by an explorer, or not at all. */
export interface LitecoinSettings {
  readonly network: 'main' | 'test' | 'regtest';
  /** Litecoin Core. */
  readonly rpc:
    | {
        /** Without credentials. */
        readonly url: string;
        readonly login:
          { readonly user: string; readonly password: string } | { readonly cookieFile: string } | undefined;
      }
    | undefined;
  /** Base address of a block explorer with the Esplora API, without a trailing slash; undefined beside a node. */
  readonly esploraUrl: string | undefined;
}

/** Facts about the operator that pages show; a missing one is left out. */
export interface Operator {
  /** Person or organization that runs the service. */
  readonly name: string | undefined;
  /** E-mail or web address. */
  readonly appealsContact: string | undefined;
  /** E-mail or web address; new reports go there. */
  readonly reportsContact: string | undefined;
  /** E-mail or web address for whoever finds a hole in the service. */
  readonly securityContact: string | undefined;
  /** How long an answer to an appeal takes at most. */
  readonly appealsAnswerDays: number | undefined;
  /** The chat platform, as people call it. */
  readonly platformName: string | undefined;
  /** Names in the platform's menus: the section of the settings, the switch in it, the item that copies an ID. */
  readonly idMenu: readonly string[];
  readonly help: HelpNumbers;
}

/** Public bodies that help after a fraud, as the pages name them. */
export interface HelpNumbers {
  readonly emergencyPhone: string;
  /** A helpline for young people. */
  readonly youthPhone: string | undefined;
  /** Number to which fraudulent text messages are forwarded. */
  readonly fraudSms: string | undefined;
  /** Web address that takes reports of fraudulent sites. */
  readonly fraudSite: string;
}
