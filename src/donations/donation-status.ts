/**
 * The life of a donation (SPEC 3) as a pure function from an observation to a status. Most statuses can go back to
 * earlier ones, because the chain may be reorganised.
 */

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

export interface Observation {
  /** When the chain was read for it; epoch milliseconds, like expiresAt. */
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

/** Also several steps later, when the node was away. */
export const TRANSITIONS: Readonly<Record<DonationStatus, readonly DonationStatus[]>> = {
  pending: ['seen', 'confirming', 'underpaid', 'confirmed', 'forwarding', 'forwarded', 'expired', 'failed'],
  seen: ['pending', 'confirming', 'underpaid', 'confirmed', 'forwarding', 'forwarded', 'expired', 'failed'],
  confirming: ['pending', 'seen', 'underpaid', 'confirmed', 'forwarding', 'forwarded', 'expired', 'failed'],
  underpaid: ['pending', 'seen', 'confirming', 'confirmed', 'forwarding', 'forwarded', 'expired', 'failed'],
  // From here on only a reorganisation leads back, and the operator cannot cancel.
  confirmed: ['pending', 'seen', 'confirming', 'underpaid', 'forwarding', 'forwarded', 'expired'],
  forwarding: ['pending', 'seen', 'confirming', 'underpaid', 'confirmed', 'forwarded', 'expired'],
  forwarded: ['pending', 'seen', 'confirming', 'underpaid', 'confirmed', 'forwarding', 'expired'],
  // A late payment is accepted; an expired donation is never pending again.
  expired: ['seen', 'confirming', 'underpaid', 'confirmed', 'forwarding', 'forwarded', 'failed'],
  // The operator decides about payments that still arrive.
  failed: [],
};

export function nextStatus(current: DonationStatus, seen: Observation): DonationStatus {
  if (current === 'failed') return 'failed';
  if (seen.receivedLitoshi === 0)
    return current === 'expired' || seen.scannedAt >= seen.expiresAt ? 'expired' : 'pending';
  if (seen.receivedLitoshi < seen.minimumLitoshi) return 'underpaid';
  if (seen.confirmations === 0) return 'seen';
  if (seen.confirmations < seen.requiredConfirmations) return 'confirming';
  return ({ no: 'confirmed', seen: 'forwarding', confirmed: 'forwarded' } as const)[seen.forwarded];
}

export function mayFollow(from: DonationStatus, to: DonationStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

/** The required amount is confirmed, so that a role may be given. */
export function isPaid(status: DonationStatus): boolean {
  return status === 'confirmed' || status === 'forwarding' || status === 'forwarded';
}
