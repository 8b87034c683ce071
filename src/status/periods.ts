/** The steps of the history, and how long each is stored. */
import { LEAP_MAX_MS } from '../db/retention-time.ts';

const FIVE_MINUTES_SECONDS = 300;
export const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const DAY_MS = DAY_SECONDS * 1000;

/** Kept for the range, one step more, so that the first is whole, and as long as a wrong clock may move the edge. */
export const HISTORY_STEPS = [
  { seconds: FIVE_MINUTES_SECONDS, retentionMs: DAY_MS + FIVE_MINUTES_SECONDS * 1000 + LEAP_MAX_MS },
  { seconds: HOUR_SECONDS, retentionMs: 90 * DAY_MS + HOUR_SECONDS * 1000 + LEAP_MAX_MS },
  { seconds: DAY_SECONDS, retentionMs: 366 * DAY_MS + LEAP_MAX_MS },
] as const;

export const HISTORY_RANGES = {
  '24h': { steps: 288, seconds: FIVE_MINUTES_SECONDS },
  '7d': { steps: 168, seconds: HOUR_SECONDS },
  '90d': { steps: 90, seconds: DAY_SECONDS },
} as const;

export type HistoryRange = keyof typeof HISTORY_RANGES;
export const HISTORY_RANGE_NAMES = Object.keys(HISTORY_RANGES) as HistoryRange[];
