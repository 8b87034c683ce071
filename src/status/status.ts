/** What the status speaks of (SPEC 2.4): four checked dependencies and three bots, together the parts. */

export const CHECK_IDS = ['database', 'litecoin', 'chat_platform', 'protection_service'] as const;
export const BOT_IDS = ['main_bot', 'protection_public_bot', 'protection_admin_bot'] as const;
export const PART_IDS = [...CHECK_IDS, ...BOT_IDS] as const;

export type CheckId = (typeof CHECK_IDS)[number];
export type BotId = (typeof BOT_IDS)[number];
export type PartId = (typeof PART_IDS)[number];

export type BotState = 'running' | 'starting' | 'stopping' | 'offline' | 'unknown' | 'not_configured';

export interface StatusCheck {
  readonly id: CheckId;
  readonly ok: boolean;
  /** How long it took to answer, or to fail; 0 exactly where nothing is configured. */
  readonly latencyMs: number;
}

export interface StatusBot {
  readonly id: BotId;
  /** Running. */
  readonly ok: boolean;
  readonly state: BotState;
  readonly uptimeMs: number;
  readonly memoryBytes: number;
  /** Percent of one core: 250 is two cores and a half. */
  readonly cpuPercent: number;
}

/** SPEC 2.4 StatusResponse. */
export interface Status {
  readonly checks: readonly StatusCheck[];
  readonly bots: readonly StatusBot[];
  readonly checkedAt: string;
}

/** SPEC section 8: how long a result counts as live. */
export const STATUS_FRESH_MS = 15_000;
/** SPEC section 8: who does not answer in this time is not well. */
export const PROBE_DEADLINE_MS = 6_000;
/** From here on an answer is slow; pages and badges say so, the API does not (DESIGN section 3). */
export const SLOW_FROM_MS = 2_000;

/** How well a part is; `good`: it works, `slow`: it works slowly, `bad`: it does not, `none`: not configured. */
export type PartHealth = 'good' | 'slow' | 'bad' | 'none';

export function checkHealth({ ok, latencyMs }: StatusCheck): PartHealth {
  if (ok) return latencyMs >= SLOW_FROM_MS ? 'slow' : 'good';
  return latencyMs === 0 ? 'none' : 'bad';
}

export function botHealth({ ok, state }: StatusBot): PartHealth {
  if (ok) return 'good';
  return state === 'not_configured' ? 'none' : 'bad';
}

/** Health of every part, in the order of PART_IDS. */
export function partHealths(status: Status): ReadonlyMap<PartId, PartHealth> {
  return new Map<PartId, PartHealth>([
    ...status.checks.map((check) => [check.id, checkHealth(check)] as const),
    ...status.bots.map((bot) => [bot.id, botHealth(bot)] as const),
  ]);
}

/** How well the whole is: `good` all, `partly` some, `bad` none of what is configured; `none`: nothing is. */
export type OverallHealth = 'good' | 'partly' | 'bad' | 'none';

export function overallHealth(status: Status): OverallHealth {
  const configured = [...partHealths(status).values()].filter((health) => health !== 'none');
  if (configured.length === 0) return 'none';
  if (configured.every((health) => health === 'good')) return 'good';
  return configured.every((health) => health === 'bad') ? 'bad' : 'partly';
}
