/** Figures beside the cases: import, start, worker, disk, and how soon a changed entry is seen. */
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase, type Database } from '#src/db/database.ts';
import { writeOneRecord } from '#src/entries/write-entry.ts';
import { medianOf } from './measure-case.ts';
import { end, measureUsage, memoryMb, runVerb, startWeb, startWorker } from './processes.ts';

export type Figure = readonly [name: string, value: number, floor: string];

const CHANGES = 5;
const VERB_RUNS = 9;
const PICTURE = join(import.meta.dirname, '../sample/images/rozmowa.webp');
const BATCH_PICTURES = 20;
const BATCH_LINES = 100;
const SEEN_WITHIN_MS = 30_000;

/** @param source a database with this many entries in its scammers list */
export async function measureFigures(source: string, entries: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-figures-'));
  try {
    const [file, path] = [join(folder, 'scammers.ndjson'), join(folder, 'data/czujka.db')];
    await runVerb(source, ['export', '--list', 'scammers', '--out', file]);
    await runVerb(path, ['migrate']);
    const db = openDatabase(path, 'write');
    const { seconds, lockSeconds } = await measureLock(db, () =>
      runVerb(path, ['import', file, '--list', 'scammers', '--yes']),
    );
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
      ['import', seconds, '≤ 12 s'],
      ['import: longest lock', lockSeconds, '≤ 3 s'],
      ['web process: first answer', startSeconds, '≤ 1.5 s'],
      ['worker: memory', workerMb, '≤ 250 MB'],
      ['disk for an entry', bytes / entries / 1_000, '≤ 4.9 kB'],
      ...changed,
      ...measureVerbs(source),
      ...measureBatch(source),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Shows, verifies and adds an entry, in a process each. */
function measureVerbs(path: string): Figure[] {
  const on = ['--list', 'scammers'];
  const id = '100000000000000000';
  const facts = ['--name', 'Kupiec', '--reason', 'Wziął **zaliczkę** i zniknął.'];
  const remove = ['entry', 'remove', id, ...on, '--reason', 'mistake'];
  const verbs = [
    ['entry', 'add', id, ...on, ...facts, '--yes'],
    ['entry', 'verify', id, ...on],
    ['entry', 'show', id],
  ];
  const runs = Array.from({ length: VERB_RUNS }, () => {
    const usages = verbs.map((verb) => measureUsage(path, verb));
    measureUsage(path, remove);
    return usages;
  });
  return verbs.flatMap((verb, at): Figure[] => {
    const used = runs.flatMap((usages) => usages[at] ?? []);
    const name = verb.slice(0, 2).join(' ');
    return [
      [`${name}: processor time`, medianOf(used.map(({ cpuMs }) => cpuMs)) / 1e3, '≤ 0.6 s'],
      [`${name}: memory`, medianOf(used.map(({ memoryMb }) => memoryMb)), '≤ 100 MB'],
    ];
  });
}

/** Adds reports with and without a picture, in one process, and removes them again. */
function measureBatch(path: string): Figure[] {
  const ask = (count: number, argsOf: (id: string) => string[], files = {}) => {
    const ids = Array.from({ length: count }, (_, at) => String(10n ** 17n + BigInt(at)));
    const lines = ids.map((id) => `${JSON.stringify({ args: argsOf(id), files })}\n`);
    return measureUsage(path, ['batch'], lines.join(''));
  };
  const facts = ['--list=scammers', '--name=Kupiec', '--yes', '--reason=Wziął **zaliczkę**.'];
  const add = (id: string): string[] => ['entry', 'add', id, ...facts];
  const remove = (id: string): string[] => ['entry', 'remove', id, '--list=scammers', '--reason=mistake'];
  const files = { 'a.webp': readFileSync(PICTURE).toString('base64') };
  const { seconds } = ask(BATCH_PICTURES, (id) => [...add(id), '--proofs=public', '--proof=a.webp'], files);
  ask(BATCH_PICTURES, remove);
  const idle = ask(0, add);
  const busy = ask(BATCH_LINES, add);
  ask(BATCH_LINES, remove);
  return [
    ['batch: 20 reports with a picture', seconds, '≤ 10 s'],
    ['batch: processor time of a report', (busy.cpuMs - idle.cpuMs) / BATCH_LINES, '≤ 40 ms'],
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
  await writeOneRecord(db, 'scammers', () => ({ record: { id, name, reason, verified: true } }));
  return { id, name };
}
