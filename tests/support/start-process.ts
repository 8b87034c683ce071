/** A process of ours that runs until it is told to end, and what it logs. It ends with its test at the latest. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { cleanEnvironment } from './clean-environment.ts';

interface LogLine {
  readonly msg: string;
  readonly component?: string;
  readonly [key: string]: unknown;
}

export interface RunningProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Its log so far. */
  readonly lines: readonly LogLine[];
  /** Resolves with its first line that holds all of these, past or to come; rejects when it ends without one. */
  logged(facts: Readonly<Record<string, unknown>>): Promise<LogLine>;
  /** Like `logged`, for the line after so many that fit. */
  loggedAgain(facts: Readonly<Record<string, unknown>>, times: number): Promise<LogLine>;
  /** How it ended, and everything that it said beside the log. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

export interface StartOptions {
  readonly args?: readonly string[];
  /** Arguments for Node itself. */
  readonly nodeArgs?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A command that runs the command line which follows it. */
  readonly launcher?: readonly string[];
  /** Makes it the head of a process group of its own. */
  readonly detached?: boolean;
}

/** Called inside a test. */
export function startProcess(
  file: string,
  { args = [], nodeArgs = [], settings, cwd, launcher = [], detached = false }: StartOptions,
): RunningProcess {
  const [program = '', ...rest] = [...launcher, process.execPath, ...nodeArgs, file, ...args];
  const child = spawn(program, rest, {
    cwd,
    env: cleanEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  });
  const lines: LogLine[] = [];
  let waiting: (() => void)[] = [];
  let isOver = false;
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const look of woken) look();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line.startsWith('{') ? (JSON.parse(line) as LogLine) : { msg: line });
    wake();
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = once(child, 'close').then(() => {
    isOver = true;
    wake();
    return { code: child.exitCode, signal: child.signalCode, stderr };
  });
  onTestFinished(async () => {
    if (detached && !isOver) process.kill(-(child.pid ?? 0), 'SIGKILL');
    child.kill('SIGKILL');
    await ended;
  });

  const loggedAgain: RunningProcess['loggedAgain'] = (facts, times) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = lines.filter((line) =>
          Object.entries(facts).every(([key, value]) => line[key] === value),
        )[times];
        if (found) resolve(found);
        else if (isOver) reject(new Error(`ended without logging ${JSON.stringify(facts)}: ${stderr}`));
        else waiting.push(look);
      };
      look();
    });

  return {
    child,
    pid: child.pid ?? 0,
    lines,
    logged: (facts) => loggedAgain(facts, 0),
    loggedAgain,
    ended,
  };
}
