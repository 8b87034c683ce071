/** The whole service as `npm start` runs it, over a database in a folder of its own. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess, type RunningProcess, type StartOptions } from './start-process.ts';
import { makeFolder } from './temporary-database.ts';

const START = join(import.meta.dirname, '../../scripts/start.ts');
const root = makeFolder();

export interface Place {
  readonly cwd: string;
  readonly databasePath: string;
  start(options?: Partial<StartOptions>): RunningProcess;
}

export function makePlace(): Place {
  const cwd = mkdtempSync(join(root, 'start-'));
  const databasePath = join(cwd, 'data/czujka.db');
  return {
    cwd,
    databasePath,
    start: ({ settings, ...options } = {}) =>
      startProcess(START, {
        cwd,
        settings: { DATABASE_PATH: databasePath, PORT: '0', ...settings },
        ...options,
      }),
  };
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
