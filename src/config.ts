/**
 * The settings, read once per process from the environment and an optional `.env` and checked as a whole. No
 * other file reads the environment. src/config/ defines each setting.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { listIneffective } from './config/ineffective-settings.ts';
import { LITECOIN_SETTINGS } from './config/litecoin-settings.ts';
import { OUTSIDE_SETTINGS } from './config/outside-settings.ts';
import { splitTexts, type Setting } from './config/setting.ts';
import { SITE_SETTINGS } from './config/site-settings.ts';

export type Config = ReturnType<typeof parseConfig>;
/** Prices, addresses and texts of donations. */
export type DonationSettings = Config['donations'];
/** Pages leave out a missing fact. */
export type Operator = Config['operator'];

type BotSettings =
  | { readonly source: 'panel'; readonly url: string; readonly key: string; readonly server: string }
  | { readonly source: 'docker'; readonly socketPath: string; readonly container: string }
  | { readonly source: 'systemd'; readonly unit: string };

/** The message lists every problem, one per line. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`wrong settings:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

const SETTINGS = { ...SITE_SETTINGS, ...LITECOIN_SETTINGS, ...OUTSIDE_SETTINGS };

/** Every setting must be in `.env.example`. */
export const SETTING_NAMES = Object.keys(SETTINGS);

/**
 * @param environment by name; an empty value counts as absent
 * @throws {ConfigError}
 */
