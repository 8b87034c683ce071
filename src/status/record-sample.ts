/**
 * Writes what a sample found: snapshot, history, incidents. Belongs into one transaction of the worker. No row of the
 * change log comes of it, so no cache of the lists is dropped.
 */
import type { Database } from '../db/database.ts';
import { monotonicMs } from '../db/machine-clock.ts';
import { checkHealth, partHealths } from './status.ts';
import type { PartId, Status } from './status.ts';
import { DAY_SECONDS, HISTORY_KEPT_MS, HOUR_SECONDS, FIVE_MINUTES_SECONDS } from './periods.ts';

/** So many samples in a row open and close an incident. */
const SAMPLES_TO_TURN = 2;

interface PartSample {
  readonly part: PartId;
  readonly at: number;
  readonly ok: 0 | 1;
  readonly slow: 0 | 1;
  /** NULL for bots. */
  readonly latencyMs: number | null;
}

export function recordSample(db: Database, status: Status): void {
  const at = Date.parse(status.checkedAt);
  db.statement(
    `INSERT INTO status_snapshot (one, checked_at, body) VALUES (1, ?, ?)
     ON CONFLICT DO UPDATE SET checked_at = excluded.checked_at, body = excluded.body`,
  ).run(at, JSON.stringify(status));
  const healths = partHealths(status);
  for (const [part, health] of healths) {
    if (health === 'none') {
      closeForgotten(db, part, at);
      continue;
    }
    const check = status.checks.find(({ id }) => id === part);
    const sample: PartSample = {
      part,
      at,
      ok: health === 'bad' ? 0 : 1,
      slow: check && checkHealth(check) === 'slow' ? 1 : 0,
      latencyMs: check?.latencyMs ?? null,
    };
    addToHistory(db, sample);
    turnIncident(db, sample);
  }
}

/**
 * Proves that this process can write, and tells others when it could.
 * @param atMonotonic milliseconds of the machine's monotonic clock
 * @throws when it cannot
 */
export function writeProbe(db: Database, at: number, atMonotonic: number = monotonicMs()): void {
  db.statement(
    `INSERT INTO status_write_probe (one, at, at_monotonic) VALUES (1, @at, @atMonotonic)
     ON CONFLICT DO UPDATE SET at = excluded.at, at_monotonic = excluded.at_monotonic`,
  ).run({ at, atMonotonic });
}

/** Removes what is older than it is kept. @param now epoch milliseconds */
export function pruneHistory(db: Database, now: number): number {
  let removed = db
    .statement('DELETE FROM status_samples WHERE at < ?')
    .run(now - HISTORY_KEPT_MS.samples).changes;
  for (const seconds of [FIVE_MINUTES_SECONDS, HOUR_SECONDS, DAY_SECONDS] as const) {
    removed += db
      .statement('DELETE FROM status_periods WHERE seconds = ? AND at < ?')
      .run(seconds, now - HISTORY_KEPT_MS[seconds]).changes;
  }
  return removed;
}

function addToHistory(db: Database, { part, at, ok, slow, latencyMs }: PartSample): void {
  db.statement('INSERT OR REPLACE INTO status_samples (at, part, ok, latency_ms) VALUES (?, ?, ?, ?)').run(
    at,
    part,
    ok,
    latencyMs,
  );
  const counted = ok === 1 ? latencyMs : null;
  for (const seconds of [FIVE_MINUTES_SECONDS, HOUR_SECONDS, DAY_SECONDS] as const) {
    const beginning = Math.floor(at / 1000 / seconds) * seconds * 1000;
    db.statement(
      `INSERT INTO status_periods (seconds, at, part, samples, ok, slow, latency_sum, latency_max)
       VALUES (@seconds, @beginning, @part, 1, @ok, @slow, @counted, @counted)
       ON CONFLICT DO UPDATE SET
         samples = samples + 1,
         ok = ok + excluded.ok,
         slow = slow + excluded.slow,
         latency_sum = coalesce(latency_sum + excluded.latency_sum, latency_sum, excluded.latency_sum),
         latency_max = coalesce(max(latency_max, excluded.latency_max), latency_max, excluded.latency_max)`,
    ).run({ seconds, beginning, part, ok, slow, counted });
  }
}

function turnIncident(db: Database, { part, at, ok }: PartSample): void {
  const streak = db
    .statement<{ samples: number; since: number }>(
      `INSERT INTO status_streaks (part, ok, samples, since) VALUES (@part, @ok, 1, @at)
       ON CONFLICT DO UPDATE SET
         since = iif(ok = excluded.ok, since, excluded.since),
         samples = iif(ok = excluded.ok, samples + 1, 1),
         ok = excluded.ok
       RETURNING samples, since`,
    )
    .get({ part, ok, at });
  if (!streak || streak.samples < SAMPLES_TO_TURN) return;
  if (ok === 1) closeIncident(db, part, streak.since, at);
  else
    db.statement('INSERT OR IGNORE INTO incidents (part, opened_at, updated_at) VALUES (?, ?, ?)').run(
      part,
      streak.since,
      at,
    );
}

/** A part that is no longer configured has no open incident. */
function closeForgotten(db: Database, part: PartId, at: number): void {
  const known = db.statement('DELETE FROM status_streaks WHERE part = ?').run(part).changes > 0;
  if (known) closeIncident(db, part, at, at);
}

function closeIncident(db: Database, part: PartId, closedAt: number, at: number): void {
  db.statement('UPDATE incidents SET closed_at = ?, updated_at = ? WHERE part = ? AND closed_at IS NULL').run(
    closedAt,
    at,
    part,
  );
}
