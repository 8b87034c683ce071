/**
 * `npm run demo`: a running Czujka with invented entries, from nothing. It has a database of its own and never touches
 * the one of the settings.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError, readConfig } from '#src/config.ts';
import { createLog } from '#src/log.ts';
import { donatePath } from '#src/paths.ts';
import { buildIfNeeded } from './build.ts';
import { startLitecoinDemo } from './demo-litecoin.ts';
import type { LitecoinDemo } from './demo-litecoin.ts';
import { openOperatorDatabase } from './operator/operator-database.ts';
import { EXIT_COULD_NOT_RUN } from './operator/outcome.ts';
import { seedDatabase } from './operator/seed-database.ts';
import { holdPlace } from '#src/db/hold-place.ts';
import { DEMO_DONATION_NAMES, demoDonationId } from './sample/demo-donations.ts';
import { DEMO_IDS } from './sample/demo-records.ts';
import { supervise } from './supervisor.ts';

const FOLDER = join(import.meta.dirname, '../data/demo');
const STAMP = join(FOLDER, '.version');
/** Raised when the demo's entries change: an older demo database is made anew. */
const VERSION = '3';

const NAME_WIDTH = Math.max(...DEMO_DONATION_NAMES.map((name) => name.length));

let litecoin: LitecoinDemo | undefined;
let isWalking = false;
let release: (() => void) | undefined;
try {
  // Before anything else: two would share a database, and one would write over the other's process numbers.
  release = holdPlace(`${FOLDER}.lock`);
  if (!release)
    throw new Error(
      'another demo runs in this folder; end it first, or take a second clone for a second demo',
    );
  if (process.argv.includes('--litecoin')) {
    say('Starting a Litecoin node (regtest) …');
    litecoin = await startLitecoinDemo();
  }
  const settings = {
    DATABASE_PATH: join(FOLDER, 'czujka.db'),
    ...litecoin?.settings,
    // There are no bots here: the demo's own two processes stand in, so that the status page has something to measure.
    BOT_MAIN: `pid:${join(FOLDER, 'web.pid')}`,
    BOT_PROTECTION_PUBLIC: `pid:${join(FOLDER, 'worker.pid')}`,
  };
  const config = readConfig(settings);
  buildIfNeeded();
  await fill(config.databasePath);
  process.exitCode = await supervise({
    log: createLog('start', 'warn'),
    environment: { ...settings, LOG_LEVEL: 'warn' },
    pidFolder: FOLDER,
    onListening: ({ host, port }) => {
      const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      say(`Czujka demo: ${address}`);
      say(`For example: ${address}/api/check?id=${DEMO_IDS.listed}`);
      const watch = litecoin
        ? ''
        : ' (nobody looks at a chain here, and open ones say so; --litecoin has one that moves)';
      say(`Donations, one in each state${watch}:`);
      for (const name of DEMO_DONATION_NAMES)
        say(`  ${name.padEnd(NAME_WIDTH)} ${address}${donatePath(demoDonationId(name))}`);
      say('Ctrl+C ends it.');
      if (!litecoin || isWalking) return;
      isWalking = true;
      litecoin
        .walk(config.databasePath, say, (id) => address + donatePath(id))
        .catch((error: unknown) => say(`the donation stopped: ${String(error)}`));
    },
  });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ConfigError ? message : `the demo cannot start: ${message}`}\n`);
  process.exitCode = EXIT_COULD_NOT_RUN;
} finally {
  await litecoin?.end();
  release?.();
}

async function fill(path: string): Promise<void> {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === VERSION) return;
  say('Filling the demo database …');
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const db = await openOperatorDatabase(path);
  try {
    await seedDatabase(db, { count: undefined, seed: 1, list: undefined, now: Date.now() });
  } finally {
    db.close();
  }
  writeFileSync(STAMP, VERSION);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
