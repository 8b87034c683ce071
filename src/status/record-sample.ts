/** Snapshot, history and incidents, in one transaction and without a change of the lists, whose cache stays. */
import { sql } from 'kysely';
import { sqlBuilder, type Transaction } from '../db/database.ts';
import { monotonicMs } from '../db/monotonic-ms.ts';
import type { RetentionTime } from '../db/retention-time.ts';
import { partHealths, type PartHealth, type PartId, type Status } from './status.ts';
import { HISTORY_STEPS } from './periods.ts';

/** This many equal samples in a row open or close an incident. */
const CONSECUTIVE_SAMPLES = 2;

export function recordSample(tx: Transaction, status: Status): void {
  const at = Date.parse(status.checkedAt);
  const snapshot = { one: 1, checked_at: at, body: JSON.stringify(status) };
  tx.run(sqlBuilder.replaceInto('status_snapshot').values(snapshot));
  for (const [part, health] of partHealths(status)) {
    if (health === 'none') {
      // A part that is no longer configured has no open incident.
      const streak = sqlBuilder.deleteFrom('status_streaks').where('part', '=', part);
      if (tx.run(streak).changes > 0) closeIncident(tx, part, at, at);
      continue;
    }
    // Bots have none.
    const latencyMs = status.checks.find(({ id }) => id === part)?.latencyMs;
    addToHistory(tx, part, at, health, latencyMs);
    updateIncident(tx, part, at, health === 'bad' ? 0 : 1);
  }
}

/** Proves that the worker can write. @param atMonotonic milliseconds of the machine's monotonic clock */
export function writeProbe(tx: Transaction, at: number, atMonotonic: number = monotonicMs()): void {
  tx.run(sqlBuilder.replaceInto('status_write_probe').values({ one: 1, at, at_monotonic: atMonotonic }));
}

export function pruneHistory(tx: Transaction, time: RetentionTime): number {
  if (time.isBelieved) putIntoPast(tx, time);
  let removed = 0;
  for (const { seconds, retentionMs } of HISTORY_STEPS) {
    const periods = sqlBuilder.deleteFrom('status_periods').where('seconds', '=', seconds);
    removed += tx.run(periods.where('at', '<', time.edge - retentionMs)).changes;
  }
  return removed;
}

/** Incidents under a wrong clock would be in the future for years. */
function putIntoPast(tx: Transaction, { edge, latest }: RetentionTime): void {
  const past = (column: string) => sql<number>`min(${sql.ref(column)}, ${edge})`;
  const times = {
    opened_at: past('opened_at'),
    closed_at: past('closed_at'),
    updated_at: past('updated_at'),
  };
  tx.run(sqlBuilder.updateTable('incidents').set(times).where('updated_at', '>', latest));
}

function addToHistory(
  tx: Transaction,
  part: PartId,
  at: number,
  health: PartHealth,
  latencyMs: number | undefined,
) {
  const counted = health === 'bad' ? null : (latencyMs ?? null);
  const facts = {
    part,
    samples: 1,
    ok: health === 'bad' ? 0 : 1,
    slow: health === 'slow' ? 1 : 0,
    latency_sum: counted,
    latency_max: counted,
  };
  for (const { seconds } of HISTORY_STEPS) {
    const period = { ...facts, seconds, at: Math.floor(at / 1000 / seconds) * seconds * 1000 };
    const added = sqlBuilder.insertInto('status_periods').values(period);
    tx.run(added.onConflict((conflict) => conflict.columns(['seconds', 'at', 'part']).doUpdateSet(ADDED)));
  }
}

const ADDED = {
  samples: sql<number>`samples + excluded.samples`,
  ok: sql<number>`ok + excluded.ok`,
  slow: sql<number>`slow + excluded.slow`,
  latency_sum: sql<number>`coalesce(latency_sum + excluded.latency_sum, latency_sum, excluded.latency_sum)`,
  latency_max: sql<number>`coalesce(max(latency_max, excluded.latency_max), latency_max, excluded.latency_max)`,
};

function updateIncident(tx: Transaction, part: PartId, at: number, ok: 0 | 1): void {
  const before = tx.first(sqlBuilder.selectFrom('status_streaks').selectAll().where('part', '=', part));
  const streak =
    before?.ok === ok ? { ...before, samples: before.samples + 1 } : { part, ok, samples: 1, since: at };
  tx.run(sqlBuilder.replaceInto('status_streaks').values(streak));
  if (streak.samples < CONSECUTIVE_SAMPLES) return;
  const incident = { part, opened_at: streak.since, updated_at: at };
  if (ok === 1) closeIncident(tx, part, streak.since, at);
  else tx.run(sqlBuilder.insertInto('incidents').orIgnore().values(incident));
}

function closeIncident(tx: Transaction, part: PartId, closedAt: number, at: number): void {
  const open = sqlBuilder.updateTable('incidents').where('part', '=', part).where('closed_at', 'is', null);
  // The clock may have been set back since it was opened.
  const notBefore = (time: number) => sql<number>`max(opened_at, ${time})`;
  tx.run(open.set({ closed_at: notBefore(closedAt), updated_at: notBefore(at) }));
}
