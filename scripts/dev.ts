/** `npm run dev`: Astro's development server over the real database, migrated first. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ConfigError, childEnvironment, readConfig } from '#src/config.ts';
import { openFirstDatabase } from './operator/operator-database.ts';
import { EXIT_COULD_NOT_RUN } from './operator/outcome.ts';

const ROOT = join(import.meta.dirname, '..');

try {
  const { databasePath, host, port } = readConfig();
  (await openFirstDatabase(databasePath)).close();
  const astro = join(ROOT, 'node_modules/astro/bin/astro.mjs');
  const child = spawn(process.execPath, [astro, 'dev', '--host', host, '--port', String(port)], {
    cwd: ROOT,
    stdio: 'inherit',
    // Without it Astro leaves the terminal when it takes the caller for a program.
    env: childEnvironment({ ASTRO_TELEMETRY_DISABLED: '1', ASTRO_DEV_BACKGROUND: '1' }),
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exitCode = EXIT_COULD_NOT_RUN;
}
