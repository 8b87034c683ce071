/** A real service that a fault is done to: web process and worker under their supervisor, in a folder of its own. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from '#src/config.ts';

const START = join(import.meta.dirname, '../start.ts');
const FILES = { web: 'src/server.ts', worker: 'src/worker/main.ts' } as const;
type ProcessName = keyof typeof FILES;

export interface Service {
  /** Of the web process; it is the same after it was started again. */
  readonly origin: string;
  /** Of the supervisor now. */
  pid(): number;
  /** Process ID now. @returns undefined when it does not run */
  findPid(process: ProcessName): number | undefined;
  /** The same. @throws when it does not run */
  pidOf(process: ProcessName): number;
  /** Whether web process and worker are there. */
  isWhole(): boolean;
  /** What it has logged since the last time that this was asked. */
  takeLog(): string[];
  /** Starts it once more after it has ended. Resolves when both processes have begun. */
  start(): Promise<void>;
  /** Asks it to end. @returns milliseconds until all of it has */
  end(): Promise<number>;
}

export interface ServiceOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Whom it runs as; needs root. */
  readonly uid?: number;
}

/** Resolves when both processes have begun. */
export async function startService(
  databasePath: string,
  { settings, uid }: ServiceOptions = {},
): Promise<Service> {
  const port = await findFreePort();
  let lines: string[] = [];
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [START], {
      env: childEnvironment({
        DATABASE_PATH: databasePath,
        HOST: '127.0.0.1',
        PORT: String(port),
        BASE_URL: '',
        TRUST_PROXY: 'loopback',
        LOG_LEVEL: 'info',
        ...settings,
      }),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(uid !== undefined && { uid, gid: uid }),
    });
    child = started;
    // Of a run that is broken off nothing stays.
    const endIt = (): void => void started.kill('SIGTERM');
    process.once('exit', endIt);
    started.once('exit', () => process.off('exit', endIt));
    createInterface({ input: started.stderr }).on('line', (line) => lines.push(line));
    await begun(started, (line) => lines.push(line));
  };
  const findPid = (name: ProcessName): number | undefined =>
    readChildren(child?.pid ?? 0).find((pid) => readCommand(pid).includes(FILES[name]));

  const service: Service = {
    origin: `http://127.0.0.1:${port}`,
    pid: () => child?.pid ?? 0,
    findPid,
    pidOf(name) {
      const pid = findPid(name);
      if (pid === undefined) throw new Error(`there is no ${name} process`);
      return pid;
    },
    isWhole: () => findPid('web') !== undefined && findPid('worker') !== undefined,
    takeLog() {
      const taken = lines;
      lines = [];
      return taken;
    },
    start,
    async end() {
      const askedAt = performance.now();
      if (child?.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }
      return performance.now() - askedAt;
    },
  };
  try {
    await start();
  } catch (error) {
    await service.end();
    throw new Error(`the service does not start: ${lines.slice(-5).join(' ')}`, { cause: error });
  }
  return service;
}

function readChildren(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}

/** Empty when it has just ended. */
function readCommand(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** One that the processes can have again after they were started anew. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function begun(
  child: ChildProcess & { readonly stdout: NonNullable<ChildProcess['stdout']> },
  onLine: (line: string) => void,
): Promise<void> {
  const awaited = new Set(['web listening', 'worker started']);
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      onLine(line);
      if (awaited.size === 0) return;
      const { component, msg } = JSON.parse(line) as { component?: string; msg?: string };
      awaited.delete(`${component} ${msg}`);
      if (awaited.size === 0) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
}
