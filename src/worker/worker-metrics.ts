import { Counter, Gauge, type Registry } from 'prom-client';
import { findNewestBackup } from '../backups/newest-backup.ts';
import { sqlBuilder, type Database } from '../db/database.ts';
import { fileBytes, readRoom } from '../db/disk-room.ts';
import { listFailingFollowers } from '../db/readiness.ts';
import { listOpenAppeals, listOverdueAppeals } from '../entries/appeals.ts';
import { addGauge, addGauges } from '../metrics/registry.ts';
import type { OnRun, Worker } from './worker.ts';
import { searchPath } from '../search/search-file.ts';

export function createWorkerMetrics(
  registry: Registry,
  db: Database,
  worker: Pick<Worker, 'isActing' | 'countBehind'>,
  appealsAnswerDays: number | undefined,
): OnRun {
  addGauge(registry, 'czujka_worker_acting', 'Whether this worker acts.', () => Number(worker.isActing));
  addGauges(
    registry,
    'czujka_follower_behind_changes',
    'Changes of the lists that a follower has not taken over.',
    'follower',
    () => worker.countBehind(),
  );
  addGauges(
    registry,
    'czujka_follower_failing',
    'Whether a follower failed three times in a row, and has not succeeded since.',
    'follower',
    () => {
      const failing = listFailingFollowers(db);
      return Object.fromEntries(
        Object.keys(worker.countBehind()).map((name) => [name, Number(failing.includes(name))]),
      );
    },
  );
  addGauges(registry, 'czujka_file_bytes', 'Sizes of files.', 'file', () => ({
    database: fileBytes(db.path),
    wal: fileBytes(`${db.path}-wal`),
    search: fileBytes(searchPath(db.path)),
  }));
  addGauge(registry, 'czujka_disk_free_bytes', 'Free on the disk of the database.', () => readRoom(db).free);
  addGauge(
    registry,
    'czujka_donations_watched',
    'Donations of which something is still expected on the chain.',
    () =>
      db.first(
        sqlBuilder
          .selectFrom('donations')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('settled', '=', 0),
      )?.count,
  );
  addGauges(
    registry,
    'czujka_appeals',
    'Open appeals, and those of them that wait longer than APPEALS_ANSWER_DAYS, where that is set.',
    'state',
    () => ({
      open: listOpenAppeals(db).length,
      ...(appealsAnswerDays !== undefined && {
        overdue: listOverdueAppeals(db, appealsAnswerDays, Date.now()).length,
      }),
    }),
  );
  addGauge(
    registry,
    'czujka_newest_backup_age_seconds',
    'Age of the newest backup that is whole and that restore takes; infinite without one, missing when none are to be made.',
    () => {
      const newest = findNewestBackup(db);
      if (newest === undefined) return undefined;
      return newest === 'never' ? Infinity : Math.abs(Date.now() - newest) / 1_000;
    },
  );
  const byJob = { labelNames: ['job'], registers: [registry] };
  const lastSuccess = new Gauge({
    ...byJob,
    name: 'czujka_job_last_success_timestamp_seconds',
    help: 'When a job or follower last came to a good end.',
  });
  const duration = new Gauge({
    ...byJob,
    name: 'czujka_job_duration_seconds',
    help: 'How long its last run took.',
  });
  const failures = new Counter({ ...byJob, name: 'czujka_job_failures_total', help: 'Runs that failed.' });
  return (job, { ok, durationMs }) => {
    duration.set({ job }, durationMs / 1_000);
    failures.inc({ job }, ok ? 0 : 1);
    if (ok) lastSuccess.set({ job }, Date.now() / 1_000);
  };
}
