/** Figures beside the table: what an import, a changed entry and its way into the API cost. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { spawn } from 'node:child_process';
import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { childEnvironment } from '#src/config.ts';
import { endProcess, runWorkerUntilIdle, startCzujka, startWorker } from './processes.ts';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly goalMax: number;
}

const CZUJKA = join(import.meta.dirname, '../czujka.ts');
const LOCK_PROBE_MS = 10;
const FRESHNESS_ROUNDS = 5;
const FRESHNESS_MAX_MS = 30_000;

/** Imports into a new database, changes entries of it, imports into it again, and removes it. */
export async function measureFigures(entries: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-figures-'));
  const path = join(folder, 'czujka.db');
  try {
    await runVerb(path, ['migrate']);
    const seed = ['seed', '--count', String(entries), '--list', 'scammers'];
    const imported = await measureImport(path, 'import', seed);
    await runWorkerUntilIdle(path);
    const change = await measureChange(path);
    const more = await measureImport(path, 'import of as many more', [...seed, '--seed', '2']);
    const file = join(folder, 'changes.ndjson');
    await runVerb(path, ['export', '--list', 'scammers', '--out', file]);
    changeReasons(file, entries);
    const again = ['import', file, '--list', 'scammers'];
    const changed = await measureImport(path, 'import that changes half of them', again);
    return [...imported, ...change, ...more, ...changed];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
    { name, value: (performance.now() - startedAt) / 1_000, unit: 's', goalMax: 20 },
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
    const before = readWrittenBytes(worker.pid ?? 0);
    for (let round = 0; round < FRESHNESS_ROUNDS; round += 1) {
      const name = `zmieniony ${round}`;
      const edit = runVerb(path, ['entry', 'edit', chat_id, '--list', 'scammers', '--name', name]);
      const refresh = waitForIndexes(path, name);
      slowestMs = Math.max(slowestMs, await waitForName(`${web.origin}/api/scammers?limit=60`, name, path));
      slowestRefreshMs = Math.max(slowestRefreshMs, await refresh);
      await edit;
      await setTimeout(500);
    }
    const written = (readWrittenBytes(worker.pid ?? 0) - before) / FRESHNESS_ROUNDS;
    return [
      { name: 'changed entry visible after', value: slowestMs / 1_000, unit: 's', goalMax: 1 },
      { name: 'list indexes hold it after', value: slowestRefreshMs / 1_000, unit: 's', goalMax: 1 },
      { name: 'worker writes for it', value: written / 1_000_000, unit: 'MB', goalMax: 2 },
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

/** @returns milliseconds from the moment at which the database has the name until the list indexes know of all changes */
function waitForIndexes(path: string, name: string): Promise<number> {
  return waitFrom(path, name, (db) => {
    const source = `SELECT seq = (SELECT max(seq) FROM changes) AS isCurrent FROM list_index_states
      WHERE list = 'scammers'`;
    return Promise.resolve(db.statement<{ isCurrent: number }>(source).get()?.isCurrent === 1);
  });
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

function runVerb(path: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CZUJKA, ...args], {
      env: childEnvironment({ DATABASE_PATH: path }),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}`)),
    );
  });
}

/** All that a process has handed to the system for writing. */
function readWrittenBytes(pid: number): number {
  return Number(/^wchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}
