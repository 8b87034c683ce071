import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { manifestFile, snapshotsFolder } from '#src/entries/snapshots/manifest.ts';
import type { JobContext } from '#src/worker/job.ts';
import { oneByOne } from '#src/worker/one-by-one.ts';
import { createSnapshotsJob } from '#src/worker/jobs.ts';
import { makeDatabase } from '../../support/temporary-database.ts';

it('snapshots are published when a backup before them has ended, well or not', async () => {
  const db = await makeDatabase();
  const inTurn = oneByOne();
  const backup = Promise.withResolvers<undefined>();
  const copied = inTurn(() => backup.promise);
  const context = { db, signal: new AbortController().signal } as JobContext;
  const published = createSnapshotsJob(inTurn).run(context);
  await setTimeout(50);
  expect(existsSync(snapshotsFolder(db.path))).toBe(false);
  backup.reject(new Error('the disk is full'));
  await expect(copied).rejects.toThrow('the disk is full');
  await published;
  expect(existsSync(manifestFile(snapshotsFolder(db.path)))).toBe(true);
});
