/** Numbers of a bot as SPEC 2.4 wants them. */
import type { BotReading } from './bot-source.ts';

const CPU_DECIMALS = 3;

/** A reading with whole milliseconds and bytes and no negative number; a bot that is off uses nothing. */
export function toBotReading({ state, uptimeMs, memoryBytes, cpuPercent }: BotReading): BotReading {
  if (state === 'offline') return { state, uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };
  return {
    state,
    uptimeMs: Math.max(0, Math.round(uptimeMs)),
    memoryBytes: Math.max(0, Math.round(memoryBytes)),
    cpuPercent: Math.max(0, Number(cpuPercent.toFixed(CPU_DECIMALS))),
  };
}
