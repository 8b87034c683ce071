/** One record of `donation import`: a donation that was made elsewhere, open or over. */
import { z } from 'zod';
import { describeIssue } from '../text/record-problem.ts';
import { isDonationId } from './donation-id.ts';
import { ROLE_STATUSES } from './donation-status.ts';
import { parseLitecoinAddress } from './litecoin-address.ts';
import type { Network } from './litecoin-network.ts';
import type { NewDonation } from './write-donation.ts';

export type ParsedRecord =
  | { readonly ok: true; readonly donation: NewDonation }
  | {
      readonly ok: false;
      readonly problems: readonly { readonly field: string; readonly problem: string }[];
    };

const moment = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with a zone, such as 2026-11-19T16:05:00Z' })
  .transform((text) => Date.parse(text));
const decimals = (places: number, unit: string) =>
  z
    .number({ error: `must be an amount in ${unit}` })
    .min(0)
    .max(10_000_000)
    .transform((value) => ({ value, whole: Math.round(value * 10 ** places) }))
    .refine(({ value, whole }) => whole / 10 ** places === value, `must have at most ${places} decimals`)
    .transform(({ whole }) => whole);
const positive = (places: number, unit: string) =>
  decimals(places, unit).refine((whole) => whole > 0, 'must be above zero');
const txId = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits');

const recordSchema = z
  .strictObject({
    id: z.string().refine(isDonationId, 'must be ltc_ and 16 to 64 lower-case hexadecimal digits'),
    address: z.string(),
    minimumLtc: positive(8, 'LTC'),
    /** Price of one LTC when the donation was made. */
    ratePln: positive(2, 'zł'),
    premiumMonthPln: positive(2, 'zł'),
    premiumLifetimePln: positive(2, 'zł'),
    requiredConfirmations: z.int().min(1).max(100),
    createdAt: moment,
    expiresAt: moment,
    for: z
      .string()
      .regex(/^\d{17,20}$/, 'must be a chat-platform ID of 17 to 20 digits')
      .optional(),
    /** Of a donation whose life is over; without it the chain tells. */
    outcome: z
      .strictObject({
        status: z.enum(['forwarded', 'expired', 'failed']),
        at: moment,
        receivedLtc: decimals(8, 'LTC').default(0),
        confirmations: z.int().min(0).default(0),
        txId: txId.nullable().default(null),
        forwardTxId: txId.nullable().default(null),
        roleStatus: z.enum(ROLE_STATUSES).default('none'),
      })
      .optional(),
  })
  // A moment that is wrong by itself is told of once: it is no number here, and nothing is earlier than it.
  .refine((record) => !(record.expiresAt <= record.createdAt), {
    path: ['expiresAt'],
    error: 'must be later than createdAt',
  })
  .refine(
    ({ outcome }) => outcome?.status !== 'forwarded' || (outcome.txId !== null && outcome.receivedLtc > 0),
    {
      path: ['outcome'],
      error: 'must have receivedLtc and txId when it is forwarded',
    },
  );

export function parseDonationRecord(value: unknown, network: Network): ParsedRecord {
  const result = recordSchema.safeParse(value, { error: describeIssue });
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) => ({
      field: path.join('.'),
      problem: message,
    }));
    return { ok: false, problems };
  }
  const {
    for: payerChatId,
    outcome,
    minimumLtc,
    ratePln,
    premiumMonthPln,
    premiumLifetimePln,
    ...facts
  } = result.data;
  const to = parseLitecoinAddress(facts.address, network);
  if (!to.ok) return { ok: false, problems: [{ field: 'address', problem: to.problem }] };
  return {
    ok: true,
    donation: {
      ...facts,
      network,
      to: { address: to.address, script: to.script },
      minimumLitoshi: minimumLtc,
      rateGrosze: ratePln,
      premiumMonthGrosze: premiumMonthPln,
      premiumLifetimeGrosze: premiumLifetimePln,
      payerChatId,
      outcome: outcome && { ...outcome, statusSince: outcome.at, receivedLitoshi: outcome.receivedLtc },
    },
  };
}
