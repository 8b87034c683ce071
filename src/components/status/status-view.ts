import type { Outage } from '#src/status/incidents.ts';
import type { History } from '#src/status/read-history.ts';
import type { BotState, OverallHealth, PartHealth, PartId } from '#src/status/status.ts';

export interface PartView {
  readonly id: PartId;
  readonly health: PartHealth;
  readonly state?: BotState;
  readonly history: History;
}

export interface StatusView {
  readonly overall: OverallHealth;
  readonly checkedAt: number;
  readonly checks: readonly PartView[];
  readonly bots: readonly PartView[];
  readonly outages: readonly Outage[];
  /** Time of the newest backup, epoch milliseconds; undefined when backups are off or unknown. */
  readonly newestBackup: number | 'never' | undefined;
  /** Set while the worker does not write the history. */
  readonly recordingStopped: { readonly lastAt: number | undefined } | undefined;
}
