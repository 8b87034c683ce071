/**
 * The settings (DESIGN section 2): read from the environment and an optional `.env` once per process, checked as a
 * whole, frozen. This is the only file that reads the environment.
 */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

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
  readonly operator: Operator;
  readonly litecoin: LitecoinSettings;
  /** The chat platform: Discord, or what speaks like it. */
  readonly chatPlatform:
    | {
        /** Base address of its REST interface, version included, without a trailing slash. */
        readonly apiUrl: string;
        /** Of a bot. */
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
  /** Of avatars kept on disk. */
  readonly avatarsMaxBytes: number;
  /** A web address whose status tells whether the service behind it is well. */
  readonly protectionService: { readonly url: string; readonly status: number } | undefined;
  /** By ID of SPEC 2.4, where the facts about each bot come from. */
  readonly bots: Readonly<
    Record<'main_bot' | 'protection_public_bot' | 'protection_admin_bot', BotSettings | undefined>
  >;
  readonly donations: DonationSettings;
}

/** What donations cost, where they go, and what the pages say of them. */
export interface DonationSettings {
  /** Extended public key of an account (BIP84). */
  readonly accountKey: string | undefined;
  /** Address of an explorer; a slash and a transaction ID are appended. */
  readonly explorerUrl: string | undefined;
  readonly requiredConfirmations: number;
  /** How long a payer has. */
  readonly paymentMinutes: number;
  /** zł with a decimal point, as the three below; without it sources are asked. */
  readonly priceOfLtcPln: string | undefined;
  readonly coingeckoUrl: string;
  readonly krakenUrl: string;
  readonly nbpUrl: string;
  readonly premiumMonthPln: string | undefined;
  readonly premiumLifetimePln: string | undefined;
  /** What donations are for, and how to start one; with the marks of Rich.astro. */
  readonly purpose: string | undefined;
  readonly howToStart: string | undefined;
}

export type BotSettings =
  | { readonly source: 'panel'; readonly url: string; readonly key: string; readonly server: string }
  | { readonly source: 'docker'; readonly socketPath: string; readonly container: string }
  | { readonly source: 'systemd'; readonly unit: string }
  | { readonly source: 'pid'; readonly file: string };

/** How the Litecoin network is reached; both ways may be open, none has to be. */
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
  /** Base address of a block explorer with the Esplora API, without a trailing slash. */
  readonly esploraUrl: string | undefined;
}

/**
 * What only the operator knows and the pages say; a page says so when one is missing. Prerendered pages keep the values
 * that were set when the site was built.
 */
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
}

/** Thrown when settings are wrong; the message lists every problem, one a line. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`wrong settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

const OPERATOR_TEXT_MAX = 100;
/** An address of an outside service; credentials have settings of their own, so that none ends in a log. */
const serviceUrl = z
  .string()
  .refine(isServiceUrl)
  .transform((value) => value.replace(/\/+$/, ''))
  .optional();
const SERVICE_URL_EXPECTED = 'must be an http or https address without user, password, ? and #';
/** A value that may be a secret, or holds one when it is wrong, is not repeated in messages. */
const SECRET_MAX = 1_000;
/** How extended private keys begin in their text form (SLIP-132, and Litecoin's own). */
const PRIVATE_KEY = /^(?:[xyztuvYZUV]prv|[LMt]tpv)/;
const secret = z
  .string()
  .max(SECRET_MAX)
  .regex(/^[\x20-\x7e]+$/)
  .optional();

const TEXT_MAX = 2_000;
/** Whole numbers in a range. */
const wholeNumber = (min: number, max: number, fallback: string) =>
  z
    .string()
    .regex(/^\d{1,6}$/)
    .default(fallback)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
const amountPln = z
  .string()
  .regex(/^\d{1,7}(?:\.\d{1,2})?$/)
  .refine((value) => Number(value) > 0)
  .optional();
const AMOUNT_PLN_EXPECTED =
  'must be an amount in zł above zero, with a decimal point and at most two decimals';
const BOT_EXPECTED =
  'must be panel:, docker:, systemd: or pid: and the name of the server, container, unit or file';
const bot = z
  .string()
  .regex(/^(?:panel:[\w-]{1,64}|docker:[\w.-]{1,128}|systemd:[\w@.:\\-]{1,255}|pid:.+)$/)
  .optional();

const contact = z.string().max(200).refine(isContact).optional();

interface Setting {
  readonly schema: z.ZodType;
  readonly expected: string;
  readonly example: string;
  readonly isSecret?: boolean;
}

