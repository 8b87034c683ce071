export const REMOVAL_REASONS = ['appeal', 'mistake', 'request', 'duplicate', 'recovered', 'other'] as const;
export type RemovalReason = (typeof REMOVAL_REASONS)[number];

/** A later version may have added reasons. */
export function toRemovalReason(code: string | null): RemovalReason {
  return REMOVAL_REASONS.find((known) => known === code) ?? 'other';
}
