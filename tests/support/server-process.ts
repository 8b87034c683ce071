/** The web process as it is started in production, with its log; ended together with the tests. */
import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { COMPILED_CODE } from './clean-environment.ts';
import { makeFolder } from './temporary-database.ts';

const SERVER = join(import.meta.dirname, '../../src/server.ts');

interface LogLine {
  readonly msg?: string;
  readonly level?: string;
  readonly [key: string]: unknown;
}

interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
}

interface ServerProcess {
  readonly process: ChildProcess;
  readonly log: readonly LogLine[];
  /** The first line with this message, also when it was written before. */
  logged(msg: string): Promise<LogLine>;
  ended(): Promise<ProcessEnd>;
  hasEnded(): boolean;
}

export interface RunningServer extends ServerProcess {
  readonly port: number;
}

/** Starts the web process with these settings and no others. */
export function runServer(settings: Readonly<Record<string, string>>): ServerProcess {
  const child = spawn(process.execPath, [SERVER], {
    // Neither a developer's .env nor vitest's own BASE_URL belong to the tests.
    cwd: makeFolder(),
    env: { PORT: '0', LOG_LEVEL: 'info', ...COMPILED_CODE, ...settings },
    // The channel ends it when the tests do, however they end.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stderr = '';
  const { stdout, stderr: errors } = child as ChildProcessWithoutNullStreams;
  errors.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  const log: LogLine[] = [];
  const lines = createInterface({ input: stdout });
  lines.on('line', (line) => log.push(JSON.parse(line) as LogLine));
  const end = new Promise<ProcessEnd>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, stderr }));
  });
  return {
    process: child,
    log,
    async logged(msg) {
      for (;;) {
        const found = log.find((line) => line.msg === msg);
        if (found) return found;
        if (this.hasEnded()) throw new Error(`the server ended without "${msg}": ${stderr}`);
        await Promise.race([once(lines, 'line'), end]);
      }
    },
    ended: () => end,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  };
}

/** The same, once it listens. */
export async function startServer(settings: Readonly<Record<string, string>>): Promise<RunningServer> {
  const server = runServer(settings);
  const { port } = await server.logged('listening');
  return { ...server, port: port as number };
}
