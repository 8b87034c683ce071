/** A real service that a fault is done to: web process and worker under their supervisor, in a folder of its own. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from '#src/config.ts';

const START = join(import.meta.dirname, '../start.ts');

export interface Service {
  /** Of the web process; it is the same after it was started again. */
  readonly origin: string;
  /** Process ID now. */
  pidOf(process: 'web' | 'worker'): number;
  /** What it has logged since the last time that this was asked. */
  takeLog(): string[];
  /** Asks it to end. @returns milliseconds until all of it has */
  end(): Promise<number>;
}

export interface ServiceOptions {
  readonly port: number;
  readonly settings?: Readonly<Record<string, string>>;
  /** Whom it runs as; needs root. */
  readonly uid?: number;
}

/** Resolves when both processes have begun. */
export async function startService(
  databasePath: string,
  { port, settings, uid }: ServiceOptions,
): Promise<Service> {
  const child = spawn(process.execPath, [START], {
    env: childEnvironment({
      DATABASE_PATH: databasePath,
      HOST: '127.0.0.1',
      PORT: String(port),
      BASE_URL: '',
      TRUST_PROXY: 'loopback',
      LOG_LEVEL: 'info',
      ...settings,
    }),
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  let lines: string[] = [];
  await begun(child, (line) => lines.push(line));
  return {
    takeLog() {
      const taken = lines;
      lines = [];
      return taken;
    },
    origin: `http://127.0.0.1:${port}`,
    pidOf(name) {
      const file = name === 'web' ? 'src/server.ts' : 'src/worker/main.ts';
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
        .trim()
        .split(' ');
      return Number(children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(file)));
    },
    async end() {
      const askedAt = performance.now();
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }
      return performance.now() - askedAt;
    },
  };
}

function begun(
  child: ChildProcess & { readonly stdout: NonNullable<ChildProcess['stdout']> },
  onLine: (line: string) => void,
): Promise<void> {
  const awaited = new Set(['web listening', 'worker started']);
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      onLine(line);
      const { component, msg } = JSON.parse(line) as { component?: string; msg?: string };
      awaited.delete(`${component} ${msg}`);
      if (awaited.size === 0) resolve();
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
}
