/** Gathers what the status page shows: the live status, and the history as far as the database can be read. */
import { findNewestBackup } from '#src/backups/newest-backup.ts';
import type { Services } from '#src/services.ts';
import { listOutages } from '#src/status/incidents.ts';
import { noDays, readDays } from '#src/status/read-days.ts';
import { readLastSampleTime } from '#src/status/read-status.ts';
import { botHealth, checkHealth, overallHealth, PART_IDS } from '#src/status/status.ts';

const OUTAGES_SHOWN = 10;
/** An outage is of a few incidents, one for each part. */
const INCIDENTS_READ = OUTAGES_SHOWN * PART_IDS.length;
/** Without a sample for this long, the page says that the history is not being written. */
const SILENT_AFTER_MS = 60_000;

export async function readStatusPage(
  { db, readStatus, log }: Pick<Services, 'db' | 'readStatus' | 'log'>,
  now: number,
) {
  const { status } = await readStatus();
  const past = readPast(db, now, (error) => log.error({ err: error }, 'status history cannot be read'));
  return {
    overall: overallHealth(status),
    checkedAt: Date.parse(status.checkedAt),
    checks: status.checks.map((check) => {
      return { id: check.id, health: checkHealth(check), days: past.daysOf(check.id) };
    }),
    bots: status.bots.map((bot) => {
      return { id: bot.id, state: bot.state, health: botHealth(bot), days: past.daysOf(bot.id) };
    }),
    outages: past.outages,
    newestBackup: past.newestBackup,
    /** Set while the worker does not write the history. */
    recordingStopped:
      past.lastAt === undefined || Math.abs(now - past.lastAt) > SILENT_AFTER_MS
        ? { lastAt: past.lastAt }
        : undefined,
  };
}

/** The status page must render also when the database fails. */
function readPast(db: Services['db'], now: number, report: (error: unknown) => void) {
  try {
    return {
      outages: listOutages(db, INCIDENTS_READ).slice(0, OUTAGES_SHOWN),
      newestBackup: findNewestBackup(db),
      lastAt: readLastSampleTime(db),
      daysOf: readDays(db, now),
    };
  } catch (error) {
    report(error);
    return {
      outages: [],
      newestBackup: undefined,
      lastAt: undefined,
      daysOf: () => noDays(now),
    };
  }
}
