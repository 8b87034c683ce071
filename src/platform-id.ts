/** IDs of the chat platform ("snowflakes"): 17 to 20 digits without a leading 0. */

export const PLATFORM_ID = String.raw`[1-9]\d{16,19}`;
const WHOLE = new RegExp(`^${PLATFORM_ID}$`);

export function isPlatformId(text: string): boolean {
  return WHOLE.test(text);
}
