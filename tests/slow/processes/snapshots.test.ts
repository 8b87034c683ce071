import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readLogHead } from '#src/changes/log-head.ts';
import { findManifest, snapshotsFolder } from '#src/entries/snapshots/manifest.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { createMirror } from '../../support/mirror.ts';
import { startProcess } from '../../support/start-process.ts';
import { makeDatabase } from '../../support/temporary-database.ts';
import { trials } from '../../support/trials.ts';

const WORKER = join(import.meta.dirname, '../../../src/worker/main.ts');
const KILLS = trials(3, 8);

it('a worker that is killed while it publishes leaves a manifest with all its chunks', async () => {
  using db = await makeDatabase();
  const folder = snapshotsFolder(db.path);
  const settings = { DATABASE_PATH: db.path, LOG_LEVEL: 'debug' };
  const start = () => startProcess(WORKER, { cwd: dirname(db.path), settings });
  const change = (count: number): Promise<void> => {
    const records = Array.from({ length: count }, () => makeRecord());
    return importRecords(db, 'scammers', records, Date.now());
  };
  // It compares each chunk with the manifest.
  const mirror = createMirror(async (path) => ({
    status: 200,
    text: readFileSync(join(folder, path.replace('/snapshots/', '')), 'utf8'),
  }));
  await change(600);
  const first = start();
  const { durationMs } = await first.logged({ msg: 'job ended', job: 'snapshots' });
  first.child.kill('SIGKILL');
  await first.ended;
  for (let kill = 0; kill < KILLS; kill += 1) {
    await change(50);
    const worker = start();
    await worker.logged({ msg: 'job started', job: 'snapshots' });
    // Spread over the time that a publication takes, from before its first file to after its last.
    await setTimeout((kill * Number(durationMs)) / KILLS);
    worker.child.kill('SIGKILL');
    await worker.ended;
    await mirror.start();
  }
  await start().logged({ msg: 'job ended', job: 'snapshots' });
  await mirror.start();
  expect(findManifest(folder)?.generation).toBe(readLogHead(db).seq);
  expect(mirror.lists.scammers.size).toBe(600 + KILLS * 50);
});
