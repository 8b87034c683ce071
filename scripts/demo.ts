/** `npm run demo`: builds and runs Czujka with invented entries, a database of its own and no real settings. */
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '#src/config.ts';
import { createLog } from '#src/log.ts';
import { donatePath } from '#src/paths.ts';
import { buildIfNeeded } from './build.ts';
import { DEMO_FOLDER, startDemoService, type DemoService } from './demo/demo-service.ts';
import { walkDonation } from './demo/walk-donation.ts';
import { DEMO_IDS } from './sample/demo-records.ts';
import { supervise } from '#src/supervisor/supervisor.ts';
import { EXIT_COULD_NOT_RUN } from '#src/operator-error.ts';

/** 128 plus the number of SIGINT. */
const EXIT_INTERRUPTED = 130;

let demo: DemoService | undefined;
let isWalking = false;
/** Ends the process until the supervisor takes over the signals. */
const leave = (): void => process.exit(EXIT_INTERRUPTED);
try {
  process.once('SIGINT', leave).once('SIGTERM', leave);
  const { data } = parseArgs({ options: { data: { type: 'string', default: DEMO_FOLDER } } }).values;
  const folder = resolve(data);
  demo = await startDemoService(folder);
  buildIfNeeded();
  const { settings, databasePath, node } = demo;
  readConfig(settings);
  process.off('SIGINT', leave).off('SIGTERM', leave);
  process.exitCode = await supervise({
    log: createLog('start', 'warn'),
    environment: settings,
    onListening: ({ host, port }) => {
      const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
      const pageOf = (id: string): string => address + donatePath(id);
      say(`Czujka demo: ${address}`);
      say(`For example: ${address}/api/check?id=${DEMO_IDS.listed}`);
      say(
        `Simulated donations in every state: DATABASE_PATH=${relative('', databasePath)} npm run czujka -- donation list, then ${pageOf('ID')}`,
      );
      say('Ctrl+C ends it.');
      // A restarted web process listens again.
      if (isWalking) return;
      isWalking = true;
      walkDonation(node, { databasePath, say, pageOf }).catch((error: unknown) =>
        say(`the donation stopped: ${String(error)}`),
      );
    },
  });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${error instanceof ConfigError ? message : `the demo cannot start: ${message}`}\n`);
  process.exitCode = EXIT_COULD_NOT_RUN;
} finally {
  demo?.close();
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
