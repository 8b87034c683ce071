/** The processes of the benchmark, and the databases that they serve. */
import { fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { childEnvironment } from '#src/environment.ts';
import { NODE_FLAGS, WEB_ENVIRONMENT } from '#src/supervisor/supervisor.ts';

const ROOT = join(import.meta.dirname, '../..');
const SETTINGS = { HOST: '127.0.0.1', PORT: '0', BASE_URL: '', TRUST_PROXY: 'loopback', METRICS_PORT: '' };
const TICKS_PER_SECOND = 100; // of /proc
const EXEC_ARGV: Readonly<Record<string, readonly string[]>> = {
  'src/server.ts': NODE_FLAGS.web,
  'src/worker/main.ts': NODE_FLAGS.worker,
};
/** A worker that uses less processor time than this between two samples has finished. */
const IDLE = { lookMs: 2_000, seconds: 0.06 };
/** Answers that a bare server sends in turn: enough for their mean size. */
const BARE_ANSWERS = 200;

/** A process that fails ends the benchmark. @param message sent to the process @param input descriptor of its standard input */
export function startFile(
  file: string,
  message: object,
  settings: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
  input: 'ignore' | number = 'ignore',
): ChildProcess {
  const child = fork(join(ROOT, file), args, {
    env: childEnvironment({ ...SETTINGS, LOG_LEVEL: 'warn', ...settings }),
    execArgv: [...(EXEC_ARGV[file] ?? [])],
    stdio: [input, 'ignore', 'inherit', 'ipc'],
  });
  child.once('exit', (code) => {
    if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}`);
  });
  child.send(message);
  return child;
}

export type Server = Awaited<ReturnType<typeof serve>>;

async function serve(child: ChildProcess) {
  const [{ ready }] = (await once(child, 'message')) as [{ ready: { port: number } }];
  return { child, origin: `http://127.0.0.1:${ready.port}` };
}

export function startWeb(path: string): Promise<Server> {
  return serve(startFile('src/server.ts', {}, { ...WEB_ENVIRONMENT, DATABASE_PATH: path }));
}

/** Sends the answers that the other server has for some of these paths. */
export function startBare(origin: string, paths: readonly string[]): Promise<Server> {
  return serve(startFile('scripts/bench/bare-server.ts', { origin, paths: paths.slice(0, BARE_ANSWERS) }));
}

/** @returns the worker, once it has made everything that follows from the entries */
export async function startWorker(path: string): Promise<ChildProcess> {
  const worker = startFile('src/worker/main.ts', {}, { DATABASE_PATH: path });
  for (let before = -Infinity, now = 0; now - before > IDLE.seconds; now = cpuSeconds(worker)) {
    before = now;
    await setTimeout(IDLE.lookMs);
  }
  return worker;
}

/** Runs a verb of the operator's command line. @param input descriptor @returns its time in seconds */
export async function runVerb(path: string, args: readonly string[], input: 'ignore' | number = 'ignore') {
  const startedAt = performance.now();
  await once(startFile('scripts/czujka.ts', {}, { DATABASE_PATH: path }, args, input), 'exit');
  return (performance.now() - startedAt) / 1_000;
}

/** Prints the processor time in microseconds, and the anonymous memory in kB. */
const REPORT_USAGE = `import { readFileSync } from 'node:fs';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    const [, memory] = /RssAnon:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
    console.error(JSON.stringify([user + system, Number(memory)]));
  });`;

/** Runs a verb alone. @param input its standard input */
export function measureUsage(path: string, args: readonly string[], input = '') {
  const hook = `data:text/javascript,${encodeURIComponent(REPORT_USAGE)}`;
  const startedAt = performance.now();
  const verb = ['--import', hook, join(ROOT, 'scripts/czujka.ts'), ...args];
  const { status, stderr } = spawnSync(process.execPath, verb, {
    env: childEnvironment({ DATABASE_PATH: path }),
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  // It misses settings.
  if (status !== 0 && args[0] !== 'doctor')
    throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  const [microseconds, kilobytes] = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '') as [number, number];
  return { seconds, cpuMs: microseconds / 1e3, memoryMb: kilobytes / 1024 };
}

export async function end(child: ChildProcess): Promise<void> {
  child.disconnect();
  await once(child, 'exit');
}

/** @returns path of a database with this many entries, whose lists and searches are made; it stays for the next run */
export async function getDatabase(entries: number): Promise<string> {
  const path = await makeSeeded(String(entries), ['--count', String(entries), '--list', 'scammers']);
  await end(await startWorker(path));
  return path;
}

/** Makes a database below data/bench, unless it is there. @param seed options of the verb @param add adds what is no entry */
export async function makeSeeded(
  name: string,
  seed: readonly string[],
  add?: (path: string) => void,
): Promise<string> {
  const folder = join(ROOT, 'data/bench', name);
  const [path, seeded] = [join(folder, 'czujka.db'), join(folder, 'seeded')];
  if (!existsSync(seeded)) {
    rmSync(folder, { recursive: true, force: true });
    process.stderr.write(`Making the database ${name} …\n`);
    await runVerb(path, ['seed', ...seed]);
    add?.(path);
    writeFileSync(seeded, '');
  }
  await runVerb(path, ['migrate']);
  return path;
}

/** Processor time of all threads so far. */
export function cpuSeconds({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Anonymous memory now, without the files that the process has mapped. */
export function memoryMb({ pid }: ChildProcess): number {
  return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
