/**
 * The operator's command line as an operator runs it: a process of its own, over a database in a folder of its own. A
 * process takes half a second: what a verb finds in the database comes from `importRecords`, not from other verbs.
 */
import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { openDatabase } from '#src/db/database.ts';
import type { Database } from '#src/db/database.ts';
import { cleanEnvironment } from './clean-environment.ts';
import { makeDatabase, makeFolder } from './temporary-database.ts';

const CZUJKA_FILE = join(import.meta.dirname, '../../scripts/czujka.ts');

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  /** Sent to standard input. */
  readonly input?: string | Buffer;
  readonly settings?: Readonly<Record<string, string>>;
  /** Runs this file in the place of scripts/czujka.ts. */
  readonly script?: string;
}

export interface Operator {
  /** The working directory of the commands. */
  readonly folder: string;
  readonly databasePath: string;
  run(args: readonly string[], options?: RunOptions): Promise<Outcome>;
  /** Runs a command that must succeed. @returns its standard output */
  do(...args: string[]): Promise<string>;
  /** Runs a command with `--json`, whatever its exit code. @returns the value that it prints */
  json<Value>(...args: string[]): Promise<Value>;
  start(args: readonly string[], options?: RunOptions): ChildProcessWithoutNullStreams;
  /** Writes a file into the folder. @returns its path in the folder */
  file(name: string, content: string | Buffer | readonly object[]): string;
  /** Reads with a handle of its own. */
  read<T>(look: (db: Database) => T): T;
}

const root = makeFolder();

export function makeOperator(): Operator {
  const folder = mkdtempSync(join(root, 'operator-'));
  const databasePath = join(folder, 'data/czujka.db');

  const start: Operator['start'] = (args, { settings = {}, script = CZUJKA_FILE } = {}) =>
    spawn(process.execPath, [script, ...args], {
      cwd: folder,
      env: cleanEnvironment({ DATABASE_PATH: databasePath, ...settings }),
    });

  const run: Operator['run'] = (args, options = {}) =>
    new Promise((resolve, reject) => {
      const child = start(args, options);
      const texts = { stdout: '', stderr: '' };
      for (const name of ['stdout', 'stderr'] as const) {
        child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
      }
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, ...texts }));
      // A command that ends early does not read to the end.
      child.stdin.on('error', () => {});
      child.stdin.end(options.input ?? '');
    });

  return {
    folder,
    databasePath,
    run,
    start,
    async do(...args) {
      const { code, stdout, stderr } = await run(args);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
      return stdout;
    },
    async json<Value>(...args: string[]) {
      const { stdout, stderr } = await run([...args, '--json']);
      if (stdout === '') throw new Error(`${args.join(' ')} printed nothing: ${stderr}`);
      return JSON.parse(stdout) as Value;
    },
    file(name, content) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, isRecords(content) ? toNdjson(content) : content);
      return name;
    },
    read(look) {
      const db = openDatabase(databasePath, 'read');
      try {
        return look(db);
      } finally {
        db.close();
      }
    },
  };
}

/** With an empty database, which only a few verbs make. */
export async function makeMigratedOperator(): Promise<Operator> {
  const operator = makeOperator();
  (await makeDatabase(dirname(operator.databasePath))).close();
  return operator;
}

export function toNdjson(records: Iterable<object>): string {
  return Array.from(records, (record) => `${JSON.stringify(record)}\n`).join('');
}

function isRecords(content: string | Buffer | readonly object[]): content is readonly object[] {
  return Array.isArray(content);
}
