import { renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Readers see the whole file or none. The next write replaces the `.part-NAME` of a killed process. */
export function writeFileAtomic(path: string, bytes: string | Uint8Array, mode = 0o600): void {
  const temporary = join(dirname(path), `.part-${basename(path)}`);
  writeFileSync(temporary, bytes, { mode, flush: true });
  renameSync(temporary, path);
}

/** Makes a file, or the new names in a folder, survive a power cut. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}
