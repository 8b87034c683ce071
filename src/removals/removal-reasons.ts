export const REMOVAL_REASONS = ['appeal', 'mistake', 'request', 'duplicate', 'other'] as const;
export type RemovalReason = (typeof REMOVAL_REASONS)[number];
