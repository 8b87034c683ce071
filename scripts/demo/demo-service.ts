/** The demo's database, settings and simulated outside world, for `npm run demo` and `npm run dev`. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTING_NAMES } from '#src/config.ts';
import { lockForProcess } from '#src/db/process-lock.ts';
import { openOperatorDatabase } from '#src/operator/console/operator-database.ts';
import { seedDatabase } from '../sample/seed-database.ts';
import { demoRecords } from '../sample/demo-records.ts';
import { DEMO_SETTINGS } from '../sample/demo-settings.ts';
import { startChatPlatform } from './chat-platform.ts';
import { startPlayedNode } from './played-node.ts';
import { renewDemo } from './renew-demo.ts';

export const DEMO_FOLDER = join(import.meta.dirname, '../../data/demo');
/** Raise it when the demo's entries change: an older demo database is then made again. */
const VERSION = '5';
/** The demo ignores every other setting of a real service. */
const KEPT_SETTINGS = new Set(['HOST', 'PORT', 'BASE_URL', 'TRUST_PROXY']);

export type DemoService = Awaited<ReturnType<typeof startDemoService>>;

/** @throws when another process uses the folder, or when the folder contains something else */
export async function startDemoService(folder: string) {
  // Two processes would share a database.
  const release = lockForProcess(`${folder}.lock`);
  if (!release)
    throw new Error(
      'another demo runs in this folder; end it first, or give this one another: --data FOLDER',
    );
  const databasePath = join(folder, 'czujka.db');
  await fill(folder, databasePath);
  const node = await startPlayedNode();
  const people = [...demoRecords('scammers'), ...demoRecords('legit')];
  const platform = await startChatPlatform((id) => people.some((person) => person.id === id));
  return {
    settings: {
      ...Object.fromEntries(
        SETTING_NAMES.filter((name) => !KEPT_SETTINGS.has(name)).map((name) => [name, '']),
      ),
      ...DEMO_SETTINGS,
      ...platform.settings,
      LITECOIN_RPC_URL: node.url,
      DATABASE_PATH: databasePath,
      LOG_LEVEL: 'warn',
      // No protection service runs here; the simulated chat platform stands in for it.
      PROTECTION_SERVICE_URL: `${platform.settings['CHAT_PLATFORM_API_URL']}/gateway`,
    },
    databasePath,
    node,
    close(): void {
      node.close();
      platform.close();
      release();
    },
  };
}

async function fill(folder: string, databasePath: string): Promise<void> {
  const stamp = join(folder, '.version');
  const isFilled = existsSync(stamp) && readFileSync(stamp, 'utf8') === VERSION;
  if (!isFilled) {
    if (folder !== DEMO_FOLDER && !existsSync(stamp) && existsSync(folder) && readdirSync(folder).length > 0)
      throw new Error(`${folder} holds something else than a demo`);
    process.stdout.write('Filling the demo database …\n');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(stamp, '');
  }
  using db = await openOperatorDatabase(databasePath);
  const now = Date.now();
  if (!isFilled)
    await seedDatabase(db, { count: undefined, seed: 1, list: undefined, now, stderr: process.stderr });
  renewDemo(db, now);
  writeFileSync(stamp, VERSION);
}
