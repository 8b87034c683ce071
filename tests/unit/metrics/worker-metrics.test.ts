import { expect, it } from 'vitest';
import { recordNewestBackup } from '#src/backups/newest-backup.ts';
import { openAppeal } from '#src/entries/write-appeal.ts';
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
  const worker = { isActing: true, countBehind: () => ({ search: behind }) };
  const meter = createWorkerMetrics(registry, db, worker, 14);
  /** Values by name and labels without the process; undefined where nobody knows. */
  const read = async (): Promise<Readonly<Record<string, number>>> =>
    Object.fromEntries(
      [...(await registry.metrics()).matchAll(/^czujka_(\S+?),?process="worker"} (\S+)$/gm)].map(
        ([, name = '', value]) => [name, Number(value)],
      ),
    );
  const before = await read();
  expect(before).toMatchObject({
    'follower_failing{follower="search"': 0,
    'worker_acting{': 1,
    'donations_watched{': 0,
  });
  for (const size of ['file_bytes{file="database"', 'disk_free_bytes{'])
    expect(before[size]).toBeGreaterThan(0);
  expect(before).not.toHaveProperty(['newest_backup_age_seconds{']);

  await importRecords(db, 'scammers', [makeRecord({ reportId: 'R-1' }), makeRecord({ reportId: 'R-2' })]);
  for (const [reportId, days] of Object.entries({ 'R-1': 13, 'R-2': 16 }))
    db.write((tx) => openAppeal(tx, reportId, { by: undefined, now: Date.now() - days * 86_400_000 }));
  makeDonation(db);
  db.write((tx) => recordNewestBackup(tx, 'never'));
  db.write((tx) => recordFailingFollowers(tx, ['search']));
  behind = 2;
  meter('views', { ok: false, durationMs: 1_500 });
  const after = await read();
  expect(after).toMatchObject({
    'follower_behind_changes{follower="search"': 2,
    'follower_failing{follower="search"': 1,
    'donations_watched{': 1,
    'appeals{state="open"': 2,
    'appeals{state="overdue"': 1,
    'newest_backup_age_seconds{': expect.any(Number) as number,
    'job_duration_seconds{job="views"': 1.5,
    'job_failures_total{job="views"': 1,
  });
  const success = 'job_last_success_timestamp_seconds{job="views"';
  expect(after).not.toHaveProperty([success]);
  meter('views', { ok: true, durationMs: 1 });
  expect((await read())[success]).toBeGreaterThan(0);
});
