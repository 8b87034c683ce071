import { randomBytes } from 'node:crypto';
import { z } from 'zod';

/** SPEC 2.5: `ltc_` and lower-case hexadecimal digits; lengths are this service's. */
export const DONATION_ID = /^ltc_[0-9a-f]{16,64}$/;

/** The parameter of the interface. */
export const donationQuerySchema = z.object({
  id: z.string().regex(DONATION_ID).describe('ID wpłaty: `ltc_` i od 16 do 64 cyfr szesnastkowych.'),
});

const RANDOM_BYTES = 16;

export function isDonationId(value: string): boolean {
  return DONATION_ID.test(value);
}

/** An ID that nobody can guess: whoever knows it may see the payment. */
export function createDonationId(): string {
  return `ltc_${randomBytes(RANDOM_BYTES).toString('hex')}`;
}
