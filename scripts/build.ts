/** `npm run build`; demo and test build only when what the site is made of has changed since the last build. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { childEnvironment, readConfig } from '#src/config.ts';

const ROOT = join(import.meta.dirname, '..');
const STAMP = join(ROOT, 'dist/.built-from');
const ASTRO = join(ROOT, 'node_modules/astro/bin/astro.mjs');
/** Everything that Astro reads. */
const SOURCES = ['astro.config.mjs', 'package-lock.json', 'tsconfig.json', 'src/**/*'];

/** @throws when the build fails, with its output on standard error */
export function buildIfNeeded(): void {
  if (readBuildState() !== 'current') build();
}

/** `stale`: made of other sources, or of other settings, which prerendered pages show. */
export function readBuildState(): 'missing' | 'stale' | 'current' {
  if (!existsSync(STAMP)) return 'missing';
  return readFileSync(STAMP, 'utf8') === makeStamp() ? 'current' : 'stale';
}

function build(): void {
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
  writeFileSync(STAMP, stamp);
}

function makeStamp(): string {
  const { operator, baseUrl } = readConfig();
  const hash = createHash('sha256').update(JSON.stringify([process.version, operator, baseUrl]));
  for (const path of globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

if (import.meta.main) build();