/** Each setting: how it is checked, and the sentence and example an operator gets when it is wrong. */
const SETTINGS = {
  HOST: {
    schema: z
      .string()
      .regex(/^[\w.:-]+$/)
      .default('127.0.0.1'),
    expected: 'must be a host name or an IP address',
    example: '127.0.0.1',
  },
  PORT: {
    schema: z
      .string()
      .regex(/^\d{1,5}$/)
      .default('4321')
      .transform(Number)
      .pipe(z.number().max(65_535)),
    expected: 'must be a whole number from 0 to 65535',
    example: '4321',
  },
  DATABASE_PATH: {
    schema: z.string().default('data/czujka.db'),
    expected: 'must be the path of a file',
    example: 'data/czujka.db',
  },
  BASE_URL: {
    schema: z.string().refine(isOrigin).optional(),
    expected: 'must be an http or https address without a path',
    example: 'https://czujka.example',
  },
  TRUST_PROXY: {
    schema: z
      .string()
      .default('')
      .transform((value) =>
        value
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      )
      .refine((parts) => parts.every((part) => part === 'loopback' || isAddressOrRange(part)))
      .transform((parts) => parts.flatMap((part) => (part === 'loopback' ? LOOPBACK : [part]))),
    expected: 'must be a comma-separated list of addresses, CIDR ranges or "loopback"',
    example: 'loopback,10.0.0.0/8',
  },
  LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS).default('info'),
    expected: `must be one of ${LOG_LEVELS.join(', ')}`,
    example: 'info',
  },
  OPERATOR_NAME: {
    schema: z.string().max(OPERATOR_TEXT_MAX).optional(),
    expected: `must be at most ${OPERATOR_TEXT_MAX} characters`,
    example: 'Fundacja Czujka',
  },
  APPEALS_CONTACT: {
    schema: contact,
    expected: 'must be an e-mail address or an https address',
    example: 'odwolania@czujka.example',
  },
  REPORTS_CONTACT: {
    schema: contact,
    expected: 'must be an e-mail address or an https address',
    example: 'https://czujka.example/zgloszenia',
  },
  SECURITY_CONTACT: {
    schema: contact,
    expected: 'must be an e-mail address or an https address',
    example: 'bezpieczenstwo@czujka.example',
  },
  APPEALS_ANSWER_DAYS: {
    schema: z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number)
      .pipe(z.number().min(1).max(365))
      .optional(),
    expected: 'must be a whole number from 1 to 365',
    example: '14',
  },
  PLATFORM_NAME: {
    schema: z.string().max(OPERATOR_TEXT_MAX).optional(),
    expected: `must be at most ${OPERATOR_TEXT_MAX} characters`,
    example: 'Komunikator',
  },
  LITECOIN_NETWORK: {
    schema: z.enum(['main', 'test', 'regtest']).default('main'),
    expected: 'must be main, test or regtest',
    example: 'main',
  },
  LITECOIN_RPC_URL: {
    schema: serviceUrl,
    expected: SERVICE_URL_EXPECTED,
    example: 'http://127.0.0.1:9332',
    isSecret: true,
  },
  LITECOIN_RPC_USER: {
    schema: z
      .string()
      .max(SECRET_MAX)
      .regex(/^[\x20-\x39\x3b-\x7e]+$/)
      .optional(),
    expected: 'must be ASCII characters other than a colon',
    example: 'czujka',
  },
  LITECOIN_RPC_PASSWORD: {
    schema: secret,
    expected: 'must be ASCII characters',
    example: 'change-me',
    isSecret: true,
  },
  LITECOIN_RPC_COOKIE_FILE: {
    schema: z.string().optional(),
    expected: 'must be the path of a file',
    example: '/var/lib/litecoin/.cookie',
  },
  LITECOIN_ESPLORA_URL: {
    schema: serviceUrl,
    expected: SERVICE_URL_EXPECTED,
    example: 'https://litecoinspace.org/api',
    isSecret: true,
  },
  LITECOIN_XPUB: {
    schema: z
      .string()
      .regex(/^[1-9A-HJ-NP-Za-km-z]{100,120}$/)
      .refine((value) => !PRIVATE_KEY.test(value))
      .optional(),
    expected:
      'must be the extended public key of an account (zpub, xpub or Ltub); a private one has no place on this machine',
    // No key: whoever left it in place would give out addresses that are somebody else's.
    example:
      'zpub6xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    isSecret: true,
  },
  LITECOIN_EXPLORER_URL: {
    schema: serviceUrl,
    expected: SERVICE_URL_EXPECTED,
    example: 'https://litecoinspace.org/tx',
  },
  LITECOIN_CONFIRMATIONS: {
    schema: wholeNumber(1, 100, '6'),
    expected: 'must be a whole number from 1 to 100',
    example: '6',
  },
  LITECOIN_PAYMENT_MINUTES: {
    schema: wholeNumber(5, 10_080, '60'),
    expected: 'must be a whole number from 5 to 10080',
    example: '60',
  },
  LITECOIN_PRICE_PLN: { schema: amountPln, expected: AMOUNT_PLN_EXPECTED, example: '340.00' },
  LITECOIN_COINGECKO_URL: {
    schema: serviceUrl.default('https://api.coingecko.com'),
    expected: SERVICE_URL_EXPECTED,
    example: 'https://api.coingecko.com',
    isSecret: true,
  },
  LITECOIN_KRAKEN_URL: {
    schema: serviceUrl.default('https://api.kraken.com'),
    expected: SERVICE_URL_EXPECTED,
    example: 'https://api.kraken.com',
    isSecret: true,
  },
  LITECOIN_NBP_URL: {
    schema: serviceUrl.default('https://api.nbp.pl'),
    expected: SERVICE_URL_EXPECTED,
    example: 'https://api.nbp.pl',
    isSecret: true,
  },
  LITECOIN_PREMIUM_MONTH_PLN: { schema: amountPln, expected: AMOUNT_PLN_EXPECTED, example: '20.00' },
  LITECOIN_PREMIUM_LIFETIME_PLN: { schema: amountPln, expected: AMOUNT_PLN_EXPECTED, example: '150.00' },
  LITECOIN_PURPOSE: {
    schema: z.string().max(TEXT_MAX).optional(),
    expected: `must be at most ${TEXT_MAX} characters`,
    example: 'Wpłaty pokrywają koszty serwera.',
  },
  LITECOIN_HOW_TO_START: {
    schema: z.string().max(TEXT_MAX).optional(),
    expected: `must be at most ${TEXT_MAX} characters`,
    example: 'Wpisz komendę /wesprzyj na naszym serwerze.',
  },
  CHAT_PLATFORM_API_URL: {
    schema: serviceUrl,
    expected: SERVICE_URL_EXPECTED,
    example: 'https://discord.com/api/v10',
    isSecret: true,
  },
  CHAT_PLATFORM_TOKEN: {
    schema: secret,
    expected: 'must be ASCII characters',
    example: 'change-me',
    isSecret: true,
  },
  CHAT_PLATFORM_CDN_URL: {
    schema: serviceUrl,
    expected: SERVICE_URL_EXPECTED,
    example: 'https://cdn.discordapp.com',
    isSecret: true,
  },
  CHAT_PLATFORM_CALLS_PER_SECOND: {
    schema: z
      .string()
      .regex(/^\d{1,2}$/)
      .default('5')
      .transform(Number)
      .pipe(z.number().min(1).max(40)),
    expected: 'must be a whole number from 1 to 40',
    example: '5',
  },
  AVATARS_MAX_MB: {
    schema: z
      .string()
      .regex(/^\d{1,6}$/)
      .default('200')
      .transform(Number)
      .pipe(z.number().min(1)),
    expected: 'must be a whole number from 1 to 999999',
    example: '200',
  },
  PROTECTION_SERVICE_URL: {
    schema: z.string().refine(isWebAddress).optional(),
    expected: 'must be an http or https address without user and password',
    example: 'https://protection.example/health',
    isSecret: true,
  },
  PROTECTION_SERVICE_STATUS: {
    schema: z
      .string()
      .regex(/^[2-5]\d\d$/)
      .default('200')
      .transform(Number),
    expected: 'must be a status from 200 to 599',
    example: '200',
  },
  BOT_MAIN: { schema: bot, expected: BOT_EXPECTED, example: 'systemd:main-bot.service' },
  BOT_PROTECTION_PUBLIC: { schema: bot, expected: BOT_EXPECTED, example: 'docker:protection-public' },
  BOT_PROTECTION_ADMIN: { schema: bot, expected: BOT_EXPECTED, example: 'panel:1a2b3c4d' },
  BOT_PANEL_URL: {
    schema: serviceUrl,
    expected: SERVICE_URL_EXPECTED,
    example: 'https://panel.example',
    isSecret: true,
  },
  BOT_PANEL_KEY: {
    schema: secret,
    expected: 'must be ASCII characters',
    example: 'change-me',
    isSecret: true,
  },
  BOT_DOCKER_SOCKET: {
    schema: z.string().startsWith('/').default('/var/run/docker.sock'),
    expected: 'must be the absolute path of a socket',
    example: '/var/run/docker.sock',
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Names of all settings, for the check that the README and `.env.example` speak of each. */
export const SETTING_NAMES = Object.keys(SETTINGS);

/**
 * @param environment variables by name; an empty value counts as absent
 * @throws {ConfigError} with every problem at once
 */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const read = <K extends keyof typeof SETTINGS>(name: K): z.output<(typeof SETTINGS)[K]['schema']> => {
    const given = environment[name]?.trim() || undefined;
    const { schema, expected, example, isSecret }: Setting = SETTINGS[name];
    const result = schema.safeParse(given);
    const shown = isSecret ? name : `${name}=${given}`;
    if (!result.success) problems.push(`${shown}: ${expected}, for example ${name}=${example}`);
    return result.data as z.output<(typeof SETTINGS)[K]['schema']>;
  };
  const host = read('HOST');
  const port = read('PORT');
  const databasePath = resolve(read('DATABASE_PATH') ?? '');
  const baseUrl = read('BASE_URL');
  const trustedProxies = read('TRUST_PROXY');
  const logLevel = read('LOG_LEVEL');
  const operator = Object.freeze({
    name: read('OPERATOR_NAME'),
    appealsContact: read('APPEALS_CONTACT'),
    reportsContact: read('REPORTS_CONTACT'),
    securityContact: read('SECURITY_CONTACT'),
    appealsAnswerDays: read('APPEALS_ANSWER_DAYS'),
    platformName: read('PLATFORM_NAME'),
  });
  const litecoin = toLitecoinSettings(
    {
      network: read('LITECOIN_NETWORK'),
      url: read('LITECOIN_RPC_URL'),
      user: read('LITECOIN_RPC_USER'),
      password: read('LITECOIN_RPC_PASSWORD'),
      cookieFile: read('LITECOIN_RPC_COOKIE_FILE'),
      esploraUrl: read('LITECOIN_ESPLORA_URL'),
    },
    problems,
  );
  const donations = Object.freeze({
    accountKey: read('LITECOIN_XPUB'),
    explorerUrl: read('LITECOIN_EXPLORER_URL'),
    requiredConfirmations: read('LITECOIN_CONFIRMATIONS'),
    paymentMinutes: read('LITECOIN_PAYMENT_MINUTES'),
    priceOfLtcPln: read('LITECOIN_PRICE_PLN'),
    coingeckoUrl: read('LITECOIN_COINGECKO_URL'),
    krakenUrl: read('LITECOIN_KRAKEN_URL'),
    nbpUrl: read('LITECOIN_NBP_URL'),
    premiumMonthPln: read('LITECOIN_PREMIUM_MONTH_PLN'),
    premiumLifetimePln: read('LITECOIN_PREMIUM_LIFETIME_PLN'),
    purpose: read('LITECOIN_PURPOSE'),
    howToStart: read('LITECOIN_HOW_TO_START'),
  });
  const apiUrl = read('CHAT_PLATFORM_API_URL');
  const token = read('CHAT_PLATFORM_TOKEN');
  const cdnUrl = read('CHAT_PLATFORM_CDN_URL');
  const callsPerSecond = read('CHAT_PLATFORM_CALLS_PER_SECOND');
  const avatarsMaxMb = read('AVATARS_MAX_MB');
  const protectionUrl = read('PROTECTION_SERVICE_URL');
  const protectionStatus = read('PROTECTION_SERVICE_STATUS');
  const panel = { url: read('BOT_PANEL_URL'), key: read('BOT_PANEL_KEY') };
  const socketPath = read('BOT_DOCKER_SOCKET');
  const readBot = (name: 'BOT_MAIN' | 'BOT_PROTECTION_PUBLIC' | 'BOT_PROTECTION_ADMIN') =>
    toBotSettings(name, read(name), panel, socketPath, problems);
  const bots = Object.freeze({
    main_bot: readBot('BOT_MAIN'),
    protection_public_bot: readBot('BOT_PROTECTION_PUBLIC'),
    protection_admin_bot: readBot('BOT_PROTECTION_ADMIN'),
  });
  if (problems.length > 0) throw new ConfigError(problems);
  const publicUrl = baseUrl
    ? new URL(baseUrl).origin
    : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return Object.freeze({
    host,
    port,
    databasePath,
    isDatabaseNamed: (environment['DATABASE_PATH']?.trim() ?? '') !== '',
    dataFolder: dirname(databasePath),
    baseUrl: publicUrl,
    trustedProxies,
    logLevel,
    operator,
    litecoin,
    donations,
    chatPlatform: apiUrl === undefined ? undefined : Object.freeze({ apiUrl, token }),
    avatarPlatform:
      apiUrl !== undefined && token !== undefined && cdnUrl !== undefined
        ? Object.freeze({ apiUrl, cdnUrl, token, baseUrl: publicUrl, callsPerSecond })
        : undefined,
    avatarsMaxBytes: avatarsMaxMb * 1_000_000,
    protectionService:
      protectionUrl === undefined
        ? undefined
        : Object.freeze({ url: protectionUrl, status: protectionStatus }),
    bots,
  });
}

