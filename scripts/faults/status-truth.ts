/** `/api/status` says that the database is not well soon after it is not. */
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '#src/db/database.ts';
import { seconds } from './fault.ts';
import { startService } from './service.ts';
import type { Service } from './service.ts';
import type { Finding, Scenario } from './scenario.ts';
import { ask } from './watch.ts';

const TRUE_WITHIN_MS = 30_000;
const POLL_MS = 500;
/** For who must not be root, or no right would be missing: nobody of Debian. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

interface Place {
  readonly folder: string;
  readonly databasePath: string;
  readonly service: Service;
}

/** Undefined: it cannot be done here. */
type Fault = (place: Place) => (() => void) | undefined;

const FAULTS: Readonly<Record<string, Fault>> = {
  'the file is removed': ({ databasePath }) => {
    renameSync(databasePath, `${databasePath}.away`);
    return () => renameSync(`${databasePath}.away`, databasePath);
  },
  'another file takes its place': ({ databasePath }) => {
    renameSync(databasePath, `${databasePath}.away`);
    copyFileSync(`${databasePath}.away`, databasePath);
    return () => renameSync(`${databasePath}.away`, databasePath);
  },
  'its rights are taken away': ({ databasePath }) => {
    chmodSync(databasePath, 0o000);
    return () => chmodSync(databasePath, 0o600);
  },
  'the worker is stopped': ({ service }) => {
    const pid = service.pidOf('worker');
    process.kill(pid, 'SIGSTOP');
    return () => void process.kill(pid, 'SIGCONT');
  },
  'the disk is full': ({ folder, databasePath }) => {
    const filler = join(folder, 'filler');
    // It ends when nothing more fits.
    spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k']);
    fillDatabase(databasePath);
    return () => rmSync(filler);
  },
};

export const statusTruth: Scenario = {
  name: 'status-truth',
  rows: 'F3, F7',
  run: () => Promise.all(Object.entries(FAULTS).map(([name, fault]) => tryFault(name, fault))),
};

/** What the log has room for, in its file and beside it, goes too. */
function fillDatabase(path: string): void {
  const db = openDatabase(path, 'write');
  try {
    const write = db.statement('INSERT INTO properties (key, value) VALUES (?, ?)');
    for (let at = 0; ; at += 1) write.run(`fault ${at}`, 'x'.repeat(50_000));
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_FULL') throw error;
  } finally {
    db.close();
  }
}

async function tryFault(name: string, fault: Fault): Promise<Finding> {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-fault-'));
  const isOnOwnDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]).status === 0;
  try {
    if (!isOnOwnDisk && name.includes('disk'))
      return { fault: name, found: 'not run: needs the right to mount (root)', isRight: 'notRun' };
    const data = join(folder, 'data');
    mkdirSync(data);
    if (isRoot) for (const path of [folder, data]) chownSync(path, NOBODY, NOBODY);
    const databasePath = join(data, 'czujka.db');
    const service = await startService(databasePath, isRoot ? { uid: NOBODY } : {});
    try {
      await untilDatabaseIs(true, service.origin);
      const mend = fault({ folder, databasePath, service });
      const worseMs = await untilDatabaseIs(false, service.origin);
      mend?.();
      const betterMs = await untilDatabaseIs(true, service.origin);
      return {
        fault: name,
        found: `told after ${seconds(worseMs)}, well again after ${seconds(betterMs)}`,
        isRight: worseMs <= TRUE_WITHIN_MS && betterMs <= TRUE_WITHIN_MS,
      };
    } finally {
      await service.end();
    }
  } finally {
    if (isOnOwnDisk) spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns after how many milliseconds; at most twice as many as are allowed */
async function untilDatabaseIs(wanted: boolean, origin: string): Promise<number> {
  const begun = performance.now();
  while (performance.now() - begun < 2 * TRUE_WITHIN_MS) {
    const { text } = await ask(origin, '/api/status');
    const { checks } = JSON.parse(text) as { checks: readonly { id: string; ok: boolean }[] };
    if (checks.find(({ id }) => id === 'database')?.ok === wanted) break;
    await setTimeout(POLL_MS);
  }
  return performance.now() - begun;
}
