/** Settings of donations and of the source that monitors the chain. */
import { z } from 'zod';
import {
  numberOr,
  path,
  SECRET,
  SECRET_MAX,
  secretUrl,
  serviceUrl,
  serviceUrlSchema,
  setting,
  splitTexts,
  text,
  TEXT_MAX,
  type Setting,
} from './setting.ts';

/** Not with the prefixes of extended private keys (SLIP-132, and Litecoin's own). */
const PUBLIC_KEY = /^(?![xyztuvYZUV]prv|[LMt]tpv)[1-9A-HJ-NP-Za-km-z]{100,120}$/;
const ASCII_WITHOUT_COLON = /^[\x20-\x39\x3b-\x7e]+$/;
const AMOUNT_ABOVE_ZERO = /^(?=.*[1-9])\d{1,7}(?:\.\d{1,2})?$/;
const userSchema = z.string().max(SECRET_MAX).regex(ASCII_WITHOUT_COLON).optional();
const NETWORKS = ['main', 'test', 'regtest'] as const;
const COINGECKO_URL = 'https://api.coingecko.com';
const AMOUNT_EXPECTED = 'must be an amount in zł above zero, with a decimal point and at most two decimals';
const amountPln = (example: string) =>
  setting(z.string().regex(AMOUNT_ABOVE_ZERO).optional(), AMOUNT_EXPECTED, example);

export const LITECOIN_SETTINGS = {
  LITECOIN_NETWORK: setting(z.enum(NETWORKS).default('main'), 'must be main, test or regtest', 'main'),
  LITECOIN_RPC_URL: secretUrl('http://127.0.0.1:9332'),
  LITECOIN_RPC_USER: setting(userSchema, 'must be ASCII characters other than a colon', 'czujka'),
  LITECOIN_RPC_PASSWORD: SECRET,
  LITECOIN_RPC_COOKIE_FILE: path('file', '/var/lib/litecoin/.cookie'),
  LITECOIN_ESPLORA_URL: secretUrl('https://litecoinspace.org/api'),
  LITECOIN_XPUB: {
    schema: z.string().regex(PUBLIC_KEY).optional(),
    expected:
      'must be the extended public key of an account (zpub, xpub or Ltub); a private one has no place on this machine',
    // A real key in its place would give out addresses of someone else.
    example:
      'zpub6xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    isSecret: true,
  },
  LITECOIN_EXPLORER_URL: serviceUrl('https://litecoinspace.org/tx'),
  LITECOIN_CONFIRMATIONS: numberOr(6, 1, 100),
  LITECOIN_PAYMENT_MINUTES: numberOr(60, 5, 10_080),
  LITECOIN_PRICE_PLN: amountPln('340.00'),
  LITECOIN_COINGECKO_URL: { ...secretUrl(COINGECKO_URL), schema: serviceUrlSchema.default(COINGECKO_URL) },
  LITECOIN_PREMIUM_MONTH_PLN: amountPln('40.00'),
  LITECOIN_PREMIUM_LIFETIME_PLN: amountPln('150.00'),
  LITECOIN_PURPOSE: text('Wpłaty pokrywają koszty serwera.'),
  LITECOIN_PREMIUM_BENEFITS: {
    ...text('Znaczek przy nicku|Większe limity|Dostęp do kanału premium'),
    schema: z
      .string()
      .max(TEXT_MAX)
      .default('')
      .transform((value) => splitTexts(value)),
  },
  LITECOIN_HOW_TO_START: text(
    'Wejdź na [nasz serwer](https://czujka.example/serwer) i wpisz komendę /wesprzyj.',
  ),
} as const satisfies Readonly<Record<string, Setting>>;
