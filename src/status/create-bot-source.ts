import type { Outbound } from '../outbound/outbound.ts';
import type { BotSource } from './bot-source.ts';
import { createDockerSource } from './docker-source.ts';
import { createPanelSource } from './panel-source.ts';
import type { BotSettings } from './status-settings.ts';
import { createSystemdSource } from './systemd-source.ts';

/** The source that the operator has chosen. */
export function createBotSource(outbound: Outbound, settings: BotSettings): BotSource {
  switch (settings.source) {
    case 'panel':
      return createPanelSource(outbound, settings);
    case 'docker':
      return createDockerSource(outbound, settings);
    case 'systemd':
      return createSystemdSource(settings);
  }
}
