/** Settings of the service itself: its address, its data and its operator. */
import { basename } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { DATA_FILES, DATA_FOLDERS } from '../data-files.ts';
import {
  isWebAddress,
  numberOr,
  optionalNumber,
  path,
  serviceUrl,
  serviceUrlSchema,
  setting,
  splitTexts,
  text,
  TEXT_MAX,
  type Setting,
} from './setting.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const LOGGED_REQUESTS = ['none', 'errors', 'all'] as const;
const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const OPERATOR_TEXT_MAX = 100;
const SENTENCES_MAX = 1_000;
const LINK_MAX = 500;
const DATABASE = 'data/czujka.db';
const PORT_MAX = 65_535;
const HOST_OR_ADDRESS = /^[\w.:-]+$/;
const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const ONE_LINE = /^[^\p{Cc}]*$/u;
const FRAUD_SITE = 'https://incydent.cert.pl';
const contact = (example: string) =>
  setting(
    z.string().max(200).refine(isContact).optional(),
    'must be an e-mail address or an https address',
    example,
  );
const link = (example: string) =>
  setting(
    z.string().max(LINK_MAX).refine(isWebAddress).optional(),
    `must be an http or https address without user and password, of at most ${LINK_MAX} characters`,
    example,
  );
/** One line; a blank one counts as absent. */
const sentencesSchema = z.string().max(SENTENCES_MAX).regex(ONE_LINE);
const sentences = <Schema extends z.ZodType>(schema: Schema, example: string) =>
  setting(schema, `must be one line of at most ${SENTENCES_MAX} characters`, example);
const LEGAL_BASIS =
  'Dane z wpisów przetwarzamy na podstawie prawnie uzasadnionego interesu, jakim jest ochrona ludzi przed oszustwem (art. 6 ust. 1 lit. f RODO).';
const phoneSchema = z.string().regex(/^\+?\d[\d ]{1,18}$/);
const phone = (example: string) => setting(phoneSchema.optional(), 'must be digits and spaces', example);

const hostSchema = z.string().regex(HOST_OR_ADDRESS).default('127.0.0.1');

export const SITE_SETTINGS = {
  HOST: setting(hostSchema, 'must be a host name or an IP address', '127.0.0.1'),
  PORT: numberOr(4321, 0, PORT_MAX),
  DATABASE_PATH: setting(
    z.string().refine(isFreeName).default(DATABASE),
    `must be the path of a file that is none of the service's others: ${DATA_FILES.join(', ')}`,
    DATABASE,
  ),
  BASE_URL: setting(
    z.string().refine(isSiteAddress).optional(),
    'must be an http or https address without a path',
    'https://czujka.example',
  ),
  TRUST_PROXY: {
    schema: z
      .string()
      .default('')
      .transform((value) => splitTexts(value, ','))
      .refine((parts) => parts.every((part) => part === 'loopback' || isAddressOrRange(part)))
      .transform((parts) => parts.flatMap((part) => (part === 'loopback' ? LOOPBACK : [part]))),
    expected: 'must be a comma-separated list of addresses, CIDR ranges or "loopback"',
    example: 'loopback,10.0.0.0/8',
  },
  LOG_LEVEL: setting(z.enum(LOG_LEVELS).default('info'), `must be one of ${LOG_LEVELS.join(', ')}`, 'info'),
  LOG_REQUESTS: setting(z.enum(LOGGED_REQUESTS).default('none'), 'must be none, errors or all', 'errors'),
  METRICS_PORT: optionalNumber(0, PORT_MAX, 9464),
  BACKUP_FOLDER: path('folder', '/var/backups/czujka'),
  BACKUP_AT: setting(z.string().regex(TIME_OF_DAY).default('04:10'), 'must be a time of day in UTC', '04:10'),
  OPERATOR_NAME: text('Fundacja Czujka', OPERATOR_TEXT_MAX),
  OPERATOR_CONTACT: contact('kontakt@czujka.example'),
  APPEALS_CONTACT: contact('odwolania@czujka.example'),
  REPORTS_CONTACT: contact('https://czujka.example/zgloszenia'),
  SECURITY_CONTACT: contact('bezpieczenstwo@czujka.example'),
  APPEALS_LINK: link('https://czat.czujka.example/odwolania'),
  REPORTS_LINK: link('https://czat.czujka.example/zgloszenia'),
  BOT_INVITE_URL: link('https://czat.czujka.example/dodaj-bota'),
  APPEALS_ANSWER_DAYS: optionalNumber(1, 365, 14),
  REPORTS_ANSWER_DAYS: optionalNumber(1, 365, 7),
  RISK_REVIEW_DAYS: numberOr(180, 1, 3_650),
  // Only where it is set, answers say that proofs were looked at; a page has a sentence in its place.
  CONFIRMED_WHEN: sentences(
    sentencesSchema.optional(),
    'Zgłoszenie jest potwierdzone, gdy osoba prowadząca listę obejrzała dowody i tak je oznaczyła.',
  ),
  LEGAL_BASIS: sentences(sentencesSchema.default(LEGAL_BASIS), LEGAL_BASIS),
  PLATFORM_NAME: text('Komunikator', OPERATOR_TEXT_MAX),
  PLATFORM_ID_MENU: {
    schema: z
      .string()
      .max(TEXT_MAX)
      .refine((value) => value.split('|').length === 3 && splitTexts(value).length === 3)
      .default('Zaawansowane|Tryb dewelopera|Kopiuj ID'),
    expected: 'must be three names, separated by |',
    example: 'Zaawansowane|Tryb dewelopera|Kopiuj ID użytkownika',
  },
  EMERGENCY_PHONE: { ...phone('112'), schema: phoneSchema.default('112') },
  YOUTH_HELPLINE_PHONE: { ...phone('116 111'), schema: phoneSchema.default('116 111') },
  FRAUD_SMS_NUMBER: phone('0000'),
  FRAUD_SITE_URL: { ...serviceUrl(FRAUD_SITE), schema: serviceUrlSchema.default(FRAUD_SITE) },
} as const satisfies Readonly<Record<string, Setting>>;

function isContact(value: string): boolean {
  return z.email().safeParse(value).success || URL.parse(value)?.protocol === 'https:';
}

function isSiteAddress(value: string): boolean {
  return isWebAddress(value) && !/[?#]/.test(value) && new URL(value).pathname === '/';
}

/** The service replaces or deletes files of the other names. */
function isFreeName(path: string): boolean {
  const name = basename(path).replace(/(?:-(?:wal|shm|journal)|\.(?:tmp|damaged))$/, '');
  const isPart = /^(?:\.part-|\.restore-|batch-.*\.lock$|before-\d{4}$)/.test(name);
  return !isPart && ![...DATA_FILES, ...DATA_FOLDERS].some((taken) => taken === name);
}

/** IPv4 needs four parts: "1", one proxy in other programs, would become 0.0.0.1. */
function isAddressOrRange(value: string): boolean {
  return (
    ipaddr.IPv4.isValidFourPartDecimal(value) ||
    ipaddr.IPv4.isValidCIDRFourPartDecimal(value) ||
    ipaddr.IPv6.isValid(value) ||
    ipaddr.IPv6.isValidCIDR(value)
  );
}
