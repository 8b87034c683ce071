import type { BotReading } from './bot-reading.ts';

/**
 * Where the facts about a bot come from. May throw, which is taken for `unknown`.
 * @param signal aborted when nobody waits any more
 */
export type BotSource = (signal: AbortSignal) => Promise<BotReading>;
