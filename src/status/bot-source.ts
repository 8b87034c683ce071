/** Where the facts about a bot come from: one of four sources, chosen by the operator. */
import type { Outbound } from '../outbound/outbound.ts';
import { createDockerSource } from './docker-source.ts';
import { createPanelSource } from './panel-source.ts';
import { createPidSource } from './pid-source.ts';
import type { BotState, StatusBot } from './status.ts';
import type { BotSettings } from './status-settings.ts';
import { createSystemdSource } from './systemd-source.ts';

export type BotReading = Pick<StatusBot, 'uptimeMs' | 'memoryBytes' | 'cpuPercent'> & {
  readonly state: Exclude<BotState, 'not_configured'>;
};

/** May throw, which is taken for `unknown`. @param signal aborted when nobody waits any more */
export type BotSource = (signal: AbortSignal) => Promise<BotReading>;

export function createBotSource(outbound: Outbound, settings: BotSettings): BotSource {
  switch (settings.source) {
    case 'panel':
      return createPanelSource(outbound, settings);
    case 'docker':
      return createDockerSource(outbound, settings);
    case 'systemd':
      return createSystemdSource(settings);
    case 'pid':
      return createPidSource(settings);
  }
}
