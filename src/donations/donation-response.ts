import { z } from 'zod';
import { timestamp } from '../text/timestamp.ts';
import { toLtc, toPln } from './amount.ts';
import { amountInGrosze, PREMIUM_TIERS, premiumTier, type Donation } from './donation.ts';
import { donationError } from './donation-error.ts';
import { DONATION_ID } from './donation-id.ts';
import { DONATION_STATUSES, ROLE_STATUSES } from './donation-status.ts';

const amount = z.number().min(0);
const hash = z.string().regex(/^(?:[0-9a-f]{64})?$/);

const donationSchema = z
  .object({
    id: z.string().regex(DONATION_ID).describe('ID wpłaty.'),
    address: z.string().describe('Adres Litecoin tej wpłaty.'),
    status: z
      .enum(DONATION_STATUSES)
      .describe(
        '`pending`: czeka na wpłatę; `seen`: widać ją w sieci; `confirming`: zbiera potwierdzenia; `underpaid`: wpłacono za mało; `confirmed`: potwierdzona; `forwarding`: w przekazywaniu; `forwarded`: przekazana; `expired`: czas minął; `failed`: zakończona przez operatora. Sieć może cofnąć potwierdzenie, a z nim stan.',
      ),
    receivedLtc: amount.describe('Ile dotarło, w LTC.'),
    amountPln: amount.describe('Wartość w złotych.'),
    confirmations: z.int().min(0).describe('Ile jest potwierdzeń.'),
    requiredConfirmations: z.int().min(0).describe('Ile potwierdzeń potrzeba.'),
    minimumLtc: amount.describe('Najmniejsza kwota, w LTC.'),
    txId: hash.describe('ID transakcji wpłaty, szesnastkowo; pusty tekst, dopóki jej nie ma.'),
    forwardTxId: hash.describe('ID transakcji przekazania; pusty tekst, dopóki jej nie ma.'),
    roleStatus: z
      .enum(ROLE_STATUSES)
      .describe('Rola: `none` nie dotyczy, `waiting` czeka, `done` nadana, `failed` nie udało się nadać.'),
    premiumTier: z
      .enum(PREMIUM_TIERS)
      .nullable()
      .describe('Co daje ta kwota: `monthly` miesiąc, `lifetime` na zawsze; `null`, gdy nic.'),
    premiumMonthPln: amount.describe('Cena miesiąca w złotych.'),
    premiumLifetimePln: amount.describe('Cena dostępu na zawsze w złotych.'),
    error: z.string().nullable().describe('Co jest nie tak, po polsku, dla wpłacającego; `null`, gdy nic.'),
    createdAt: timestamp.describe('Kiedy powstała, ISO 8601 w UTC.'),
    expiresAt: timestamp.describe('Do kiedy czeka na wpłatę, ISO 8601 w UTC.'),
  })
  .meta({ id: 'Donation', description: 'Publiczny stan wpłaty, bez danych osoby wpłacającej.' });

export const donationResponseSchema = z
  .object({ donation: donationSchema.describe('Wpłata.') })
  .meta({ id: 'DonationResponse', description: 'Stan wpłaty.' });

/** SPEC 2.5, in its order of keys. */
export function toDonationJson(donation: Donation, now: number): z.infer<typeof donationSchema> {
  return {
    id: donation.id,
    address: donation.address,
    status: donation.status,
    receivedLtc: toLtc(donation.receivedLitoshi),
    amountPln: toPln(amountInGrosze(donation)),
    confirmations: donation.confirmations,
    requiredConfirmations: donation.requiredConfirmations,
    minimumLtc: toLtc(donation.minimumLitoshi),
    // SPEC wants a string here.
    txId: donation.txId ?? '',
    forwardTxId: donation.forwardTxId ?? '',
    roleStatus: donation.roleStatus,
    premiumTier: premiumTier(donation),
    premiumMonthPln: toPln(donation.premiumMonthGrosze),
    premiumLifetimePln: toPln(donation.premiumLifetimeGrosze),
    error: donationError(donation, now),
    createdAt: new Date(donation.createdAt).toISOString(),
    expiresAt: new Date(donation.expiresAt).toISOString(),
  };
}
