/** `npm run build`; demo and test build only when what the site is made of has changed since the last build. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { childEnvironment, readConfig } from '#src/config.ts';
import { EXIT_COULD_NOT_RUN } from './operator/outcome.ts';

const ROOT = join(import.meta.dirname, '..');
const STAMP = join(ROOT, 'dist/.built-from');
const ASTRO = join(ROOT, 'node_modules/astro/bin/astro.mjs');
/** Everything that Astro reads. */
const SOURCES = [
  'astro.config.mjs',
  'package-lock.json',
  'tsconfig.json',
  'src/**/*',
  'src/pages/.well-known/*',
];

interface Stamp {
  readonly sources: string;
  /** Of the settings that prerendered pages show. */
  readonly settings: string;
}

/**
 * For demo and test: other settings are no reason to build, so that neither replaces the pages of a service that runs
 * from the same folder.
 * @throws when the build fails, with its output on standard error
 */
export function buildIfNeeded(): void {
  if (readStamp()?.sources !== makeStamp().sources) build();
}

/** `stale`: made of other sources or settings. */
export function readBuildState(): 'missing' | 'stale' | 'current' {
  const built = readStamp();
  if (!built) return 'missing';
  const wanted = makeStamp();
  return built.sources === wanted.sources && built.settings === wanted.settings ? 'current' : 'stale';
}

function readStamp(): Stamp | undefined {
  return existsSync(STAMP) ? (JSON.parse(readFileSync(STAMP, 'utf8')) as Stamp) : undefined;
}

function build(): void {
  process.stdout.write('Building the site …\n');
  const stamp = makeStamp();
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
  writeFileSync(STAMP, JSON.stringify(stamp));
}

/** Once for all visitors; the server sends the form that a browser takes. */
function compressFiles(): void {
  for (const path of globSync('dist/client/**/*.{html,css,js,svg,txt}', { cwd: ROOT })) {
    const bytes = readFileSync(join(ROOT, path));
    writeFileSync(join(ROOT, `${path}.br`), brotliCompressSync(bytes));
    writeFileSync(join(ROOT, `${path}.gz`), gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
  }
}

function makeStamp(): Stamp {
  const { operator, baseUrl } = readConfig();
  const settings = createHash('sha256')
    .update(JSON.stringify([operator, baseUrl]))
    .digest('hex');
  const hash = createHash('sha256').update(process.version);
  for (const path of globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path)).update('\0');
  }
  return { sources: hash.digest('hex'), settings };
}

if (import.meta.main) {
  try {
    build();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = EXIT_COULD_NOT_RUN;
  }
}
