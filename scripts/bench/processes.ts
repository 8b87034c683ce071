/** The processes that the benchmark measures: Czujka's web process, and a bare server beside it. */
import { spawn } from 'node:child_process';
import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { childEnvironment } from '#src/config.ts';
import { openDatabase } from '#src/db/database.ts';
import { createLog } from '#src/log.ts';
import { startMetricsServer } from '../metrics-server.ts';
import { WEB_ENVIRONMENT, WEB_FLAGS } from '../supervisor.ts';
import { waitUntilFollowed } from './serving-state.ts';

const ROOT = join(import.meta.dirname, '../..');
const END_MS = 10_000;
/** A worker that has begun nothing for so long has nothing left to make. */
const WORKER_IDLE_MS = 1_500;
const SCRAPE_EVERY_MS = 1_000;

type Worker = ChildProcessByStdio<null, Readable, null>;

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly origin: string;
  /** From the start of the process to its first answer. */
  readonly startMs: number;
  /** Memory of its own now, without the files that it has mapped. */
  anonymousBytes(): number;
  end(): Promise<void>;
}

/** @param isScraped it counts for metrics, and is asked for them every second, as the supervisor does */
export async function startCzujka(databasePath: string, isScraped = false): Promise<ServerProcess> {
  const settings = {
    ...WEB_ENVIRONMENT,
    DATABASE_PATH: databasePath,
    HOST: '127.0.0.1',
    PORT: '0',
    BASE_URL: '',
    LOG_LEVEL: 'info',
    TRUST_PROXY: 'loopback',
    METRICS_PORT: isScraped ? '0' : '',
  };
  const server = await startServer([...WEB_FLAGS, join(ROOT, 'src/server.ts')], settings);
  if (!isScraped) return server;
  const metrics = startMetricsServer(0, createLog('bench', 'silent'));
  metrics.watch('web', server.child);
  if (!(await metrics.collect()).includes('czujka_requests_total'))
    throw new Error('the web process does not tell its metrics');
  const scrapes = setInterval(() => void metrics.collect(), SCRAPE_EVERY_MS);
  return {
    ...server,
    async end() {
      clearInterval(scrapes);
      metrics.close();
      await server.end();
    },
  };
}

/** Lets a worker make everything that follows from the entries: the read model, and the snapshots after it. */
export async function runWorkerUntilFollowed(databasePath: string): Promise<void> {
  const worker = startWorker(databasePath);
  const db = openDatabase(databasePath, 'read');
  try {
    // Idle by the log is only what follows it: the read model goes on without a word.
    await Promise.all([waitUntilFollowed(db), waitUntilIdle(worker)]);
  } finally {
    db.close();
    await endProcess(worker);
  }
}

async function waitUntilIdle(worker: Worker): Promise<void> {
  const running = new Set<string>();
  const lines = createInterface({ input: worker.stdout });
  await new Promise<void>((resolve, reject) => {
    let idle: NodeJS.Timeout | undefined;
    lines.on('line', (line) => {
      const { msg, job } = JSON.parse(line) as { msg?: string; job?: string };
      clearTimeout(idle);
      if (job !== undefined && msg === 'job started') running.add(job);
      else if (job !== undefined) running.delete(job);
      if (running.size === 0) idle = setTimeout(resolve, WORKER_IDLE_MS);
    });
    worker.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)));
  });
  worker.removeAllListeners('exit');
}

/** A verb of the operator's command line. */
export function runVerb(path: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'scripts/czujka.ts'), ...args], {
      env: childEnvironment({ DATABASE_PATH: path }),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${args.join(' ')} ended with ${code}`)),
    );
  });
}

export function startWorker(databasePath: string): Worker {
  return spawn(process.execPath, [join(ROOT, 'src/worker/main.ts')], {
    cwd: ROOT,
    env: childEnvironment({ DATABASE_PATH: databasePath, LOG_LEVEL: 'info' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** One address asks for all of these at once. Resolves when it has its answers. */
export async function floodFromOneAddress(origin: string, paths: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/bench/flood-client.ts'), origin], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(paths.join('\n'));
  await once(child, 'exit');
}

/** Answers that a bare server sends in turn: enough that their size is that of all. */
const BARE_ANSWERS = 200;

/** Sends what some of the paths answer, headers and bodies, whatever it is asked for. */
export async function startBare(origin: string, paths: readonly string[]): Promise<ServerProcess> {
  const step = Math.max(1, Math.floor(paths.length / BARE_ANSWERS));
  const chosen = paths.filter((_, index) => index % step === 0).slice(0, BARE_ANSWERS);
  return startServer([join(ROOT, 'scripts/bench/bare-server.ts'), origin], {}, chosen.join('\n'));
}

async function startServer(
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  input = '',
): Promise<ServerProcess> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: childEnvironment(settings),
    stdio: ['pipe', 'pipe', 'inherit', 'ipc'],
  });
  child.stdin?.end(input);
  const port = await readPort(child);
  const origin = `http://127.0.0.1:${port}`;
  await (await fetch(`${origin}/api/scammers`)).arrayBuffer();
  const startMs = performance.now() - startedAt;
  return {
    child,
    origin,
    startMs,
    anonymousBytes: () => readAnonymousBytes(child.pid ?? 0),
    end: () => endProcess(child),
  };
}

/** Both servers write one JSON line with their port. */
async function readPort(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('the server has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const { port } = JSON.parse(line) as { port?: number };
    if (port === undefined) continue;
    child.stdout.resume();
    return port;
  }
  throw new Error('the server ended before it listened');
}

export function readAnonymousBytes(pid: number): number {
  const kilobytes = /RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await ended;
  clearTimeout(kill);
}
