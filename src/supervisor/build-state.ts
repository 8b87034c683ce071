/** Whether the pages in dist/ were built from these sources. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const STAMP = join(ROOT, 'dist/.built-from');
/** Everything that the pages are made of. */
const SOURCES = [
  'astro.config.mjs',
  'package-lock.json',
  'tsconfig.json',
  'src/**/*',
  'src/pages/.well-known/*',
];
/** Documents, and code that no page imports. */
const OTHERS = ['src/*.md', 'src/operator/**', 'src/supervisor/**'];

/** `stale`: made of other sources. */
export function readBuildState(): 'missing' | 'stale' | 'current' {
  if (!existsSync(STAMP)) return 'missing';
  return readFileSync(STAMP, 'utf8') === hashSources() ? 'current' : 'stale';
}

export function recordBuild(sources: string): void {
  writeFileSync(STAMP, sources);
}

export function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of globSync(SOURCES, { cwd: ROOT, withFileTypes: true, exclude: OTHERS })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(relative(ROOT, path)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}
