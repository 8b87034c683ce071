/** The worker publishes the snapshots, and may be killed at any moment while it does. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readLogHead } from '#src/changes/log-head.ts';
import { LIST_KINDS } from '#src/entries/entry.ts';
import { findManifest, snapshotsFolder, type Manifest } from '#src/entries/snapshots/manifest.ts';
import { importRecords, makeRecord } from '../../support/make-entries.ts';
import { startProcess } from '../../support/start-process.ts';
import { makeDatabase, makeFolder } from '../../support/temporary-database.ts';
import { trials } from '../../support/trials.ts';

const WORKER = join(import.meta.dirname, '../../../src/worker/main.ts');
const KILLS = trials(3, 8);

/** Every chunk that it names is there, whole. */
function assertComplete(databasePath: string, manifest: Manifest): void {
  for (const list of LIST_KINDS) {
    for (const { path, sha256, entries } of manifest.lists[list].chunks) {
      const bytes = readFileSync(join(snapshotsFolder(databasePath), ...path.split('/').slice(2)));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
      expect(JSON.parse(bytes.toString())).toHaveLength(entries);
    }
  }
}

it('a worker that is killed while it publishes leaves a manifest with all its chunks', async () => {
  const cwd = makeFolder();
  const db = await makeDatabase(cwd);
  const start = () => startProcess(WORKER, { cwd, settings: { DATABASE_PATH: db.path, LOG_LEVEL: 'debug' } });
  const change = (count: number): Promise<void> =>
    importRecords(
      db,
      'scammers',
      Array.from({ length: count }, () => makeRecord()),
      Date.now(),
    );
  try {
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
      // What it held it holds for a while yet: the next one need not wait for that here.
      const manifest = findManifest(snapshotsFolder(db.path));
      expect(manifest).toBeDefined();
      assertComplete(db.path, manifest as Manifest);
    }
    const survivor = start();
    await survivor.logged({ msg: 'job ended', job: 'snapshots' });
    expect(findManifest(snapshotsFolder(db.path))?.generation).toBe(readLogHead(db).seq);
    const last = findManifest(snapshotsFolder(db.path)) as Manifest;
    assertComplete(db.path, last);
    expect(last.lists.scammers.total).toBe(600 + KILLS * 50);
  } finally {
    db.close();
  }
});
