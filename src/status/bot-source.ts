import type { BotState, StatusBot } from './status.ts';

export type BotReading = Pick<StatusBot, 'uptimeMs' | 'memoryBytes' | 'cpuPercent'> & {
  readonly state: Exclude<BotState, 'not_configured'>;
};

/** Reads a bot, in numbers that need not be rounded. An error counts as `unknown`. */
export type BotSource = (signal: AbortSignal) => Promise<BotReading>;
