/** `npm run build`; demo and test build only when what the site is made of has changed since the last build. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '#src/config.ts';

const ROOT = join(import.meta.dirname, '..');
const STAMP = join(ROOT, 'dist/.built-from');
const ASTRO = join(ROOT, 'node_modules/astro/bin/astro.mjs');
/** Everything that Astro reads. */
const SOURCES = ['astro.config.mjs', 'package-lock.json', 'tsconfig.json', 'src/**/*'];

/** @throws when the build fails, with its output on standard error */
export function buildIfNeeded(): void {
  const stamp = hashSources();
  if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp) build(stamp);
}

function build(stamp: string): void {
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

function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(path).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

if (import.meta.main) build(hashSources());
