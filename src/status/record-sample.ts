/**
 * Stores snapshot, history and incidents in one transaction of the worker. No row of the change log is written, so
 * that the cache of the lists stays.
 */
import { build, type Database } from '../db/database.ts';
import { monotonicMs } from '../db/machine-clock.ts';
import { partHealths, type PartId, type Status } from './status.ts';
import { HISTORY_STEPS } from './periods.ts';

/** This many equal samples in a row open or close an incident. */
const CONSECUTIVE_SAMPLES = 2;

export function recordSample(db: Database, status: Status): void {
  const at = Date.parse(status.checkedAt);
  const snapshot = { one: 1, checked_at: at, body: JSON.stringify(status) };
  db.run(build.replaceInto('status_snapshot').values(snapshot));
  const healths = partHealths(status);
  for (const [part, health] of healths) {
    if (health === 'none') {
      closeUnconfigured(db, part, at);
      continue;
    }
    const latencyMs = status.checks.find(({ id }) => id === part)?.latencyMs ?? null;
    addToHistory(db, part, at, { ok: health === 'bad' ? 0 : 1, slow: health === 'slow' ? 1 : 0, latencyMs });
    updateIncident(db, part, at, health === 'bad' ? 0 : 1);
  }
}

/**
 * Proves to other processes that the worker can write.
 * @param atMonotonic milliseconds of the machine's monotonic clock
 */
export function writeProbe(db: Database, at: number, atMonotonic: number = monotonicMs()): void {
  db.run(build.replaceInto('status_write_probe').values({ one: 1, at, at_monotonic: atMonotonic }));
}

/** @param now epoch milliseconds */
export function pruneHistory(db: Database, now: number): number {
  let removed = 0;
  for (const { seconds, keptMs } of HISTORY_STEPS) {
    const periods = build.deleteFrom('status_periods').where('seconds', '=', seconds);
    removed += db.run(periods.where('at', '<', now - keptMs)).changes;
  }
  return removed;
}

interface Sample {
  readonly ok: 0 | 1;
  readonly slow: 0 | 1;
  /** Null for bots. */
  readonly latencyMs: number | null;
}

function addToHistory(db: Database, part: PartId, at: number, { ok, slow, latencyMs }: Sample): void {
  const counted = ok === 1 ? latencyMs : null;
  for (const { seconds } of HISTORY_STEPS) {
    const beginning = Math.floor(at / 1000 / seconds) * seconds * 1000;
    const latency = { latency_sum: counted, latency_max: counted };
    const period = { seconds, at: beginning, part, samples: 1, ok, slow, ...latency };
    db.run(
      build
        .insertInto('status_periods')
        .values(period)
        .onConflict((conflict) =>
          conflict.columns(['seconds', 'at', 'part']).doUpdateSet((is) => {
            const sum = is.ref('status_periods.latency_sum');
            const max = is.ref('status_periods.latency_max');
            return {
              samples: is('status_periods.samples', '+', 1),
              ok: is('status_periods.ok', '+', is.ref('excluded.ok')),
              slow: is('status_periods.slow', '+', is.ref('excluded.slow')),
              latency_sum: is.fn.coalesce(
                is(sum, '+', is.ref('excluded.latency_sum')),
                sum,
                'excluded.latency_sum',
              ),
              latency_max: is.fn.coalesce(
                is.fn<number | null>('max', [max, 'excluded.latency_max']),
                max,
                'excluded.latency_max',
              ),
            };
          }),
        ),
    );
  }
}

function updateIncident(db: Database, part: PartId, at: number, ok: Sample['ok']): void {
  const before = db.first(build.selectFrom('status_streaks').selectAll().where('part', '=', part));
  const streak =
    before?.ok === ok ? { ...before, samples: before.samples + 1 } : { part, ok, samples: 1, since: at };
  db.run(build.replaceInto('status_streaks').values(streak));
  if (streak.samples < CONSECUTIVE_SAMPLES) return;
  const incident = { part, opened_at: streak.since, updated_at: at };
  if (ok === 1) closeIncident(db, part, streak.since, at);
  else db.run(build.insertInto('incidents').orIgnore().values(incident));
}

/** A part that is no longer configured has no open incident. */
function closeUnconfigured(db: Database, part: PartId, at: number): void {
  const known = db.run(build.deleteFrom('status_streaks').where('part', '=', part)).changes > 0;
  if (known) closeIncident(db, part, at, at);
}

function closeIncident(db: Database, part: PartId, closedAt: number, at: number): void {
  const open = build.updateTable('incidents').where('part', '=', part).where('closed_at', 'is', null);
  db.run(open.set({ closed_at: closedAt, updated_at: at }));
}
