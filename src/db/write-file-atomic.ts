import { open, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Readers see the whole file or none. The next write replaces the `.part-NAME` of a killed process. */
export async function writeFileAtomic(
  path: string,
  bytes: string | Uint8Array,
  { mode = 0o666 } = {},
): Promise<void> {
  const temporary = join(dirname(path), `.part-${basename(path)}`);
  await writeFile(temporary, bytes, { mode, flush: true });
  await rename(temporary, path);
}

/** Makes a file, or the new names in a folder, survive a power cut. */
export async function syncPath(path: string): Promise<void> {
  await using handle = await open(path, 'r');
  await handle.sync();
}
