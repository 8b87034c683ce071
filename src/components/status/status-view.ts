/** What the status page shows, gathered by the page. */
import type { Incident } from '#src/status/incidents.ts';
import type { History } from '#src/status/read-history.ts';
import type { OverallHealth, PartHealth, StatusBot, StatusCheck } from '#src/status/status.ts';

export interface PartHistories {
  readonly day: History;
  readonly week: History;
  readonly quarter: History;
}

export interface StatusView {
  readonly overall: OverallHealth;
  /** Epoch milliseconds. */
  readonly checkedAt: number;
  readonly checks: readonly (StatusCheck & {
    readonly health: PartHealth;
    readonly histories: PartHistories;
  })[];
  readonly bots: readonly (StatusBot & { readonly health: PartHealth; readonly histories: PartHistories })[];
  readonly incidents: readonly Incident[];
  /** When the newest backup was made, epoch milliseconds; undefined when none are to be made, or nobody knows. */
  readonly newestBackup: number | 'never' | undefined;
  /** Set when nobody writes the history at present. */
  readonly recordingStopped: { readonly lastAt: number | undefined } | undefined;
}