function toBotSettings(
  name: string,
  given: string | undefined,
  panel: { readonly url: string | undefined; readonly key: string | undefined },
  socketPath: string,
  problems: string[],
): BotSettings | undefined {
  if (given === undefined) return undefined;
  const at = given.indexOf(':');
  const [source, rest] = [given.slice(0, at), given.slice(at + 1)];
  if (source === 'docker') return Object.freeze({ source, socketPath, container: rest });
  if (source === 'systemd') return Object.freeze({ source, unit: rest });
  if (source === 'pid') return Object.freeze({ source, file: resolve(rest) });
  const { url, key } = panel;
  if (url !== undefined && key !== undefined)
    return Object.freeze({ source: 'panel', url, key, server: rest });
  problems.push(`${name}=${given}: needs BOT_PANEL_URL and BOT_PANEL_KEY, which must be set too`);
  return undefined;
}

function toLitecoinSettings(
  given: {
    readonly network: LitecoinSettings['network'];
    readonly url: string | undefined;
    readonly user: string | undefined;
    readonly password: string | undefined;
    readonly cookieFile: string | undefined;
    readonly esploraUrl: string | undefined;
  },
  problems: string[],
): LitecoinSettings {
  const { url, user, password, cookieFile, network, esploraUrl } = given;
  if ((user === undefined) !== (password === undefined))
    problems.push('LITECOIN_RPC_USER and LITECOIN_RPC_PASSWORD: must be set both or not at all');
  if (url === undefined && (user !== undefined || cookieFile !== undefined))
    problems.push(
      'LITECOIN_RPC_URL: must be set where a login is, for example LITECOIN_RPC_URL=http://127.0.0.1:9332',
    );
  const pair = user !== undefined && password !== undefined ? { user, password } : undefined;
  const login = pair ?? (cookieFile === undefined ? undefined : { cookieFile: resolve(cookieFile) });
  return Object.freeze({
    network,
    rpc: url === undefined ? undefined : Object.freeze({ url, login }),
    esploraUrl,
  });
}

