/** The life of a donation (SPEC 3): from an observation to a status. A reorganisation can lead back to earlier ones. */

export const DONATION_STATUSES = [
  'pending',
  'seen',
  'confirming',
  'underpaid',
  'confirmed',
  'forwarding',
  'forwarded',
  'expired',
  'failed',
] as const;
export type DonationStatus = (typeof DONATION_STATUSES)[number];

export const ROLE_STATUSES = ['none', 'waiting', 'done', 'failed'] as const;
export type RoleStatus = (typeof ROLE_STATUSES)[number];

/** No reorganisation is expected to be deeper. */
export const FINAL_DEPTH = 100;

export interface Observation {
  /** When the chain was read for it, and how far: the earlier one of this machine's clock and the newest block. */
  readonly scannedAt: number;
  readonly expiresAt: number;
  readonly minimumLitoshi: number;
  /** In blocks and the mempool. */
  readonly receivedLitoshi: number;
  /** The depth of the newest payment that is needed for the minimum. */
  readonly confirmations: number;
  readonly requiredConfirmations: number;
  /** Whether the payments that are needed for the minimum were spent. */
  readonly forwarded: 'no' | 'seen' | 'confirmed';
}

/** A late payment is accepted, but an expired donation is never pending again. */
export function nextStatus(current: DonationStatus, seen: Observation): DonationStatus {
  // The operator decides about payments that still arrive.
  if (current === 'failed') return 'failed';
  if (seen.receivedLitoshi === 0)
    return current === 'expired' || seen.scannedAt >= seen.expiresAt ? 'expired' : 'pending';
  if (seen.receivedLitoshi < seen.minimumLitoshi) return 'underpaid';
  if (seen.confirmations === 0) return 'seen';
  if (seen.confirmations < seen.requiredConfirmations) return 'confirming';
  return ({ no: 'confirmed', seen: 'forwarding', confirmed: 'forwarded' } as const)[seen.forwarded];
}

/** The required amount is confirmed, so that a role may be given. */
export function isPaid(status: DonationStatus): boolean {
  return status === 'confirmed' || status === 'forwarding' || status === 'forwarded';
}
