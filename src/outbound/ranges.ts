/** Ranges of what outside services send. An answer with a value outside is refused whole and never stored. */
import { z } from 'zod';

export const LITOSHI_PER_LTC = 100_000_000;
/** The supply of LTC. */
export const LTC_MAX = 84_000_000;
export const LITOSHI_MAX = LTC_MAX * LITOSHI_PER_LTC;
/** In the year 2100, with a block every two and a half minutes. */
const HEIGHT_MAX = 20_000_000;
/** Regtest's first block is the oldest one of all networks; epoch seconds. */
const TIME_MIN = Date.UTC(2011, 0, 1) / 1000;
const TIME_MAX = Date.UTC(2100, 0, 1) / 1000;
/** The protocol lets a block be two hours ahead. */
const AHEAD_MAX_MS = 24 * 60 * 60_000;

export const hash = z.string().regex(/^[0-9a-f]{64}$/);
export const height = z.int().min(0).max(HEIGHT_MAX);
/** -1 outside the chain. */
export const confirmations = z.int().min(-1).max(HEIGHT_MAX);
/** The place of an output in its transaction. */
export const place = z.int().min(0).max(0xffff_ffff);
export const litoshi = z.int().min(0).max(LITOSHI_MAX);
/** A node writes LTC as a JSON number with eight decimals; this reads whole litoshi. */
export const ltc = z
  .number()
  .min(0)
  .max(LTC_MAX)
  .transform((value) => Math.round(value * LITOSHI_PER_LTC));
const seconds = z.int().min(TIME_MIN).max(TIME_MAX);
/** Epoch seconds; this reads milliseconds. */
export const time = seconds.transform((value) => value * 1000);

/** No transaction pays more than there is. */
export function isWithinSupply(outputs: readonly { readonly litoshi: number }[]): boolean {
  return outputs.reduce((sum, output) => sum + output.litoshi, 0) <= LITOSHI_MAX;
}

/** Either the source or this machine's clock is wrong. @param at time of a block @throws {Error} */
export function assertNotAhead(at: number, now: number): void {
  if (at > now + AHEAD_MAX_MS)
    throw new Error("it names a block that is more than a day ahead of this machine's clock");
}
