/** Files beside the database that a reader sees whole or not at all, also after a power cut. */
import { open, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * A killed process leaves an unfinished file `.part-NAME`, which the next one that writes this name replaces.
 * @param mode who may read it; by default what the process's umask says
 */
export async function writeWholeFile(
  path: string,
  bytes: string | Uint8Array,
  { mode = 0o666 } = {},
): Promise<void> {
  const temporary = join(dirname(path), `.part-${basename(path)}`);
  const file = await open(temporary, 'w', mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

/** Makes names in a folder outlast a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
