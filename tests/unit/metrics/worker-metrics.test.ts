import { expect, it } from 'vitest';
import { recordNewestBackup } from '#src/backups/newest-backup.ts';
import { openAppeal } from '#src/entries/change-appeal.ts';
import { recordFailingFollowers } from '#src/db/readiness.ts';
import { createRegistry } from '#src/metrics/registry.ts';
import { createWorkerMetrics } from '#src/worker/worker-metrics.ts';
import { makeDonation } from '../../support/make-donation.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('tells of the jobs of the worker, and of what lies on the disk', async () => {
  const db = await makeDatabase();
  const registry = createRegistry('worker');
  let behind = 0;
  const meter = createWorkerMetrics(
    registry,
    db,
    {
      isActing: true,
      countBehind: () => ({ search: behind }),
    },
    14,
  );
  /** By name and labels; undefined where nobody knows. */
  const read = async (): Promise<ReadonlyMap<string, number>> =>
    new Map(
      (await registry.metrics())
        .split('\n')
        .filter((line) => line.startsWith('czujka_'))
        .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    );
  const before = await read();
  expect(before.get('czujka_follower_failing{follower="search",process="worker"}')).toBe(0);
  expect(before.get('czujka_worker_acting{process="worker"}')).toBe(1);
  expect(before.get('czujka_file_bytes{file="database",process="worker"}')).toBeGreaterThan(0);
  expect(before.get('czujka_disk_free_bytes{process="worker"}')).toBeGreaterThan(0);
  expect(before.get('czujka_donations_watched{process="worker"}')).toBe(0);
  expect(before.has('czujka_newest_backup_age_seconds{process="worker"}')).toBe(false);

  await importRecords(db, 'scammers', [makeRecord({ reportId: 'R-1' }), makeRecord({ reportId: 'R-2' })]);
  const day = 86_400_000;
  for (const [reportId, days] of [
    ['R-1', 13],
    ['R-2', 16],
  ] as const)
    db.write((tx) => openAppeal(tx, reportId, { by: undefined, now: Date.now() - days * day }));
  makeDonation(db);
  db.write((tx) => recordNewestBackup(tx, 'never'));
  db.write((tx) => recordFailingFollowers(tx, ['search']));
  behind = 2;
  meter('views', { ok: false, durationMs: 1_500 });
  const after = await read();
  expect(after.get('czujka_follower_behind_changes{follower="search",process="worker"}')).toBe(2);
  expect(after.get('czujka_follower_failing{follower="search",process="worker"}')).toBe(1);
  expect(after.get('czujka_donations_watched{process="worker"}')).toBe(1);
  expect(after.get('czujka_appeals{state="open",process="worker"}')).toBe(2);
  expect(after.get('czujka_appeals{state="overdue",process="worker"}')).toBe(1);
  expect([...after].filter(([name]) => name.startsWith('czujka_newest_backup')).length).toBe(1);
  expect(after.get('czujka_job_duration_seconds{job="views",process="worker"}')).toBe(1.5);
  expect(after.get('czujka_job_failures_total{job="views",process="worker"}')).toBe(1);
  expect(after.has('czujka_job_last_success_timestamp_seconds{job="views",process="worker"}')).toBe(false);
  meter('views', { ok: true, durationMs: 1 });
  expect(
    (await read()).get('czujka_job_last_success_timestamp_seconds{job="views",process="worker"}'),
  ).toBeGreaterThan(0);
});
