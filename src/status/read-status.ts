/** Live health of what the service depends on (SPEC 2.4 and 4.3). */
import { performance } from 'node:perf_hooks';
import type { Database } from '../db/database.ts';

/** SPEC section 8: how long a result is served before the checks run again. */
export const STATUS_CACHE_MS = 15_000;

export const CHECK_IDS = ['database', 'litecoin', 'chat_platform', 'protection_service'] as const;
export const BOT_IDS = ['main_bot', 'protection_public_bot', 'protection_admin_bot'] as const;

export type BotState = 'running' | 'starting' | 'stopping' | 'offline' | 'unknown' | 'not_configured';

export interface StatusCheck {
  readonly id: (typeof CHECK_IDS)[number];
  readonly ok: boolean;
  readonly latencyMs: number;
}

export interface StatusBot {
  readonly id: (typeof BOT_IDS)[number];
  readonly ok: boolean;
  readonly state: BotState;
  readonly uptimeMs: number;
  readonly memoryBytes: number;
  readonly cpuPercent: number;
}

/** SPEC 2.4 StatusResponse. */
export interface Status {
  readonly checks: readonly StatusCheck[];
  readonly bots: readonly StatusBot[];
  readonly checkedAt: string;
}

/** Answers with a result that is at most STATUS_CACHE_MS old. */
export type ReadStatus = () => Status;

/** @param now wall clock, epoch milliseconds */
export function createStatusReader(db: Database, now: () => number): ReadStatus {
  let cached: { status: Status; at: number } | undefined;
  return () => {
    const at = performance.now();
    if (!cached || at - cached.at >= STATUS_CACHE_MS) cached = { status: checkAll(db, now()), at };
    return cached.status;
  };
}

function checkAll(db: Database, now: number): Status {
  return {
    checks: CHECK_IDS.map((id) => (id === 'database' ? checkDatabase(db) : { id, ok: false, latencyMs: 0 })),
    bots: BOT_IDS.map((id) => ({
      id,
      ok: false,
      state: 'not_configured',
      uptimeMs: 0,
      memoryBytes: 0,
      cpuPercent: 0,
    })),
    checkedAt: new Date(now).toISOString(),
  };
}

/** A real read through the handle that serves the lists. */
function checkDatabase(db: Database): StatusCheck {
  const startedAt = performance.now();
  let ok = true;
  try {
    db.first(db.sql.selectFrom('entries').select('row').limit(1));
  } catch {
    ok = false;
  }
  return { id: 'database', ok, latencyMs: Math.round(performance.now() - startedAt) };
}
