import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Readers see the whole file or none, and several processes may write it. Deletes the `.part-PID-NAME` that a killed
 * process left.
 */
export function writeFileAtomic(path: string, bytes: string | Uint8Array, mode = 0o600): void {
  const folder = dirname(path);
  const name = basename(path);
  for (const file of readdirSync(folder)) {
    const [, pid, written] = /^\.part-(?:(\d+)-)?(.+)$/.exec(file) ?? [];
    if (written === name && !isRunning(Number(pid))) rmSync(join(folder, file), { force: true });
  }
  const temporary = join(folder, `.part-${process.pid}-${name}`);
  try {
    writeFileSync(temporary, bytes, { mode, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncPath(folder);
}

function isRunning(pid: number): boolean {
  try {
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Makes a file, or the new names in a folder, survive a power cut. */
export function syncPath(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
