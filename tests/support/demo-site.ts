/** The built site over a database of its own with the demo's entries, on a free port. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOperatorDatabase } from '#src/operator/console/operator-database.ts';
import { seedDatabase } from '../../scripts/sample/seed-database.ts';
import { DEMO_SETTINGS } from '../../scripts/sample/demo-settings.ts';
import { fillDemoHistory } from '../../scripts/sample/demo-status.ts';
import { recordScan } from '#src/donations/monitoring.ts';
import type { Database, Transaction } from '#src/db/database.ts';
import example from '#src/pages/_examples/status.json' with { type: 'json' };
import { recordSample } from '#src/status/record-sample.ts';
import type { Status } from '#src/status/status.ts';
import { runProcess } from './run-process.ts';
import { updateIndexes } from './update-indexes.ts';

/** Nobody is asked there, for no worker runs. */
const CHAIN_SOURCE = { LITECOIN_ESPLORA_URL: 'http://127.0.0.1:1' };
/** Often enough for the newest sample to be fresh always. */
const SAMPLE_EVERY_MS = 5_000;

const SERVER = join(import.meta.dirname, '../../src/server.ts');

export type DemoSite = Awaited<ReturnType<typeof startDemoSite>>;

export interface SitePlan {
  readonly fill: (db: Database) => Promise<void> | void;
  /** Writes what a worker would, again and again: none runs here, it would find nothing that is configured. */
  readonly keepUp?: (tx: Transaction) => void;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The demo's entries, donations and history, and the status of the documentation. */
export function planDemo(): SitePlan {
  const status = example.stan.value as Status;
  return {
    async fill(db) {
      await seedDatabase(db, { count: undefined, seed: 1, list: undefined, now: Date.now() });
      fillDemoHistory(db, Date.now());
    },
    keepUp(tx) {
      recordSample(tx, { ...status, checkedAt: new Date().toISOString() });
      recordScan(tx, Date.now());
    },
    settings: { ...DEMO_SETTINGS, ...CHAIN_SOURCE },
  };
}

export async function startDemoSite({ fill, keepUp, settings }: SitePlan = planDemo()) {
  const folder = mkdtempSync(join(tmpdir(), 'czujka-pages-'));
  const databasePath = join(folder, 'czujka.db');
  const db = await openOperatorDatabase(databasePath);
  await fill(db);
  await updateIndexes(db);
  const write = (): void => {
    if (keepUp) db.write(keepUp);
  };
  write();
  const writing = setInterval(write, SAMPLE_EVERY_MS);
  const server = runProcess(SERVER, {
    cwd: folder,
    // The port is not known yet.
    settings: { DATABASE_PATH: databasePath, BASE_URL: 'https://czujka.example', PORT: '0', ...settings },
    hasChannel: true,
  });
  const { port } = await server.logged({ msg: 'listening' });
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    databasePath,
    async close(): Promise<void> {
      clearInterval(writing);
      db.close();
      server.child.kill('SIGTERM');
      await server.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
