/** A process of ours that runs until it is told to end, and what it logs. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { cleanEnvironment } from './clean-environment.ts';

interface LogLine {
  readonly msg: string;
  readonly component?: string;
  readonly [key: string]: unknown;
}

export type RunningProcess = ReturnType<typeof runProcess>;

export interface ProcessOptions {
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A command that runs the command line which follows it. */
  readonly launcher?: readonly string[];
  /** Makes it the head of a process group of its own. */
  readonly detached?: boolean;
  /** Ends it together with this process, as the supervisor's children end. */
  readonly hasChannel?: boolean;
}

/** The caller ends it. */
export function runProcess(file: string, options: ProcessOptions) {
  const { args = [], nodeArgs = [], settings, cwd, launcher = [] } = options;
  const { detached = false, hasChannel = false } = options;
  const [program = '', ...rest] = [...launcher, process.execPath, ...nodeArgs, file, ...args];
  const child = spawn(program, rest, {
    cwd,
    env: cleanEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe', ...(hasChannel ? (['ipc'] as const) : [])],
    detached,
  }) as ChildProcessWithoutNullStreams;
  /** Its log; other lines of its standard output are messages too. */
  const lines: LogLine[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) =>
    lines.push(line.startsWith('{') ? (JSON.parse(line) as LogLine) : { msg: line }),
  );
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  let isOver = false;
  const ended = once(child, 'close').then(() => {
    isOver = true;
    return { code: child.exitCode, signal: child.signalCode, stderr };
  });

  /** Like `logged`, for the line after this number of matching lines. */
  const loggedAgain = async (facts: Readonly<Record<string, unknown>>, times: number): Promise<LogLine> => {
    for (;;) {
      const found = lines.filter((line) =>
        Object.entries(facts).every(([key, value]) => line[key] === value),
      )[times];
      if (found) return found;
      if (isOver) throw new Error(`ended without logging ${JSON.stringify(facts)}: ${stderr}`);
      await Promise.race([once(reader, 'line'), ended]);
    }
  };

  return {
    child,
    pid: child.pid ?? 0,
    lines,
    /** Resolves with its first line that holds all of these, past or to come; rejects when it ends without one. */
    logged: (facts: Readonly<Record<string, unknown>>) => loggedAgain(facts, 0),
    loggedAgain,
    ended,
  };
}
