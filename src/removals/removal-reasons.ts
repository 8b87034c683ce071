export const REMOVAL_REASONS = ['appeal', 'mistake', 'request', 'duplicate', 'recovered', 'other'] as const;
export type RemovalReason = (typeof REMOVAL_REASONS)[number];
