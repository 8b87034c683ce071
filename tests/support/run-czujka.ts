/**
 * The operator's command line over a database in a folder of its own. `run` calls it as a function; `spawn` and `start`
 * begin a process, which takes half a second, where exit, signals, memory, `.env` or two verbs at once matter.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Environment } from '#src/environment.ts';
import { openDatabase, type Database } from '#src/db/database.ts';
import type { ListKind } from '#src/entries/entry.ts';
import type { ImportRecordInput } from '#src/entries/import-record.ts';
import type { CliStreams } from '#src/operator/console/cli.ts';
import { runReceived } from '#src/operator/received-command.ts';
import { runCli } from '#src/operator/run-cli.ts';
import { cleanEnvironment } from './clean-environment.ts';
import { importRecords, NOW } from './make-entries.ts';
import { makeDatabase, makeFolder } from './temporary-database.ts';

const CZUJKA_FILE = join(import.meta.dirname, '../../scripts/czujka.ts');

interface RunOptions {
  readonly input?: string | Buffer | Iterable<Buffer>;
  readonly settings?: Readonly<Record<string, string>>;
}

interface SpawnOptions extends RunOptions {
  /** Runs this file in the place of scripts/czujka.ts. */
  readonly script?: string;
}

export type Operator = ReturnType<typeof makeCommandLine>;

const root = makeFolder();

/** The working directory belongs to the process: one command at a time. */
let last: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = last.then(work);
  last = result.catch(() => {});
  return result;
}

export function makeCommandLine() {
  const folder = mkdtempSync(join(root, 'operator-'));
  const databasePath = join(folder, 'data/czujka.db');

  const settingsOf = ({ settings = {} }: RunOptions): NodeJS.ProcessEnv =>
    cleanEnvironment({ DATABASE_PATH: databasePath, ...settings });

  const call = (
    options: RunOptions,
    work: (streams: CliStreams, environment: Environment) => Promise<number>,
  ) =>
    inTurn(async () => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      const said = Promise.all([text(stdout), text(stderr)]);
      const { input = '' } = options;
      const isWhole = typeof input === 'string' || Buffer.isBuffer(input);
      const stdin = Readable.from(isWhole ? [Buffer.from(input)] : input);
      const workingFolder = process.cwd();
      process.chdir(folder);
      try {
        const code = await work({ stdin, stdout, stderr }, settingsOf(options));
        for (const stream of [stdout, stderr]) stream.end();
        const [output, errors] = await said;
        return { code, stdout: output, stderr: errors };
      } finally {
        process.chdir(workingFolder);
      }
    });

  const run = (args: readonly string[], options: RunOptions = {}) =>
    call(options, (streams, environment) => runCli(args, streams, environment));

  /** @returns standard error of a command that must end with this code */
  const stderrOf = async (wanted: number, args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(args);
    if (code !== wanted) throw new Error(`${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
    return stderr;
  };

  const start = (args: readonly string[], { script = CZUJKA_FILE, ...options }: SpawnOptions = {}) =>
    spawn(process.execPath, [script, ...args], { cwd: folder, env: settingsOf(options) });

  const spawnVerb = (args: readonly string[], options: SpawnOptions = {}) =>
    untilEnded(start(args, options), options.input);

  return {
    /** The working directory of the commands. */
    folder,
    databasePath,
    run,
    /** Runs a moderator's command in this process. @param input what scripts/moderate.ts sends */
    receive: (input: NonNullable<RunOptions['input']>) => call({ input }, runReceived),
    /** Runs a command in a process of its own. */
    spawn: spawnVerb,
    start,
    /** @returns standard output of a command that must succeed */
    async succeed(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await run(args);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
      return stdout;
    },
    /** @returns standard error of a command that must succeed */
    notes: (...args: string[]): Promise<string> => stderrOf(0, args),
    /** @returns standard error of a command that must end with 1 */
    fail: (...args: string[]): Promise<string> => stderrOf(1, args),
    /** @returns standard error of a command that must end with 2 */
    break: (...args: string[]): Promise<string> => stderrOf(2, args),
    /** @returns the value that a command prints with `--json`, whatever its exit code */
    async json<Value>(...args: string[]): Promise<Value> {
      const { stdout, stderr } = await run([...args, '--json']);
      if (stdout === '') throw new Error(`${args.join(' ')} printed nothing: ${stderr}`);
      return JSON.parse(stdout) as Value;
    },
    /** Imports records without the verb, for tests of other verbs. Files of proofs lie in the folder. */
    async fill(list: ListKind, ...records: readonly ImportRecordInput[]): Promise<void> {
      using db = await makeDatabase(dirname(databasePath));
      await importRecords(db, list, records, NOW, folder);
    },
    /** Writes a file into the folder. @returns its path in the folder */
    file(name: string, content: string | Buffer | readonly object[]): string {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      const isWhole = typeof content === 'string' || Buffer.isBuffer(content);
      writeFileSync(path, isWhole ? content : toNdjson(content));
      return name;
    },
    /** Reads with a handle of its own. */
    read<T>(look: (db: Database) => T): T {
      using db = openDatabase(databasePath, 'read');
      return look(db);
    },
    /** Writes with a handle of its own. */
    write<T>(change: (db: Database) => T): T {
      using db = openDatabase(databasePath, 'write');
      return change(db);
    },
  };
}

/** @param input what the process reads */
export async function untilEnded(child: ChildProcessWithoutNullStreams, input: RunOptions['input'] = '') {
  // A command that ends early does not read to the end.
  child.stdin.on('error', () => {}).end(input);
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'close')) as [number | null];
  const [stdout, stderr] = await said;
  return { code, stdout, stderr };
}

/** With an empty database, which only a few verbs make. */
export async function makeMigratedCommandLine(): Promise<Operator> {
  const operator = makeCommandLine();
  (await makeDatabase(dirname(operator.databasePath))).close();
  return operator;
}

export function toNdjson(records: Iterable<object>): string {
  return Array.from(records, (record) => `${JSON.stringify(record)}\n`).join('');
}
