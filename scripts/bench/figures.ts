/** Figures beside the table: what an import, a changed entry and its way into the API cost. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { listServingFiles } from '#src/serving/serving-file.ts';
import type { ServingState } from '#src/serving/serving-file.ts';
import { readServingState } from './serving-state.ts';
import { endProcess, readAnonymousBytes, runVerb, startCzujka, startWorker } from './processes.ts';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goalMax: number;
}

const LOCK_PROBE_MS = 10;
const FRESHNESS_ROUNDS = 5;
const FRESHNESS_MAX_MS = 30_000;
const ROUND_MS = 3_000;
const MAKING_MAX_MS = 30 * 60_000;
/** The thread that made it gives its memory back. */
const SETTLE_MS = 5_000;
/** Of /proc. */
const TICKS_PER_SECOND = 100;

/** Imports into a new database, makes everything, changes entries of it, and imports into it again. */
export async function measureFigures(entries: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-figures-'));
  const path = join(folder, 'czujka.db');
  try {
    await runVerb(path, ['migrate']);
    const seed = ['seed', '--count', String(entries), '--list', 'scammers'];
    const imported = await measureImport(path, 'import', seed);
    const making = await measureMaking(path, entries);
    const change = await measureChange(path);
    const more = await measureImport(path, 'import of as many more', [...seed, '--seed', '2']);
    const file = join(folder, 'changes.ndjson');
    await runVerb(path, ['export', '--list', 'scammers', '--out', file]);
    changeReasons(file, entries);
    const again = ['import', file, '--list', 'scammers'];
    const changed = await measureImport(path, 'import that changes half of them', again);
    return [...imported, ...making, ...change, ...more, ...changed];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A worker makes everything from the beginning. */
async function measureMaking(path: string, entries: number): Promise<Figure[]> {
  const startedAt = performance.now();
  const worker = startWorker(path);
  worker.stdout.resume();
  try {
    const listsMs = await waitForServing(path, startedAt, ({ builtThrough }) => builtThrough === null);
    const allMs = await waitForServing(path, startedAt, ({ textThrough }) => textThrough === null);
    await setTimeout(SETTLE_MS);
    const memory = readAnonymousBytes(worker.pid ?? 0);
    await endProcess(worker);
    const bytes =
      readDiskBytes(path) + listServingFiles(path).reduce((sum, file) => sum + readDiskBytes(file), 0);
    return [
      { name: 'worker makes lists and IDs', value: listsMs / 1_000, unit: 's', goalMax: 30 },
      { name: 'worker makes everything', value: allMs / 1_000, unit: 's', goalMax: 30 },
      { name: 'worker memory after it', value: memory / 1_000_000, unit: 'MB', goalMax: 300 },
      { name: 'on the disk, an entry', value: bytes / entries / 1_000, unit: 'kB', goalMax: 5 },
    ];
  } finally {
    await endProcess(worker);
  }
}

function readDiskBytes(path: string): number {
  return ['', '-wal'].reduce(
    (sum, end) => sum + (statSync(path + end, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** The import as an operator runs it, while another process asks for the write lock again and again. */
async function measureImport(path: string, name: string, verb: readonly string[]): Promise<Figure[]> {
  const db = openDatabase(path, 'write');
  db.connection.pragma('busy_timeout = 60000');
  const startedAt = performance.now();
  let lockedOutMs = 0;
  let isOver = false;
  const done = runVerb(path, verb).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const askedAt = performance.now();
    db.write(() => {});
    lockedOutMs = Math.max(lockedOutMs, performance.now() - askedAt);
    await setTimeout(LOCK_PROBE_MS);
  }
  await done;
  db.close();
  return [
    { name, value: (performance.now() - startedAt) / 1_000, unit: 's', goalMax: 15 },
    { name: `${name} locks others out`, value: lockedOutMs / 1_000, unit: 's', goalMax: 1 },
  ];
}

/** Leaves so many records in a file of the import format, and gives them other texts. */
function changeReasons(file: string, count: number): void {
  const changed = readFileSync(file, 'utf8')
    .split('\n', count)
    .map((line) => {
      const record = JSON.parse(line) as { readonly reason: string };
      return `${JSON.stringify({ ...record, reason: `${record.reason}\n\nZmiana.` })}\n`;
    });
  writeFileSync(file, changed.join(''));
}

/** One entry is edited while web and worker run: until the API shows it, and what the worker has written for it. */
async function measureChange(path: string): Promise<Figure[]> {
  const db = openDatabase(path, 'read');
  const { chat_id } = db
    .statement<{ chat_id: string }>('SELECT chat_id FROM entries ORDER BY reported_at DESC LIMIT 1')
    .get() as { chat_id: string };
  db.close();
  const worker = startWorker(path);
  worker.stdout.resume();
  const web = await startCzujka(path);
  try {
    await setTimeout(3_000);
    let slowestMs = 0;
    let slowestRefreshMs = 0;
    const pid = worker.pid ?? 0;
    // What the worker does anyhow, in as much time.
    const idle = await measureWork(pid, () => setTimeout(FRESHNESS_ROUNDS * ROUND_MS));
    const busy = await measureWork(pid, async () => {
      for (let round = 0; round < FRESHNESS_ROUNDS; round += 1) {
        const begun = performance.now();
        const name = `zmieniony ${round}`;
        const edit = runVerb(path, ['entry', 'edit', chat_id, '--list', 'scammers', '--name', name]);
        const refresh = waitForIndexes(path, name);
        slowestMs = Math.max(slowestMs, await waitForName(`${web.origin}/api/scammers?limit=60`, name, path));
        slowestRefreshMs = Math.max(slowestRefreshMs, await refresh);
        await edit;
        await setTimeout(Math.max(0, ROUND_MS - (performance.now() - begun)));
      }
    });
    const seconds = (busy.seconds - idle.seconds) / FRESHNESS_ROUNDS;
    const bytes = (busy.bytes - idle.bytes) / FRESHNESS_ROUNDS;
    return [
      { name: 'changed entry visible after', value: slowestMs / 1_000, unit: 's', goalMax: 1 },
      { name: 'read model holds it after', value: slowestRefreshMs / 1_000, unit: 's', goalMax: 1 },
      { name: 'worker computes for it, with its snapshots', value: seconds, unit: 's', goalMax: 0.02 },
      {
        name: 'worker writes for it, with its snapshots',
        value: bytes / 1_000_000,
        unit: 'MB',
        goalMax: 0.5,
      },
    ];
  } finally {
    await web.end();
    await endProcess(worker);
  }
}

/** @returns milliseconds from the moment at which the database has the name until the API shows it */
function waitForName(url: string, name: string, path: string): Promise<number> {
  return waitFrom(path, name, async () => (await (await fetch(url)).text()).includes(name));
}

/** @returns milliseconds from the moment at which the database has the name until the read model knows of all changes */
function waitForIndexes(path: string, name: string): Promise<number> {
  return waitFrom(path, name, (db) => {
    const { seq } = db.statement<{ seq: number }>('SELECT max(seq) AS seq FROM changes').get() ?? { seq: 0 };
    return Promise.resolve(readServingState(path)?.seq === seq);
  });
}

/** @returns milliseconds since then until the newest serving file is as far as that */
async function waitForServing(
  path: string,
  startedAt: number,
  isFar: (state: ServingState) => boolean,
): Promise<number> {
  for (;;) {
    const state = readServingState(path);
    if (state && isFar(state)) return performance.now() - startedAt;
    if (performance.now() - startedAt > MAKING_MAX_MS) throw new Error('the read model does not come');
    await setTimeout(20);
  }
}

/** What a process computes and writes while something happens. */
async function measureWork(
  pid: number,
  happen: () => Promise<unknown>,
): Promise<{ readonly seconds: number; readonly bytes: number }> {
  const before = { seconds: readCpuSeconds(pid), bytes: readWrittenBytes(pid) };
  await happen();
  return { seconds: readCpuSeconds(pid) - before.seconds, bytes: readWrittenBytes(pid) - before.bytes };
}

async function waitFrom(
  path: string,
  name: string,
  isDone: (db: Database) => Promise<boolean>,
): Promise<number> {
  const db = openDatabase(path, 'read');
  const isWritten = db.statement('SELECT 1 FROM entries WHERE name = ?');
  const deadline = performance.now() + FRESHNESS_MAX_MS;
  let writtenAt: number | undefined;
  try {
    while (performance.now() < deadline) {
      if (isWritten.get(name)) writtenAt ??= performance.now();
      if (writtenAt !== undefined && (await isDone(db))) return performance.now() - writtenAt;
      await setTimeout(5);
    }
    throw new Error(`it does not come to show ${name}`);
  } finally {
    db.close();
  }
}

/** All that a process has handed to the system for writing. */
function readWrittenBytes(pid: number): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

/** Processor time of all threads of a process. */
function readCpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
