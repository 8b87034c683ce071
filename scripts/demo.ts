/**
 * `npm run demo`: a running Czujka with invented entries, from nothing. It has a database of its own and none of the
 * settings of a real service, so that it never touches one.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig, SETTING_NAMES } from '#src/config.ts';
import { lockForProcess } from '#src/db/process-lock.ts';
import { createLog } from '#src/log.ts';
import { donatePath } from '#src/paths.ts';
import { buildIfNeeded } from './build.ts';
import type { DemoChain } from './demo/demo-chain.ts';
import { startPlayedChain } from './demo/played-chain.ts';
import { startRegtestChain } from './demo/regtest-chain.ts';
import { renewDemo } from './demo/renew-demo.ts';
import { walkDonation } from './demo/walk-donation.ts';
import { startChatPlatform } from './gallery/chat-platform.ts';
import type { ChatPlatform } from './gallery/chat-platform.ts';
import { openOperatorDatabase } from './operator/operator-database.ts';
import { EXIT_COULD_NOT_RUN } from './operator/outcome.ts';
import { seedDatabase } from './operator/seed-database.ts';
import { findLitecoind } from './regtest-node.ts';
import { DEMO_DONATION_NAMES, demoDonationId } from './sample/demo-donations.ts';
import { DEMO_IDS, demoRecords } from './sample/demo-records.ts';
import { DEMO_SETTINGS } from './sample/demo-settings.ts';
import { supervise } from './supervisor.ts';

const FOLDER = join(import.meta.dirname, '../data/demo');
/** Raised when the demo's entries change: an older demo database is made anew. */
const VERSION = '4';
/** Where it listens and what it says is as for a real service. */
const KEPT_SETTINGS = new Set(['HOST', 'PORT', 'BASE_URL', 'TRUST_PROXY']);
/** What signals make of a process. */
const EXIT_INTERRUPTED = 130;
/** Nobody looks at the chain for it, and here somebody does. */
const NAMES = DEMO_DONATION_NAMES.filter((name) => name !== 'unchecked');
const NAME_WIDTH = Math.max(...NAMES.map((name) => name.length));

let starting: Promise<DemoChain> | undefined;
let platform: ChatPlatform | undefined;
let isWalking = false;
let isEnding = false;
let release: (() => void) | undefined;
/** Accounts that the platform of the demo has; to every other ID it says that there is none. */
const ACCOUNTS = new Set(
  (['scammers', 'legit'] as const).flatMap((list) => demoRecords(list).map(({ id }) => id)),
);
/** Until there is a service to end: what was started by then ends with this process. */
const leave = (): void => process.exit(EXIT_INTERRUPTED);
try {
  process.once('SIGINT', leave).once('SIGTERM', leave);
  const { data, played } = parseArgs({
    options: {
      data: { type: 'string', default: FOLDER },
      played: { type: 'boolean', default: false },
    },
  }).values;
  const folder = resolve(data);
  // Before anything else: two would share a database, and one would write over the other's process numbers.
  release = lockForProcess(`${folder}.lock`);
  if (!release)
    throw new Error(
      'another demo runs in this folder; end it first, or give this one another: --data FOLDER',
    );
  starting = startChain(played);
  platform = await startChatPlatform((id) => ACCOUNTS.has(id));
  const databasePath = join(folder, 'czujka.db');
  buildIfNeeded();
  await fill(folder, databasePath);
  const chain = await starting;
  const settings = {
    ...Object.fromEntries(SETTING_NAMES.filter((name) => !KEPT_SETTINGS.has(name)).map((name) => [name, ''])),
    ...DEMO_SETTINGS,
    ...platform.settings,
    ...chain.settings,
    DATABASE_PATH: databasePath,
    LOG_LEVEL: 'warn',
    // There are no bots and no other services here: what the demo runs anyway stands in for them.
    PROTECTION_SERVICE_URL: `${platform.settings['CHAT_PLATFORM_API_URL']}/gateway`,
    BOT_MAIN: `pid:${join(folder, 'web.pid')}`,
    BOT_PROTECTION_PUBLIC: `pid:${join(folder, 'worker.pid')}`,
    BOT_PROTECTION_ADMIN: `pid:${join(folder, 'demo.pid')}`,
  };
  readConfig(settings);
  writeFileSync(join(folder, 'demo.pid'), String(process.pid));
  process.off('SIGINT', leave).off('SIGTERM', leave);
  // The walk may be waiting for a node that hears the same signal; that it stops then is nobody's news.
  const hush = (): void => void (isEnding = true);
  process.once('SIGINT', hush).once('SIGTERM', hush);
  process.exitCode = await supervise({
    log: createLog('start', 'warn'),
    environment: settings,
    pidFolder: folder,
    onListening: ({ host, port }) => {
      const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      const pageOf = (id: string): string => address + donatePath(id);
      greet(address, pageOf);
      // Also a web process that was started again listens.
      if (isWalking) return;
      isWalking = true;
      walkDonation(chain, { databasePath, say, pageOf }).catch((error: unknown) => {
        if (!isEnding) say(`the donation stopped: ${String(error)}`);
      });
    },
  });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ConfigError ? message : `the demo cannot start: ${message}`}\n`);
  process.exitCode = EXIT_COULD_NOT_RUN;
} finally {
  await (await starting)?.end();
  platform?.close();
  release?.();
}

/** @param played also where litecoind is installed */
async function startChain(played: boolean): Promise<DemoChain> {
  const program = played ? undefined : findLitecoind();
  if (program !== undefined) {
    try {
      const real = await startRegtestChain(program);
      say('Donations are on a Litecoin network of the demo alone: litecoind in regtest.');
      return real;
    } catch (error) {
      say(`litecoind does not start: ${String(error)}`);
    }
  }
  say('Donations are on a Litecoin network that the demo only plays: no litecoind runs here.');
  return startPlayedChain();
}

async function fill(folder: string, path: string): Promise<void> {
  const stamp = join(folder, '.version');
  const isFilled = existsSync(stamp) && readFileSync(stamp, 'utf8') === VERSION;
  if (!isFilled) {
    if (folder !== FOLDER && !existsSync(stamp) && existsSync(folder) && readdirSync(folder).length > 0)
      throw new Error(`${folder} holds something else than a demo`);
    say('Filling the demo database …');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(stamp, '');
  }
  const db = await openOperatorDatabase(path);
  try {
    const now = Date.now();
    if (!isFilled) await seedDatabase(db, { count: undefined, seed: 1, list: undefined, now });
    renewDemo(db, now);
  } finally {
    db.close();
  }
  writeFileSync(stamp, VERSION);
}

function greet(address: string, pageOf: (id: string) => string): void {
  say(`Czujka demo: ${address}`);
  say(`For example: ${address}/api/check?id=${DEMO_IDS.listed}`);
  say('Donations, one in each state:');
  for (const name of NAMES) say(`  ${name.padEnd(NAME_WIDTH)} ${pageOf(demoDonationId(name))}`);
  say('Ctrl+C ends it.');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
