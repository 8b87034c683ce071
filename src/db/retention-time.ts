/**
 * The time by which anything may be deleted for its age. It follows the wall clock forward by at most two days for each
 * start of the machine, and as much for each day that the machine runs, so that a wrong clock deletes next to nothing. While
 * both are more than two days apart, the clock is not believed, and what a right clock alone can tell waits.
 */
import { readFileSync } from 'node:fs';
import { sqlBuilder, type Database, type Transaction } from './database.ts';
import { monotonicMs } from './monotonic-ms.ts';
import { findProperty, setProperty } from './properties.ts';

export interface RetentionTime {
  /** Epoch milliseconds, never later than the wall clock. What was too old at this time may go. */
  readonly edge: number;
  /** Later times were written under a wrong clock, or since the edge fell behind in a long stop. */
  readonly latest: number;
  readonly isBelieved: boolean;
}

export const LEAP_MAX_MS = 2 * 86_400_000;
/** So that a machine that was off for three weeks makes up for them in three weeks. */
const LEAP_RATE = 2;
export const RETENTION_PROPERTY = 'retention';

export interface Edge {
  readonly edge: number;
  /** How far it may still move at once. */
  readonly leapMs: number;
  /** A lower bound of the true time: it grows with the monotonic clock, and twice as fast while edge and clock are the same. */
  readonly least: number;
  /** Names the machine's start, because monotonic times of another start cannot be compared. */
  readonly start: string;
  readonly monotonicMs: number;
}

/** @param backups times of backups, evidence of the time when none is stored yet */
export function retentionTime(
  tx: Transaction,
  now: number = Date.now(),
  backups: readonly number[] = [],
): RetentionTime {
  const machine = { start: readStart(), monotonicMs: monotonicMs() };
  let before = findEdge(tx);
  if (!before) {
    const edge = findEvidence(tx, now, backups);
    before = { edge, least: edge, leapMs: LEAP_MAX_MS, ...machine };
  }
  const moved = moveEdge(before, now, machine);
  setProperty(tx, RETENTION_PROPERTY, JSON.stringify(moved));
  return {
    edge: Math.min(moved.edge, now),
    latest: moved.edge + LEAP_MAX_MS,
    isBelieved: isNear(moved.edge, now),
  };
}

/** Undefined before the first start of a worker. */
export function findEdge(db: Database): Edge | undefined {
  const stored = findProperty(db, RETENTION_PROPERTY);
  return stored === undefined ? undefined : (JSON.parse(stored) as Edge);
}

export function moveEdge(before: Edge, now: number, machine: Pick<Edge, 'start' | 'monotonicMs'>): Edge {
  const isSameStart = before.start === machine.start;
  const ranMs = isSameStart ? Math.max(0, machine.monotonicMs - before.monotonicMs) : 0;
  const leapMs = isSameStart ? Math.min(LEAP_MAX_MS, before.leapMs + LEAP_RATE * ranMs) : LEAP_MAX_MS;
  const bound = before.least + ranMs;
  const movedMs = Math.max(0, Math.min(now - before.edge, leapMs));
  // A clock behind the edge that is not behind the bound ran ahead before, and is right again.
  const isRight = now <= before.edge && (now >= bound || isNear(before.edge, now));
  const edge = isRight ? now : before.edge + movedMs;
  const least = Math.min(edge, edge === now ? bound + ranMs : bound);
  return { edge, least, leapMs: leapMs - movedMs, ...machine };
}

/** True when the clock is believed. */
export function isNear(edge: number, now: number): boolean {
  return Math.abs(edge - now) <= LEAP_MAX_MS;
}

/** The newest, without those of the future when there are others. */
function findEvidence(tx: Transaction, now: number, backups: readonly number[]): number {
  const probe = tx.first(sqlBuilder.selectFrom('status_write_probe').select('at'));
  const change = tx.first(sqlBuilder.selectFrom('changes').select('at').orderBy('seq', 'desc').limit(1));
  const byService = [...(probe ? [probe.at] : []), ...backups];
  // A verb may have written the newest change just now, under a wrong clock.
  const found = byService.length > 0 ? byService : [change?.at ?? now];
  const past = found.filter((at) => at <= now);
  return Math.max(...(past.length > 0 ? past : found));
}

/** Where the system does not name its start, only its monotonic clock lets the edge move. */
function readStart(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
