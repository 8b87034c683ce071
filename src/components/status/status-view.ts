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
  /** Epoch milliseconds. */
  readonly checkedAt: number;
  readonly checks: readonly PartView[];
  readonly bots: readonly PartView[];
  readonly outages: readonly Outage[];
  /** When the newest backup was made, epoch milliseconds; undefined when none are to be made, or nobody knows. */
  readonly newestBackup: number | 'never' | undefined;
  /** Set when nobody writes the history at present. */
  readonly recordingStopped: { readonly lastAt: number | undefined } | undefined;
}