/** Reads `.env` of the working directory, if there is one, and the environment, which wins over it. */
export function readConfig(overrides: Readonly<Record<string, string>> = {}): Config {
  if (existsSync('.env')) loadEnvFile('.env');
  return parseConfig({ ...process.env, ...overrides });
}

/**
 * The environment of a child process of ours.
 * @param overrides settings that the child gets instead of the parent's
 */
export function childEnvironment(overrides: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...overrides };
}

/** What the test command asks of its surroundings. */
export function readTestEnvironment(): { readonly isCi: boolean } {
  return { isCi: process.env['CI'] === 'true' };
}

function isOrigin(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return (
    /^https?:$/.test(url.protocol) &&
    url.pathname === '/' &&
    !url.search &&
    !url.hash &&
    !url.username &&
    !url.password
  );
}

function isServiceUrl(value: string): boolean {
  return isWebAddress(value) && !/[?#]/.test(value);
}

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

function isContact(value: string): boolean {
  return z.email().safeParse(value).success || (URL.canParse(value) && new URL(value).protocol === 'https:');
}

/** IPv4 in four parts only: "1", which elsewhere means one proxy, would be read as 0.0.0.1. */
function isAddressOrRange(value: string): boolean {
  return (
    ipaddr.IPv4.isValidFourPartDecimal(value) ||
    ipaddr.IPv4.isValidCIDRFourPartDecimal(value) ||
    ipaddr.IPv6.isValid(value) ||
    ipaddr.IPv6.isValidCIDR(value)
  );
}
