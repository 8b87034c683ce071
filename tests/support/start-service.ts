/** The whole service as `npm start` runs it, over a database in a folder of its own. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessOptions, RunningProcess } from './run-process.ts';
import { startProcess } from './start-process.ts';
import { makeFolder } from './temporary-database.ts';

const START = join(import.meta.dirname, '../../scripts/start.mjs');
const root = makeFolder();

interface Place {
  readonly folder: string;
  readonly databasePath: string;
}

/** Called inside a test. */
export function startService(
  { folder, databasePath }: Place,
  { settings, ...options }: Partial<ProcessOptions> = {},
): RunningProcess {
  return startProcess(START, {
    cwd: folder,
    settings: { DATABASE_PATH: databasePath, PORT: '0', ...settings },
    ...options,
  });
}

export function makePlace(): Place & { start(options?: Partial<ProcessOptions>): RunningProcess } {
  const folder = mkdtempSync(join(root, 'start-'));
  const place = { folder, databasePath: join(folder, 'data/czujka.db') };
  return { ...place, start: (options) => startService(place, options) };
}

/** @returns the process IDs of the web process and of the worker */
export function childrenOf({ pid }: RunningProcess): { web: number; worker: number } {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  const find = (file: string): number =>
    pids.find((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(file)) ?? 0;
  return { web: find('server.ts'), worker: find('worker/main.ts') };
}

export function isAlive(pid: number): boolean {
  try {
    // A zombie waits only for its parent to notice.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Resolves once both processes run. @returns the address of the web process */
export async function untilStarted(service: RunningProcess): Promise<string> {
  await service.logged({ component: 'worker', msg: 'started' });
  return untilListening(service);
}

/** @returns the address of the web process after this number of restarts */
export async function untilListening(service: RunningProcess, restarts = 0): Promise<string> {
  const { port } = await service.loggedAgain({ component: 'web', msg: 'listening' }, restarts);
  return `http://127.0.0.1:${String(port)}`;
}

export function countLines({ lines }: RunningProcess, component: string, msg: string): number {
  return lines.filter((line) => line.component === component && line.msg === msg).length;
}
