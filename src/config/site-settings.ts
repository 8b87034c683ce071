/** Settings of the service itself: its address, its data and its operator. */
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { SERVICE_URL_EXPECTED, serviceUrl, TEXT_MAX, type Setting } from './setting.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const LOOPBACK = ['127.0.0.0/8', '::1/128'];
const OPERATOR_TEXT_MAX = 100;
const contact = z.string().max(200).refine(isContact).optional();
const phone = z.string().regex(/^\+?\d[\d ]{1,18}$/);
const PHONE_EXPECTED = 'must be digits and spaces';

export const SITE_SETTINGS = {
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
  LOG_REQUESTS: {
    schema: z.enum(['none', 'errors', 'all']).default('none'),
    expected: 'must be none, errors or all',
    example: 'errors',
  },
  METRICS_PORT: {
    schema: z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .pipe(z.number().max(65_535))
      .optional(),
    expected: 'must be a whole number from 0 to 65535',
    example: '9464',
  },
  BACKUP_FOLDER: {
    schema: z.string().optional(),
    expected: 'must be the path of a folder',
    example: '/var/backups/czujka',
  },
  BACKUP_AT: {
    schema: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
      .default('04:10'),
    expected: 'must be a time of day in UTC',
    example: '04:10',
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
  PLATFORM_ID_MENU: {
    schema: z
      .string()
      .max(TEXT_MAX)
      .regex(/^[^|]+(?:\|[^|]+){2}$/)
      .default('Zaawansowane|Tryb dewelopera|Kopiuj ID'),
    expected: 'must be three names, separated by |',
    example: 'Zaawansowane|Tryb dewelopera|Kopiuj ID użytkownika',
  },
  EMERGENCY_PHONE: { schema: phone.default('112'), expected: PHONE_EXPECTED, example: '112' },
  YOUTH_HELPLINE_PHONE: { schema: phone.optional(), expected: PHONE_EXPECTED, example: '000 000 000' },
  FRAUD_SMS_NUMBER: { schema: phone.optional(), expected: PHONE_EXPECTED, example: '0000' },
  FRAUD_SITE_URL: {
    schema: serviceUrl.default('https://incydent.cert.pl'),
    expected: SERVICE_URL_EXPECTED,
    example: 'https://incydent.cert.pl',
  },
} as const satisfies Readonly<Record<string, Setting>>;

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

function isContact(value: string): boolean {
  return z.email().safeParse(value).success || (URL.canParse(value) && new URL(value).protocol === 'https:');
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
