/**
 * The settings, read once per process from the environment and an optional `.env` and checked as a whole. src/config/
 * defines each setting.
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
import { readEnvironment, type Environment } from './environment.ts';

export type Config = ReturnType<typeof parseConfig>;
/** Pages leave out a missing fact. */
export type Operator = Config['operator'];

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

type Settings = typeof SETTINGS;
type Values = { readonly [Name in keyof Settings]: z.output<Settings[Name]['schema']> };

/** @param environment by name; an empty value counts as absent @throws {ConfigError} */
export function parseConfig(environment: Environment) {
  const problems: string[] = [];
  const read = ([name, { schema, expected, example, isSecret }]: [string, Setting]) => {
    const given = environment[name]?.trim() || undefined;
    const result = schema.safeParse(given);
    const shown = isSecret ? name : `${name}=${given}`;
    if (given?.includes('\ufffd')) problems.push(`${name}: is not valid UTF-8; save the file as UTF-8`);
    if (!result.success) problems.push(`${shown}: ${expected}, for example ${name}=${example}`);
    return [name, result.data] as const;
  };
  // A value with a problem is undefined, until the problems are thrown.
  const values = Object.fromEntries(Object.entries(SETTINGS).map(read)) as Values;
  const { HOST: host, PORT: port, BASE_URL: baseUrl, METRICS_PORT: metricsPort } = values;
  if (metricsPort !== undefined && metricsPort !== 0 && metricsPort === port)
    problems.push(`METRICS_PORT=${metricsPort}: must be another port than PORT`);
  const litecoin = toLitecoin(values, problems);
  const bots = {
    main_bot: toBot('BOT_MAIN', values, problems),
    protection_public_bot: toBot('BOT_PROTECTION_PUBLIC', values, problems),
    protection_admin_bot: toBot('BOT_PROTECTION_ADMIN', values, problems),
  };
  if (problems.length > 0) throw new ConfigError(problems);
  const databasePath = resolve(values.DATABASE_PATH);
  const [hour = 0, minute = 0] = values.BACKUP_AT.split(':').map(Number);
  const publicUrl = baseUrl
    ? new URL(baseUrl).origin
    : `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const { CHAT_PLATFORM_API_URL: apiUrl, CHAT_PLATFORM_TOKEN: token, CHAT_PLATFORM_CDN_URL: cdnUrl } = values;
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
    trustedProxies: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    logRequests: values.LOG_REQUESTS,
    /** On the loopback interface. */
    metricsPort,
    backups:
      values.BACKUP_FOLDER === undefined
        ? undefined
        : { folder: resolve(values.BACKUP_FOLDER), minuteOfDay: hour * 60 + minute },
    operator: {
      name: values.OPERATOR_NAME,
      contact: values.OPERATOR_CONTACT,
      /** For questions about anything but an entry. */
      questionsContact: values.OPERATOR_CONTACT ?? values.APPEALS_CONTACT,
      appealsContact: values.APPEALS_CONTACT,
      reportsContact: values.REPORTS_CONTACT,
      securityContact: values.SECURITY_CONTACT,
      appealsLink: values.APPEALS_LINK,
      reportsLink: values.REPORTS_LINK,
      /** Where the bot is added to a server. */
      botInviteUrl: values.BOT_INVITE_URL,
      appealsAnswerDays: values.APPEALS_ANSWER_DAYS,
      reportsAnswerDays: values.REPORTS_ANSWER_DAYS,
      /** After this many days a page says since when a report is unconfirmed. */
      riskReviewDays: values.RISK_REVIEW_DAYS,
      confirmedWhen: values.CONFIRMED_WHEN,
      legalBasis: values.LEGAL_BASIS,
      platformName: values.PLATFORM_NAME,
      /** Menu texts of the platform: the section of the settings, its switch, and the item that copies an ID. */
      idMenu: splitTexts(values.PLATFORM_ID_MENU),
      help: {
        emergencyPhone: values.EMERGENCY_PHONE,
        youthPhone: values.YOUTH_HELPLINE_PHONE,
        fraudSms: values.FRAUD_SMS_NUMBER,
        fraudSite: values.FRAUD_SITE_URL,
      },
    },
    litecoin,
    donations: {
      accountKey: values.LITECOIN_XPUB,
      /** A slash and a transaction ID are appended. */
      explorerUrl: values.LITECOIN_EXPLORER_URL,
      requiredConfirmations: values.LITECOIN_CONFIRMATIONS,
      paymentMinutes: values.LITECOIN_PAYMENT_MINUTES,
      /** zł with a decimal point; default: CoinGecko's price. */
      priceOfLtcPln: values.LITECOIN_PRICE_PLN,
      coingeckoUrl: values.LITECOIN_COINGECKO_URL,
      premiumMonthPln: values.LITECOIN_PREMIUM_MONTH_PLN,
      premiumLifetimePln: values.LITECOIN_PREMIUM_LIFETIME_PLN,
      purpose: values.LITECOIN_PURPOSE,
      premiumBenefits: values.LITECOIN_PREMIUM_BENEFITS,
      howToStart: values.LITECOIN_HOW_TO_START,
    },
    /** Discord, or a platform with its API. */
    chatPlatform: apiUrl === undefined ? undefined : { apiUrl, token },
    avatarPlatform:
      apiUrl !== undefined && token !== undefined && cdnUrl !== undefined
        ? { apiUrl, cdnUrl, token, baseUrl: publicUrl, callsPerSecond: values.CHAT_PLATFORM_CALLS_PER_SECOND }
        : undefined,
    /** With their subdomains. */
    refusedProofHosts: values.REFUSED_PROOF_HOSTS,
    avatarsMaxBytes: values.AVATARS_MAX_MB * 1_000_000,
    protectionService:
      values.PROTECTION_SERVICE_URL === undefined
        ? undefined
        : { url: values.PROTECTION_SERVICE_URL, status: values.PROTECTION_SERVICE_STATUS },
    bots,
  });
}

type BotSetting = 'BOT_MAIN' | 'BOT_PROTECTION_PUBLIC' | 'BOT_PROTECTION_ADMIN';

function toBot(name: BotSetting, values: Values, problems: string[]) {
  const [source, rest = ''] = values[name]?.split(/:(.*)/s) ?? [];
  if (source === 'docker')
    return { source: 'docker' as const, socketPath: values.BOT_DOCKER_SOCKET, container: rest };
  if (source === 'systemd') return { source: 'systemd' as const, unit: rest };
  if (source !== 'panel') return undefined;
  const { BOT_PANEL_URL: url, BOT_PANEL_KEY: key } = values;
  if (url !== undefined && key !== undefined) return { source: 'panel' as const, url, key, server: rest };
  problems.push(`${name}=${values[name]}: needs BOT_PANEL_URL and BOT_PANEL_KEY, which must be set too`);
  return undefined;
}

function toLitecoin(values: Values, problems: string[]) {
  const { LITECOIN_RPC_URL: url, LITECOIN_RPC_USER: user, LITECOIN_RPC_PASSWORD: password } = values;
  const cookieFile = values.LITECOIN_RPC_COOKIE_FILE;
  if ((user === undefined) !== (password === undefined))
    problems.push('LITECOIN_RPC_USER and LITECOIN_RPC_PASSWORD: must be set both or not at all');
  if (url === undefined && (user !== undefined || cookieFile !== undefined))
    problems.push(
      'LITECOIN_RPC_URL: must be set where a login is, for example LITECOIN_RPC_URL=http://127.0.0.1:9332',
    );
  const pair = user !== undefined && password !== undefined ? { user, password } : undefined;
  const login = pair ?? (cookieFile === undefined ? undefined : { cookieFile: resolve(cookieFile) });
  return {
    network: values.LITECOIN_NETWORK,
    rpc: url === undefined ? undefined : { url, login },
    // Only one source is used; listIneffective warns about the other one.
    esploraUrl: url === undefined ? values.LITECOIN_ESPLORA_URL : undefined,
  };
}

/** The environment overrides `.env` of the working directory. */
export function readConfig(overrides: Environment = {}, environment = readEnvironment()): Config {
  // Child processes get these settings, even when the file changes.
  if (environment === readEnvironment() && existsSync('.env')) loadEnvFile('.env');
  return parseConfig({ ...readEnvFile(), ...environment, ...overrides });
}

function readEnvFile(): Environment {
  return existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
}

/** A sentence for each setting that readConfig ignores. */
export function listSettingWarnings(environment = readEnvironment()): string[] {
  const file = readEnvFile();
  return listIneffective({ ...file, ...environment }, new Set(Object.keys(file)), new Set(SETTING_NAMES));
}

/**
 * Lists each setting with its value, or the default; `(set)` stands for a secret. It does not check the values: readConfig
 * does.
 */
export function listSettings(environment = readEnvironment()) {
  const file = readEnvFile();
  return Object.entries(SETTINGS).map(([name, { schema, isSecret }]: [string, Setting]) => {
    const fromEnvironment = environment[name];
    // An empty variable of the environment overrides `.env`, too. readConfig may have loaded the file into it.
    const isFromFile = fromEnvironment === undefined || fromEnvironment === file[name];
    const given = (isFromFile ? file[name] : fromEnvironment)?.trim() ?? '';
    const from = isFromFile ? '.env' : 'environment';
    if (given !== '') return { name, value: isSecret ? '(set)' : given, from };
    const fallback = schema.safeParse(undefined).data;
    return typeof fallback === 'string' || typeof fallback === 'number'
      ? { name, value: String(fallback), from: 'default' }
      : { name, value: undefined, from: 'nowhere' };
  });
}
