/** What some faults are made with, and how to get it. */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

export type Tool = 'mount' | 'prlimit' | 'faketime' | 'strace';

export const FAKETIME_LIBRARY = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0] ?? '';

const isRoot = process.getuid?.() === 0;

const TOOLS: Readonly<Record<Tool, { readonly isThere: () => boolean; readonly advice: string }>> = {
  mount: {
    isThere: () =>
      isRoot && spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0,
    advice: 'the right to mount (root)',
  },
  prlimit: {
    isThere: () => spawnSync('prlimit', ['--version']).status === 0,
    advice: 'prlimit (Debian: util-linux)',
  },
  faketime: { isThere: () => FAKETIME_LIBRARY !== '', advice: 'libfaketime (Debian: faketime)' },
  strace: {
    isThere: () => spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0,
    advice: 'strace, and the right to trace',
  },
};

/** @returns what is missing here, in words; undefined when all is there */
export function findMissing(tools: readonly Tool[]): string | undefined {
  const missing = tools.filter((tool) => !TOOLS[tool].isThere());
  return missing.length === 0 ? undefined : missing.map((tool) => TOOLS[tool].advice).join(', ');
}
