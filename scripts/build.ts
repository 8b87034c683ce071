/** `npm run build`; demo and test build only when what the site is made of has changed since the last build. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { childEnvironment } from '#src/config.ts';
import { EXIT_COULD_NOT_RUN } from './operator/outcome.ts';

const ROOT = join(import.meta.dirname, '..');
const STAMP = join(ROOT, 'dist/.built-from');
const ASTRO = join(ROOT, 'node_modules/astro/bin/astro.mjs');
/** Everything that Astro reads, without the documents in src. */
const SOURCES = [
  'astro.config.mjs',
  'package-lock.json',
  'tsconfig.json',
  'src/**/*',
  'src/pages/.well-known/*',
];

/** For demo and test. @throws when the build fails, with its output on standard error */
export function buildIfNeeded(): void {
  if (readBuildState() !== 'current') build();
}

/** `stale`: made of other sources. */
export function readBuildState(): 'missing' | 'stale' | 'current' {
  if (!existsSync(STAMP)) return 'missing';
  return readFileSync(STAMP, 'utf8') === hashSources() ? 'current' : 'stale';
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
  writeFileSync(STAMP, sources);
}

/** Once for all visitors; the server sends the form that a browser takes. */
function compressFiles(): void {
  for (const path of globSync('dist/client/**/*.{css,js,svg,txt}', { cwd: ROOT })) {
    const bytes = readFileSync(join(ROOT, path));
    writeFileSync(join(ROOT, `${path}.br`), brotliCompressSync(bytes));
    writeFileSync(join(ROOT, `${path}.gz`), gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of globSync(SOURCES, { cwd: ROOT, withFileTypes: true, exclude: ['src/*.md'] })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

if (import.meta.main) {
  try {
    build();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = EXIT_COULD_NOT_RUN;
  }
}
