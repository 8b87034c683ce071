/** Remembers runs of daily jobs, so that a restarted worker repeats only missed ones. */
import type { Database } from '../db/database.ts';
import { findProperty, setProperty } from '../db/properties.ts';
import type { Job } from './job.ts';

/** JSON object: start of the last run in epoch milliseconds, by job. */
const PROPERTY = 'daily_jobs';
const DAY_MS = 24 * 3_600_000;

export function isMissed(db: Database, { name, isDaily }: Job, now = Date.now()): boolean {
  const last = readRuns(db)[name] ?? 0;
  // The clock may have been set back since.
  return !isDaily || now - last >= DAY_MS || last > now;
}

/** At the start of a run, so that a failed one waits for the next day too. */
export function recordRun(db: Database, { name }: Job): void {
  setProperty(db, PROPERTY, JSON.stringify({ ...readRuns(db), [name]: Date.now() }));
}

function readRuns(db: Database): Readonly<Record<string, number>> {
  return JSON.parse(findProperty(db, PROPERTY) ?? '{}') as Record<string, number>;
}
