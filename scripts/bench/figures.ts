/** Figures beside the cases: import, start, worker, disk, and how soon a changed entry is seen. */
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase, type Database } from '#src/db/database.ts';
import { writeRecord } from '#src/entries/write-record.ts';
import { end, memoryMb, runVerb, startWeb, startWorker } from './processes.ts';

export type Figure = readonly [name: string, value: number, floor: string];

const CHANGES = 5;
const SEEN_WITHIN_MS = 30_000;

/** @param source a database with this many entries in its scammers list */
export async function measureFigures(source: string, entries: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-figures-'));
  try {
    const [file, path] = [join(folder, 'scammers.ndjson'), join(folder, 'data/czujka.db')];
    await runVerb(source, 'export', '--list', 'scammers', '--out', file);
    await runVerb(path, 'migrate');
    const db = openDatabase(path, 'write');
    const imported = await measureImport(db, file);
    const worker = await startWorker(path);
    const startedAt = performance.now();
    const web = await startWeb(path);
    await (await fetch(`${web.origin}/api/scammers`)).arrayBuffer();
    const startSeconds = (performance.now() - startedAt) / 1_000;
    const changed = await measureChanges(db, web.origin);
    const workerMb = memoryMb(worker);
    await Promise.all([web.child, worker].map(end));
    db.close();
    const files = globSync('data/**/*.*', { cwd: folder, exclude: ['data/snapshots', 'data/proofs'] });
    const bytes = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    return [
      ...imported,
      ['web process: first answer', startSeconds, '≤ 1.5 s'],
      ['worker: memory', workerMb, '≤ 250 MB'],
      ['disk for an entry', bytes / entries / 1_000, '≤ 4.9 kB'],
      ...changed,
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports as an operator does. */
async function measureImport(db: Database, file: string): Promise<Figure[]> {
  const { seconds, lockSeconds } = await measureLock(db, () =>
    runVerb(db.path, 'import', file, '--list', 'scammers'),
  );
  return [
    ['import', seconds, '≤ 12 s'],
    ['import: longest lock', lockSeconds, '≤ 3 s'],
  ];
}

/** Asks for the write lock again and again while a verb works. @returns its time, and the longest wait for the lock */
export async function measureLock(db: Database, work: () => Promise<number>) {
  db.connection.pragma('busy_timeout = 600000');
  let longestMs = 0;
  let isOver = false;
  const working = work().finally(() => (isOver = true));
  while (!isOver) {
    const askedAt = performance.now();
    db.write(() => {});
    longestMs = Math.max(longestMs, performance.now() - askedAt);
    await setTimeout(5);
  }
  return { seconds: await working, lockSeconds: longestMs / 1_000 };
}

async function measureChanges(db: Database, origin: string): Promise<Figure[]> {
  const longest = { byId: 0, inList: 0 };
  for (let change = 0; change < CHANGES; change += 1) {
    const { id, name } = await changeEntry(db, 'ORDER BY reported_at DESC');
    const changedAt = performance.now();
    const untilSeen = async (path: string): Promise<number> => {
      while (!(await (await fetch(origin + path)).text()).includes(name)) {
        if (performance.now() - changedAt > SEEN_WITHIN_MS) throw new Error(`${path} does not show ${name}`);
        await setTimeout(5);
      }
      return (performance.now() - changedAt) / 1_000;
    };
    longest.byId = Math.max(longest.byId, await untilSeen(`/api/check?id=${id}`));
    longest.inList = Math.max(longest.inList, await untilSeen('/api/scammers?limit=60'));
  }
  return [
    ['changed entry: seen by ID', longest.byId, '≤ 0.1 s'],
    ['changed entry: seen in a list', longest.inList, '≤ 1 s'],
  ];
}

/** Gives an entry of the scammers list another name. @param which the SQL that chooses it, written by hand for that */
export async function changeEntry(db: Database, which: string): Promise<{ id: string; name: string }> {
  const sql = `SELECT chat_id AS id, reason FROM entries JOIN contents USING (row) WHERE list = 'scammers' ${which}`;
  const { id, reason } = db.statement(`${sql} LIMIT 1`).get() as { id: string; reason: string };
  const name = `zmieniony ${performance.now()}`;
  await writeRecord(db, 'scammers', () => ({ record: { id, name, reason, verified: true } }));
  return { id, name };
}
