/**
 * The time by which anything may be deleted for its age. It follows the wall clock forward by at most two days for each
 * start of the machine, and as much for each day that the machine runs, so that a wrong clock deletes next to nothing. While
 * both are more than two days apart, the clock is not believed, and what a right clock alone can tell waits.
 */
import { readFileSync } from 'node:fs';
import { build, type Transaction } from './database.ts';
import { monotonicMs } from './monotonic-ms.ts';
import { findProperty, setProperty } from './properties.ts';

export interface RetentionTime {
  /** Epoch milliseconds, never later than the wall clock. What was too old at this time may go. */
  readonly edge: number;
  readonly isBelieved: boolean;
}

/** Further ahead of the edge nothing was written but under a wrong clock, when the clock is believed. */
export const LEAP_MAX_MS = 2 * 86_400_000;
/** So that a machine that was off for three weeks makes up for them in three weeks. */
const LEAP_RATE = 2;
export const RETENTION_PROPERTY = 'retention';

export interface Edge {
  readonly edge: number;
  /** How far it may still move at once. */
  readonly leapMs: number;
  /** Names the machine's start, because monotonic times of another start cannot be compared. */
  readonly start: string;
  readonly monotonicMs: number;
}

export type MachineClock = Pick<Edge, 'start' | 'monotonicMs'>;

/** @param backups times of backups, evidence of the time when none is stored yet */
export function retentionTime(
  tx: Transaction,
  now: number = Date.now(),
  backups: readonly number[] = [],
): RetentionTime {
  const stored = findProperty(tx, RETENTION_PROPERTY);
  const machine = { start: readStart(), monotonicMs: monotonicMs() };
  const before =
    stored === undefined
      ? { edge: findEvidence(tx, now, backups), leapMs: LEAP_MAX_MS, ...machine }
      : (JSON.parse(stored) as Edge);
  const moved = moveEdge(before, now, machine);
  setProperty(tx, RETENTION_PROPERTY, JSON.stringify(moved));
  return { edge: Math.min(moved.edge, now), isBelieved: isNear(moved.edge, now) };
}

export function moveEdge(before: Edge, now: number, machine: MachineClock): Edge {
  const isSameStart = before.start === machine.start;
  const elapsedMs = isSameStart ? Math.max(0, machine.monotonicMs - before.monotonicMs) : Infinity;
  const leapMs = Math.min(LEAP_MAX_MS, before.leapMs + LEAP_RATE * elapsedMs);
  if (now <= before.edge) return { edge: isNear(before.edge, now) ? now : before.edge, leapMs, ...machine };
  const movedMs = Math.min(now - before.edge, leapMs);
  return { edge: before.edge + movedMs, leapMs: leapMs - movedMs, ...machine };
}

function isNear(edge: number, now: number): boolean {
  return Math.abs(edge - now) <= LEAP_MAX_MS;
}

/** The newest that is not in the future. Where all is, the clock is behind, and the oldest is nearest. */
function findEvidence(tx: Transaction, now: number, backups: readonly number[]): number {
  const probe = tx.first(build.selectFrom('status_write_probe').select('at'));
  const change = tx.first(build.selectFrom('changes').select('at').orderBy('seq', 'desc').limit(1));
  const byService = [...(probe ? [probe.at] : []), ...backups];
  // A verb may have written the newest change just now, under a wrong clock.
  const found = byService.length > 0 ? byService : [change?.at ?? now];
  const past = found.filter((at) => at <= now);
  return past.length > 0 ? Math.max(...past) : Math.min(...found);
}

/** Where the system does not name its start, only its monotonic clock lets the edge move. */
function readStart(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
