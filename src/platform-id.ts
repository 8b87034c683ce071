/** IDs of the chat platform ("snowflakes"): 17 to 20 digits without a leading 0. */

export const PLATFORM_ID = String.raw`[1-9]\d{16,19}`;
export const WHOLE_PLATFORM_ID = new RegExp(`^${PLATFORM_ID}$`);

export function isPlatformId(text: string): boolean {
  return WHOLE_PLATFORM_ID.test(text);
}

/** The platform began on 2015-01-01. */
export const EPOCH_MS = 1_420_070_400_000;
const TIME_SHIFT = 22n;
const NEW_MS = 30 * 86_400_000;

/** The moment in an ID says an account's age. @returns epoch ms; undefined when none is before `now` */
export function issuedAt(id: string, now: number): number | undefined {
  if (!isPlatformId(id)) return undefined;
  const at = Number(BigInt(id) >> TIME_SHIFT) + EPOCH_MS;
  return at <= now ? at : undefined;
}

export function isNewAccount(issuedAtMs: number, now: number): boolean {
  return now - issuedAtMs < NEW_MS;
}
