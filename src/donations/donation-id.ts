/** SPEC 2.5: `ltc_` and lower-case hexadecimal digits; lengths settled in DESIGN section 3. */
const DONATION_ID = /^ltc_[0-9a-f]{16,64}$/;

export function isDonationId(value: string): boolean {
  return DONATION_ID.test(value);
}