export function parseConfig(environment: Environment) {
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
  const trustedProxies: readonly string[] = read('TRUST_PROXY');
  const logLevel = read('LOG_LEVEL');
  const logRequests = read('LOG_REQUESTS');
  const metricsPort = read('METRICS_PORT');
  if (metricsPort !== undefined && metricsPort !== 0 && metricsPort === port)
    problems.push(`METRICS_PORT=${metricsPort}: must be another port than PORT`);
  const backupFolder = read('BACKUP_FOLDER');
  const backupAt = read('BACKUP_AT');
  const operator = {
    name: read('OPERATOR_NAME'),
    appealsContact: read('APPEALS_CONTACT'),
    reportsContact: read('REPORTS_CONTACT'),
    securityContact: read('SECURITY_CONTACT'),
    appealsAnswerDays: read('APPEALS_ANSWER_DAYS'),
    platformName: read('PLATFORM_NAME'),
    /** Menu texts of the platform: the section of the settings, its switch, and the item that copies an ID. */
    idMenu: splitTexts(read('PLATFORM_ID_MENU') ?? ''),
    help: {
      emergencyPhone: read('EMERGENCY_PHONE'),
      youthPhone: read('YOUTH_HELPLINE_PHONE'),
      fraudSms: read('FRAUD_SMS_NUMBER'),
      fraudSite: read('FRAUD_SITE_URL'),
    },
  };
  const litecoin = readLitecoin();
  const donations = {
    accountKey: read('LITECOIN_XPUB'),
    /** A slash and a transaction ID are appended. */
    explorerUrl: read('LITECOIN_EXPLORER_URL'),
    requiredConfirmations: read('LITECOIN_CONFIRMATIONS'),
    paymentMinutes: read('LITECOIN_PAYMENT_MINUTES'),
    /** zł with a decimal point; default: CoinGecko's price. */
    priceOfLtcPln: read('LITECOIN_PRICE_PLN'),
    coingeckoUrl: read('LITECOIN_COINGECKO_URL'),
    premiumMonthPln: read('LITECOIN_PREMIUM_MONTH_PLN'),
    premiumLifetimePln: read('LITECOIN_PREMIUM_LIFETIME_PLN'),
    purpose: read('LITECOIN_PURPOSE'),
    premiumBenefits: read('LITECOIN_PREMIUM_BENEFITS'),
    howToStart: read('LITECOIN_HOW_TO_START'),
  };
  const apiUrl = read('CHAT_PLATFORM_API_URL');
  const token = read('CHAT_PLATFORM_TOKEN');
  const cdnUrl = read('CHAT_PLATFORM_CDN_URL');
  const callsPerSecond = read('CHAT_PLATFORM_CALLS_PER_SECOND');
  const avatarsMaxMb = read('AVATARS_MAX_MB');
  const protectionUrl = read('PROTECTION_SERVICE_URL');
  const protectionStatus = read('PROTECTION_SERVICE_STATUS');
  const panel = { url: read('BOT_PANEL_URL'), key: read('BOT_PANEL_KEY') };
  const socketPath = read('BOT_DOCKER_SOCKET');
  const bots = {
    main_bot: readBot('BOT_MAIN'),
    protection_public_bot: readBot('BOT_PROTECTION_PUBLIC'),
    protection_admin_bot: readBot('BOT_PROTECTION_ADMIN'),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  const publicUrl = baseUrl
    ? new URL(baseUrl).origin
    : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return Object.freeze({
    host,
    /** 0 lets the system choose a port, also for the metrics. */
    port,
    databasePath,
    /** False for the default path, in the working directory. */
    isDatabaseNamed: (environment['DATABASE_PATH']?.trim() ?? '') !== '',
    /** The folder of the database, with proof files and derived files. */
    dataFolder: dirname(databasePath),
    /** Without a trailing slash, like all addresses here. */
    baseUrl: publicUrl,
    trustedProxies,
    logLevel,
    logRequests,
    /** On the loopback interface. */
    metricsPort,
    backups:
      backupFolder === undefined
        ? undefined
        : { folder: resolve(backupFolder), minuteOfDay: toMinutes(backupAt) },
    operator,
    litecoin,
    donations,
    /** Discord, or a platform with its API. */
    chatPlatform: apiUrl === undefined ? undefined : { apiUrl, token },
    avatarPlatform:
      apiUrl !== undefined && token !== undefined && cdnUrl !== undefined
        ? { apiUrl, cdnUrl, token, baseUrl: publicUrl, callsPerSecond }
        : undefined,
    avatarsMaxBytes: avatarsMaxMb * 1_000_000,
    protectionService:
      protectionUrl === undefined ? undefined : { url: protectionUrl, status: protectionStatus },
    bots,
  });

  function readBot(
    name: 'BOT_MAIN' | 'BOT_PROTECTION_PUBLIC' | 'BOT_PROTECTION_ADMIN',
  ): BotSettings | undefined {
    const given = read(name);
    if (given === undefined) return undefined;
    const at = given.indexOf(':');
    const [source, rest] = [given.slice(0, at), given.slice(at + 1)];
    if (source === 'docker') return { source, socketPath, container: rest };
    if (source === 'systemd') return { source, unit: rest };
    // An earlier version read process IDs from files; listIneffective warns about it.
    if (source === 'pid') return undefined;
    const { url, key } = panel;
    if (url !== undefined && key !== undefined) return { source: 'panel', url, key, server: rest };
    problems.push(`${name}=${given}: needs BOT_PANEL_URL and BOT_PANEL_KEY, which must be set too`);
    return undefined;
  }

  function readLitecoin() {
    const network = read('LITECOIN_NETWORK');
    const url = read('LITECOIN_RPC_URL');
    const user = read('LITECOIN_RPC_USER');
    const password = read('LITECOIN_RPC_PASSWORD');
    const cookieFile = read('LITECOIN_RPC_COOKIE_FILE');
    const esploraUrl = read('LITECOIN_ESPLORA_URL');
    if ((user === undefined) !== (password === undefined))
      problems.push('LITECOIN_RPC_USER and LITECOIN_RPC_PASSWORD: must be set both or not at all');
    if (url === undefined && (user !== undefined || cookieFile !== undefined))
      problems.push(
        'LITECOIN_RPC_URL: must be set where a login is, for example LITECOIN_RPC_URL=http://127.0.0.1:9332',
      );
    const pair = user !== undefined && password !== undefined ? { user, password } : undefined;
    const login = pair ?? (cookieFile === undefined ? undefined : { cookieFile: resolve(cookieFile) });
    return {
      network,
      rpc: url === undefined ? undefined : { url, login },
      // Only one source is used; listIneffective warns about the other one.
      esploraUrl: url === undefined ? esploraUrl : undefined,
    };
  }
}

/** @param time HH:MM; wrong ones are already in the problems */
function toMinutes(time: string | undefined): number {
  const [hours = 0, minutes = 0] = (time ?? '').split(':').map(Number);
  return hours * 60 + minutes;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment overrides `.env` of the working directory. */
export function readConfig(overrides: Environment = {}, environment: Environment = process.env): Config {
  // Child processes get these settings, even when the file changes.
  if (environment === process.env && existsSync('.env')) loadEnvFile('.env');
  return parseConfig({ ...readEnvFile(), ...environment, ...overrides });
}

export function readEnvironment(environment: Environment = process.env): Environment {
  return environment;
}

function readEnvFile(): Environment {
  return existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
}

/** A sentence for each setting that readConfig ignores. */
export function listSettingWarnings(environment: Environment = process.env): string[] {
  const file = readEnvFile();
  return listIneffective({ ...file, ...environment }, new Set(Object.keys(file)), new Set(SETTING_NAMES));
}

export interface ShownSetting {
  readonly name: string;
  /** The given value or the default; `(set)` for a secret; undefined without either. */
  readonly value: string | undefined;
  readonly from: 'environment' | '.env' | 'default' | 'nowhere';
}

/** Does not check the values: readConfig does. */
export function listSettings(environment: Environment = process.env): ShownSetting[] {
  const file = readEnvFile();
  return Object.entries(SETTINGS).map(([name, { schema, isSecret }]: [string, Setting]) => {
    const fromEnvironment = environment[name];
    // An empty variable of the environment overrides `.env`, too. readConfig may have loaded the file into it.
    const isFromFile = fromEnvironment === undefined || fromEnvironment === file[name];
    const given = (isFromFile ? file[name] : fromEnvironment)?.trim() ?? '';
    if (given !== '')
      return { name, value: isSecret ? '(set)' : given, from: isFromFile ? '.env' : 'environment' };
    const fallback = schema.safeParse(undefined).data;
    return typeof fallback === 'string' || typeof fallback === 'number'
      ? { name, value: String(fallback), from: 'default' }
      : { name, value: undefined, from: 'nowhere' };
  });
}

/** @param overrides settings of the child process */
export function childEnvironment(overrides: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { ...process.env, ...overrides };
}

/** Reads whether systemd wants notifications, and the interval of its watchdog. */
export function readServiceManager(): { readonly isThere: boolean; readonly watchdogMs: number | undefined } {
  const microseconds = Number(process.env['WATCHDOG_USEC']);
  return {
    isThere: (process.env['NOTIFY_SOCKET'] ?? '') !== '',
    watchdogMs: microseconds > 0 ? microseconds / 1_000 : undefined,
  };
}

/**
 * Returns the descriptor of a listening socket from systemd (sd_listen_fds(3)), or undefined. The supervisor passes
 * it to the web process under the same number.
 */
export function readPassedSocket(): number | undefined {
  const { LISTEN_FDS: count, LISTEN_PID: receiver } = process.env;
  return Number(count) >= 1 && [process.pid, process.ppid].includes(Number(receiver)) ? 3 : undefined;
}

/** Variables of the test command. */
export function readTestEnvironment(): { readonly isCi: boolean; readonly hasManyTrials: boolean } {
  return { isCi: process.env['CI'] === 'true', hasManyTrials: process.env['TRIALS'] === 'many' };
}
