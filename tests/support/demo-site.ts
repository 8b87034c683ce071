/** The built site over a database of its own with the demo's entries, on a free port. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { childEnvironment } from '#src/config.ts';
import { openOperatorDatabase } from '../../scripts/operator/operator-database.ts';
import { seedDatabase } from '../../scripts/operator/seed-database.ts';
import { DEMO_SETTINGS } from '../../scripts/sample/demo-settings.ts';
import { fillSampleHistory, SAMPLE_EVERY_MS, sampleStatusNow } from './sample-status.ts';
import { recordScan } from '#src/donations/watched.ts';
import type { Database } from '#src/db/database.ts';
import { updateIndexes } from './update-indexes.ts';
import { recordSample } from '#src/status/record-sample.ts';

/** Nobody is asked there, for no worker runs. */
const CHAIN_SOURCE = { LITECOIN_ESPLORA_URL: 'http://127.0.0.1:1' };

const ROOT = join(import.meta.dirname, '../..');

export interface DemoSite {
  readonly origin: string;
  readonly databasePath: string;
  close(): Promise<void>;
}

export interface SitePlan {
  readonly fill: (db: Database) => Promise<void> | void;
  /** Writes what a worker would, again and again: none runs here, it would find nothing that is configured. */
  readonly keepUp?: (db: Database) => void;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The demo's entries, donations and status. @param chainAgeMs the time since the last poll of the chain */
export function planDemo(chainAgeMs = 0): SitePlan {
  return {
    async fill(db) {
      await seedDatabase(db, { count: undefined, seed: 1, list: undefined, now: Date.now() });
      fillSampleHistory(db, Date.now());
    },
    keepUp(db) {
      recordSample(db, sampleStatusNow(Date.now()));
      recordScan(db, Date.now() - chainAgeMs);
    },
    settings: { ...DEMO_SETTINGS, ...CHAIN_SOURCE },
  };
}

/** @throws when the site is not built or does not start */
export async function startDemoSite({ fill, keepUp, settings }: SitePlan = planDemo()): Promise<DemoSite> {
  if (!existsSync(join(ROOT, 'dist/server/entry.mjs'))) throw new Error('run "npm run build" first');
  const folder = mkdtempSync(join(tmpdir(), 'czujka-pages-'));
  const databasePath = join(folder, 'czujka.db');
  const db = await openOperatorDatabase(databasePath);
  await fill(db);
  await updateIndexes(db);
  const write = (): void => {
    if (keepUp) db.write(() => keepUp(db));
  };
  write();
  const writing = setInterval(write, SAMPLE_EVERY_MS);
  const server = spawn(process.execPath, [join(ROOT, 'src/server.ts')], {
    cwd: ROOT,
    // The port is not known yet; an address of its own also keeps out what a test runner sets.
    env: childEnvironment({
      DATABASE_PATH: databasePath,
      BASE_URL: 'https://czujka.example',
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      ...settings,
    }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await readPort(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    databasePath,
    async close() {
      clearInterval(writing);
      db.close();
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readPort(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
    if (!server.stdout) return;
    createInterface(server.stdout).on('line', (line) => {
      const entry = JSON.parse(line) as { msg?: string; port?: number };
      if (entry.msg === 'listening' && entry.port) resolve(entry.port);
    });
  });
}
