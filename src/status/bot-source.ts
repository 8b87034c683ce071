import type { BotState, StatusBot } from './status.ts';

const CPU_DECIMALS = 3;

export type BotReading = Pick<StatusBot, 'uptimeMs' | 'memoryBytes' | 'cpuPercent'> & {
  readonly state: Exclude<BotState, 'not_configured'>;
};

/** Rounds as SPEC 2.4 asks; a bot that is off uses nothing. */
export function toBotReading({ state, uptimeMs, memoryBytes, cpuPercent }: BotReading): BotReading {
  if (state === 'offline') return { state, uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };
  return {
    state,
    uptimeMs: Math.max(0, Math.round(uptimeMs)),
    memoryBytes: Math.max(0, Math.round(memoryBytes)),
    cpuPercent: Math.max(0, Number(cpuPercent.toFixed(CPU_DECIMALS))),
  };
}

/** An error counts as `unknown`. */
export type BotSource = (signal: AbortSignal) => Promise<BotReading>;
