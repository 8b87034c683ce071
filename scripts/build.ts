/** `npm run build`; demo and test build only when what the site is made of has changed since the last build. */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { childEnvironment } from '#src/environment.ts';
import { hashSources, readBuildState, recordBuild } from '#src/supervisor/build-state.ts';
import { EXIT_COULD_NOT_RUN } from '#src/operator-error.ts';

const ROOT = join(import.meta.dirname, '..');
const ASTRO = join(ROOT, 'node_modules/astro/bin/astro.mjs');

/** For demo and test. @throws when the build fails, with its output on standard error */
export function buildIfNeeded(): void {
  if (readBuildState() !== 'current') build();
}

function build(): void {
  process.stdout.write('Building the site …\n');
  const sources = hashSources();
  const { status, stdout, stderr } = spawnSync(process.execPath, [ASTRO, 'build'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: childEnvironment({ ASTRO_TELEMETRY_DISABLED: '1' }),
  });
  if (status !== 0) {
    process.stderr.write(stdout + stderr);
    throw new Error('the build of the site failed');
  }
  compressFiles();
  recordBuild(sources);
}

/** Once for all visitors; the server sends the form that a browser takes. */
function compressFiles(): void {
  for (const path of globSync('dist/client/**/*.{css,js,svg,txt}', { cwd: ROOT })) {
    const bytes = readFileSync(join(ROOT, path));
    writeFileSync(join(ROOT, `${path}.br`), brotliCompressSync(bytes));
    writeFileSync(join(ROOT, `${path}.gz`), gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

if (import.meta.main) {
  try {
    build();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = EXIT_COULD_NOT_RUN;
  }
}
