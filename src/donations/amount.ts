/** Money as whole litoshi (1e-8 LTC) and grosze; decimals only in input and output (SPEC 2.5). */
import { LITOSHI_MAX, LITOSHI_PER_LTC } from '../outbound/ranges.ts';

const GROSZE_PER_PLN = 100;
const LTC_DECIMALS = 8;
const PLN_DECIMALS = 2;
/** Requested amounts are multiples of this, so that donors type five decimals, not eight. */
const ASKED_STEP_LITOSHI = 1_000;

/** The nearest double, which JSON prints with at most eight decimals. */
export function toLtc(litoshi: number): number {
  return litoshi / LITOSHI_PER_LTC;
}

export function toPln(grosze: number): number {
  return grosze / GROSZE_PER_PLN;
}

/** For wallets and the `litecoin:` URI, for example `0.125`. */
export function formatLtc(litoshi: number): string {
  const digits = String(litoshi).padStart(LTC_DECIMALS + 1, '0');
  const decimals = digits.slice(-LTC_DECIMALS).replace(/(?<!0)0+$/, '');
  return digits.slice(0, -LTC_DECIMALS) + (decimals && `.${decimals}`);
}

/** @returns undefined unless it is positive and has at most eight decimals */
export function parseLtc(text: string): number | undefined {
  const litoshi = parseDecimal(text, LTC_DECIMALS);
  return litoshi !== undefined && litoshi <= LITOSHI_MAX ? litoshi : undefined;
}

/** @returns undefined unless it is positive, has at most two decimals and is at most 10,000,000 zł */
export function parsePln(text: string): number | undefined {
  const grosze = parseDecimal(text, PLN_DECIMALS);
  return grosze !== undefined && grosze <= 10_000_000 * GROSZE_PER_PLN ? grosze : undefined;
}

/** Rounded to the nearest grosz. */
export function valueInGrosze(litoshi: number, rateGrosze: number): number {
  const product = BigInt(litoshi) * BigInt(rateGrosze);
  return Number((product + BigInt(LITOSHI_PER_LTC / 2)) / BigInt(LITOSHI_PER_LTC));
}

/** Rounded up: never worth less than requested. */
export function litoshiFor(grosze: number, rateGrosze: number): number {
  const step = BigInt(ASKED_STEP_LITOSHI) * BigInt(rateGrosze);
  const steps = (BigInt(grosze) * BigInt(LITOSHI_PER_LTC) + step - 1n) / step;
  return Number(steps) * ASKED_STEP_LITOSHI;
}

function parseDecimal(text: string, decimals: number): number | undefined {
  const match = /^(?<whole>\d{1,10})(?:\.(?<part>\d{1,8}))?$/.exec(text);
  const { whole = '', part = '' } = match?.groups ?? {};
  if (!match || part.length > decimals) return undefined;
  const value = Number(whole + part.padEnd(decimals, '0'));
  return value > 0 && Number.isSafeInteger(value) ? value : undefined;
}
