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
import { fillDemoHistory } from '../../scripts/sample/demo-status.ts';
import { recordScan } from '#src/donations/watched.ts';
import type { Database } from '#src/db/database.ts';
import { updateIndexes } from './update-indexes.ts';
import { recordSample } from '#src/status/record-sample.ts';
import type { Status } from '#src/status/status.ts';

/** Nobody is asked there, for no worker runs. */
const CHAIN_SOURCE = { LITECOIN_ESPLORA_URL: 'http://127.0.0.1:1' };

const ROOT = join(import.meta.dirname, '../..');

/** Often enough for the newest sample to be fresh always. */
const SAMPLE_EVERY_MS = 5_000;

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
      fillDemoHistory(db, Date.now());
    },
    keepUp(db) {
      recordSample(db, mixedStatus());
      recordScan(db, Date.now() - chainAgeMs);
    },
    settings: { ...DEMO_SETTINGS, ...CHAIN_SOURCE },
  };
}

/** A part that is slow, one that fails, a bot that starts, and what is not configured. */
function mixedStatus(): Status {
  const none = { uptimeMs: 0, memoryBytes: 0, cpuPercent: 0 };
  const running = { uptimeMs: 273_600_000, memoryBytes: 182_452_224, cpuPercent: 3.417 };
  return {
    checks: [
      { id: 'database', ok: true, latencyMs: 3 },
      { id: 'litecoin', ok: true, latencyMs: 2_300 },
      { id: 'chat_platform', ok: false, latencyMs: 6_000 },
      { id: 'protection_service', ok: false, latencyMs: 0 },
    ],
    bots: [
      { id: 'main_bot', ok: true, state: 'running', ...running },
      { id: 'protection_public_bot', ok: false, state: 'starting', ...none, uptimeMs: 41_000 },
      { id: 'protection_admin_bot', ok: false, state: 'not_configured', ...none },
    ],
    checkedAt: new Date().toISOString(),
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
