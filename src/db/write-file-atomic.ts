import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const PART = /^\.part-(\d+)-/;

/** Readers see the whole file or none, and several processes may write it, each its own `.part-PID-NAME`. */
export function writeFileAtomic(path: string, bytes: string | Uint8Array, mode = 0o600): void {
  const temporary = join(dirname(path), `.part-${process.pid}-${basename(path)}`);
  try {
    writeFileSync(temporary, bytes, { mode, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncPath(dirname(path));
}

/** Removes what killed processes left of files in this folder. */
export function removeParts(folder: string): void {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  for (const file of files)
    if (PART.test(file) && !isBeingWritten(file)) rmSync(join(folder, file), { force: true });
}

/** Whether it is the part of another process that runs. */
export function isBeingWritten(file: string): boolean {
  const pid = Number(PART.exec(file)?.[1]);
  try {
    return pid > 0 && pid !== process.pid && process.kill(pid, 0);
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
