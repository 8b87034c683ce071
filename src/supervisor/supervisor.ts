/**
 * Runs the web process and the worker side by side. Each is started again when it ends or says nothing, with growing
 * pauses, and neither takes the other down. A signal is passed on once and waited for.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment, readPassedSocket } from '../environment.ts';
import type { Log } from '../log.ts';
import { createServiceManager } from './service-manager.ts';
import { createSilence, type Silence } from './silence.ts';

const SOURCE_FOLDER = join(import.meta.dirname, '..');
/**
 * Options of Node. web: pages that wait for their turn survive in a smaller young generation until they lie in the old
 * one, and clearing that takes a third of the time (8 MB: 40 of 250 less than 16 under a flood, in both threads, for no
 * more processor time); an old one that may grow by two thirds saves 50 MB. worker: 100 MB
 * of 260 less at 100,000 entries, for 12 % more processor time when it makes everything anew.
 */
export const NODE_FLAGS = {
  web: ['--max-semi-space-size=8', '--heap-growing-percent=60'],
  worker: ['--optimize-for-size'],
} as const;
/** For glibc: bodies of pages go back to the system, not to a heap with holes (30 MB of 190). */
export const WEB_ENVIRONMENT: Readonly<Record<string, string>> = { MALLOC_MMAP_THRESHOLD_: '32768' };
const PROCESSES = {
  web: [...NODE_FLAGS.web, join(SOURCE_FOLDER, 'server.ts')],
  worker: [...NODE_FLAGS.worker, join(SOURCE_FOLDER, 'worker/main.ts')],
} as const;
type ProcessName = keyof typeof PROCESSES;

/** Pauses before a process is started again; the last one repeats. */
const PAUSES_MS = [0, 500, 1_000, 2_000, 5_000, 15_000, 30_000];
/** After this long without a crash, the restart delay is reset. A process that hangs is noticed later than that. */
const STABLE_MS = 20_000;
const STABLE_HUNG_MS = 600_000;
/** A process that is silent for longer is ended: it is stopped, or in a loop. A start may sort all lists. */
const SILENT_MAX_MS = 30_000;
const SILENT_START_MAX_MS = 300_000;
const CHECK_MS = 5_000;
/** The supervisor kills children after this time; their own deadline is shorter. */
const KILL_AFTER_MS = 12_000;

export interface SupervisorOptions {
  readonly log: Log;
  /** Settings that the children get instead of ours. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Folder for `web.pid` and `worker.pid`, which hold the process IDs of the children. */
  readonly pidFolder?: string;
  /** Runs as the web process instead of src/server.ts. */
  readonly webFile?: string;
  /** The port of the metrics; undefined serves none. */
  readonly metricsPort?: number | undefined;
  /** The folder of Node's compile cache, unless the environment names one. */
  readonly codeFolder?: string;
  /** Called each time the web process listens. */
  readonly onListening?: (address: { host: string; port: number }) => void;
}

/** Resolves with the exit code when everything has ended: 0 after a signal, 2 when the web process could not start. */
export async function supervise({
  log,
  environment,
  pidFolder,
  webFile,
  metricsPort,
  codeFolder,
  onListening,
}: SupervisorOptions): Promise<number> {
  // Its library takes 8 MB.
  const metrics =
    metricsPort === undefined
      ? undefined
      : (await import('./metrics-server.ts')).startMetricsServer(metricsPort, log);
  return new Promise((resolve) => {
    const children = new Map<ProcessName, ChildProcess>();
    const silences = new Map<ProcessName, Silence & { maxMs: number }>();
    const hung = new Set<ProcessName>();
    const manager = createServiceManager(log, () => silences.get('web')?.maxMs === SILENT_MAX_MS);
    const checking = setInterval(() => {
      for (const [name, silence] of silences) {
        if (silence.look(CHECK_MS) <= silence.maxMs) continue;
        log.error({ process: name }, 'process says nothing; it is ended');
        hung.add(name);
        silences.delete(name);
        children.get(name)?.kill('SIGKILL');
      }
    }, CHECK_MS);
    let ending = false;
    let everListened = false;
    let exitCode = 0;
    const leave = (): void => {
      clearInterval(checking);
      resolve(exitCode);
    };

    const end = (): void => {
      if (ending) return;
      ending = true;
      manager.ending();
      metrics?.close();
      const killAll = (signal: NodeJS.Signals): void => children.forEach((child) => child.kill(signal));
      killAll('SIGTERM');
      setTimeout(killAll, KILL_AFTER_MS, 'SIGKILL').unref();
      if (children.size === 0) leave();
    };

    const start = (name: ProcessName, failures: number): void => {
      if (ending) return;
      const startedAt = performance.now();
      const program = name === 'web' && webFile !== undefined ? [webFile] : PROCESSES[name];
      const reportFailure = (error: unknown): void =>
        log.error({ err: error, process: name }, 'process cannot be started');
      const handleEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
        children.delete(name);
        silences.delete(name);
        if (ending) {
          if (children.size === 0) leave();
          return;
        }
        if (name === 'web' && !everListened) {
          // It has said why; starting it again would only say it again.
          exitCode = 2;
          end();
          return;
        }
        const stableMs = hung.delete(name) ? STABLE_HUNG_MS : STABLE_MS;
        const count = performance.now() - startedAt > stableMs ? 0 : failures;
        const pauseMs = PAUSES_MS[Math.min(count, PAUSES_MS.length - 1)] ?? 0;
        log.warn({ process: name, code, signal, pauseMs }, 'process ended; it is started again');
        // A pause must not delay the end.
        setTimeout(() => start(name, count + 1), pauseMs).unref();
      };
      let child: ChildProcess;
      try {
        child = spawn(process.execPath, program, {
          env: {
            ...(codeFolder !== undefined && { NODE_COMPILE_CACHE: codeFolder }),
            ...childEnvironment({ ...(name === 'web' && WEB_ENVIRONMENT), ...environment }),
          },
          // The web process finds a passed socket where the supervisor has it, at 3.
          stdio: ['ignore', 'inherit', 'inherit', (name === 'web' && readPassedSocket()) || 'ignore', 'ipc'],
        });
      } catch (error) {
        // Node emits some errors of the system, and throws others, such as ETXTBSY and ENOMEM.
        reportFailure(error);
        setImmediate(handleEnd, null, null);
        return;
      }
      children.set(name, child);
      metrics?.watch(name, child);
      if (child.pid !== undefined) {
        silences.set(name, { ...createSilence(child.pid), maxMs: SILENT_START_MAX_MS });
        if (pidFolder !== undefined) writeFileSync(join(pidFolder, `${name}.pid`), String(child.pid));
      }
      child.on('message', (message: { ready?: { host: string; port: number } }) => {
        const silence = silences.get(name);
        if (silence) {
          silence.break();
          silence.maxMs = SILENT_MAX_MS;
        }
        if (name !== 'web' || !message.ready) return;
        everListened = true;
        manager.ready(message.ready);
        onListening?.(message.ready);
      });
      child.on('error', reportFailure);
      // Unlike 'exit', it comes also for a process that could not be started.
      child.on('close', handleEnd);
    };

    process.on('SIGTERM', end);
    process.on('SIGINT', end);
    start('web', 0);
    start('worker', 0);
  });
}
