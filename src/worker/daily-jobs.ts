/** Remembers runs of daily jobs, so that a restarted worker repeats only missed ones. */
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';

/** JSON object: start of the last run in epoch milliseconds, by job. */
const PROPERTY = 'daily_jobs';
const DAY_MS = 24 * 3_600_000;

export function hasRunWithinDay(db: Database, job: string, now = Date.now()): boolean {
  const last = readRuns(db)[job] ?? 0;
  // The clock may have been set back since.
  return last <= now && now - last < DAY_MS;
}

/** At the start of a run, so that a failed one waits for the next day too. */
export function recordRun(db: Database, job: string): void {
  setProperty(db, PROPERTY, JSON.stringify({ ...readRuns(db), [job]: Date.now() }));
}

function readRuns(db: Database): Readonly<Record<string, number>> {
  return JSON.parse(findProperty(db, PROPERTY) ?? '{}') as Record<string, number>;
}
