/** Gathers what the status page shows: the live status, and the history as far as the database can be read. */
import { findNewestBackup } from '#src/backups/newest-backup.ts';
import type { Services } from '#src/services.ts';
import { listIncidents } from '#src/status/incidents.ts';
import type { HistoryRange } from '#src/status/periods.ts';
import { noHistories, readHistories } from '#src/status/read-history.ts';
import type { Histories } from '#src/status/read-history.ts';
import { readLastSampleTime } from '#src/status/read-status.ts';
import { botHealth, checkHealth, overallHealth } from '#src/status/status.ts';
import type { PartId } from '#src/status/status.ts';
import type { PartHistories, StatusView } from '../components/status/status-view.ts';

const INCIDENTS_SHOWN = 10;
/** Without a sample for this long, the page says that nobody writes the history. */
const SILENT_AFTER_MS = 60_000;

export async function readStatusPage(
  { db, readStatus, log }: Pick<Services, 'db' | 'readStatus' | 'log'>,
  now: number,
): Promise<StatusView> {
  const { status } = await readStatus();
  const past = readPast(db, now, (error) => log.error({ err: error }, 'status history cannot be read'));
  return {
    overall: overallHealth(status),
    checkedAt: Date.parse(status.checkedAt),
    checks: status.checks.map((check) => ({
      ...check,
      health: checkHealth(check),
      histories: past.historiesOf(check.id),
    })),
    bots: status.bots.map((bot) => ({
      ...bot,
      health: botHealth(bot),
      histories: past.historiesOf(bot.id),
    })),
    incidents: past.incidents,
    newestBackup: past.newestBackup,
    recordingStopped:
      past.lastAt === undefined || now - past.lastAt > SILENT_AFTER_MS ? { lastAt: past.lastAt } : undefined,
  };
}

type Past = Pick<StatusView, 'incidents' | 'newestBackup'> & {
  readonly lastAt: number | undefined;
  readonly historiesOf: (part: PartId) => PartHistories;
};

/** A page about health has to come also when the database is what is not well. */
function readPast(db: Services['db'], now: number, report: (error: unknown) => void): Past {
  const past = (read: (range: HistoryRange) => Histories): Past['historiesOf'] => {
    const [day, week, quarter] = [read('24h'), read('7d'), read('90d')];
    return (part) => ({ day: day.of(part), week: week.of(part), quarter: quarter.of(part) });
  };
  try {
    return {
      incidents: listIncidents(db, INCIDENTS_SHOWN),
      newestBackup: findNewestBackup(db),
      lastAt: readLastSampleTime(db),
      historiesOf: past((range) => readHistories(db, range, now)),
    };
  } catch (error) {
    report(error);
    return {
      incidents: [],
      newestBackup: undefined,
      lastAt: undefined,
      historiesOf: past((range) => noHistories(range, now)),
    };
  }
}
