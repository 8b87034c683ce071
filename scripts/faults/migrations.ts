/** A migration is killed after every statement: the next start finds the old state and finishes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#src/db/database.ts';
import { migrateDatabase } from '#src/db/migrate.ts';
import type { Finding, Scenario } from './scenario.ts';

const MIGRATE_PROCESS = join(import.meta.dirname, 'migrate-process.ts');
const MIGRATIONS = join(import.meta.dirname, '../../db/migrations');
/** Each so many-th point is enough for every change of the code. */
const QUICK_STEP = 12;

export const migrations: Scenario = {
  name: 'migrations',
  rows: 'F11',
  async run({ isQuick }) {
    const folder = mkdtempSync(join(tmpdir(), 'czujka-fault-'));
    try {
      return [await killEverywhere(folder, isQuick ? QUICK_STEP : 1)];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function killEverywhere(folder: string, step: number): Promise<Finding> {
  const { files, points } = withCheckpoints(readMigrations());
  const interrupted = join(folder, 'migrations');
  mkdirSync(interrupted);
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(interrupted, name), sql);
  const whole = await migrateAndRead(join(folder, 'whole.db'));
  let tried = 0;
  let wrong = 0;
  for (let point = 0; point < points; point += step) {
    const path = join(folder, `${point}.db`);
    const child = spawn(process.execPath, [MIGRATE_PROCESS, path, interrupted, String(point)], {
      stdio: 'ignore',
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    const found = await migrateAndRead(path);
    tried += 1;
    if (signal !== 'SIGKILL' || found !== whole) wrong += 1;
    rmSync(path);
  }
  return {
    fault: 'a migration is killed after a statement',
    found: `${tried - wrong} of ${tried} (there are ${points}) ended in the same schema, integrity ok`,
    isRight: wrong === 0,
  };
}

async function migrateAndRead(path: string): Promise<string> {
  const db = openDatabase(path, 'write');
  try {
    await migrateDatabase(db);
    const integrity = db.connection.pragma('integrity_check', { simple: true }) as string;
    return `${integrity}\n${db.statement('SELECT sql FROM sqlite_schema ORDER BY name').pluck().all().join('\n')}`;
  } finally {
    db.close();
  }
}

/** @returns texts by file name */
export function readMigrations(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(MIGRATIONS).map((name) => [name, readFileSync(join(MIGRATIONS, name), 'utf8')]),
  );
}

/** Each statement is followed by one that `migrate-process.ts` can die at. */
export function withCheckpoints(given: Readonly<Record<string, string>>): {
  readonly files: Readonly<Record<string, string>>;
  readonly points: number;
} {
  let points = 0;
  const files = Object.fromEntries(
    Object.entries(given).map(([name, sql]) => [
      name,
      sql.replaceAll(/;\n(?=\n|--|CREATE|$)/g, () => `;\nSELECT checkpoint(${points++});\n`),
    ]),
  );
  return { files, points };
}
