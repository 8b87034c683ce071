import { z } from 'zod';

/** SPEC 2.5; the lengths are this service's. */
export const DONATION_ID = /^ltc_[0-9a-f]{16,64}$/;

export const donationQuerySchema = z.object({
  id: z.string().regex(DONATION_ID).describe('ID wpłaty: `ltc_` i od 16 do 64 cyfr szesnastkowych.'),
});
