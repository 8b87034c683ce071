/** Settings of donations and of the source that monitors the chain. */
import { z } from 'zod';
import {
  secret,
  SECRET_MAX,
  SERVICE_URL_EXPECTED,
  serviceUrl,
  splitTexts,
  TEXT_MAX,
  wholeNumber,
  type Setting,
} from './setting.ts';

/** Prefixes of extended private keys (SLIP-132, and Litecoin's own). */
const PRIVATE_KEY = /^(?:[xyztuvYZUV]prv|[LMt]tpv)/;
const amountPln = z
  .string()
  .regex(/^\d{1,7}(?:\.\d{1,2})?$/)
  .refine((value) => Number(value) > 0)
  .optional();
const AMOUNT_PLN_EXPECTED =
  'must be an amount in zł above zero, with a decimal point and at most two decimals';

export const LITECOIN_SETTINGS = {
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
    // A real key in its place would give out addresses of someone else.
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
  LITECOIN_PREMIUM_MONTH_PLN: { schema: amountPln, expected: AMOUNT_PLN_EXPECTED, example: '40.00' },
  LITECOIN_PREMIUM_LIFETIME_PLN: { schema: amountPln, expected: AMOUNT_PLN_EXPECTED, example: '150.00' },
  LITECOIN_PURPOSE: {
    schema: z.string().max(TEXT_MAX).optional(),
    expected: `must be at most ${TEXT_MAX} characters`,
    example: 'Wpłaty pokrywają koszty serwera.',
  },
  LITECOIN_PREMIUM_BENEFITS: {
    schema: z.string().max(TEXT_MAX).default('').transform(splitTexts),
    expected: `must be at most ${TEXT_MAX} characters`,
    example: 'Znaczek przy nicku|Większe limity|Dostęp do kanału premium',
  },
  LITECOIN_HOW_TO_START: {
    schema: z.string().max(TEXT_MAX).optional(),
    expected: `must be at most ${TEXT_MAX} characters`,
    example: 'Wejdź na [nasz serwer](https://czujka.example/serwer) i wpisz komendę /wesprzyj.',
  },
} as const satisfies Readonly<Record<string, Setting>>;
