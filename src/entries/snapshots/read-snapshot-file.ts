/** Files of the snapshots as the web process sends them, with the compressed forms that lie beside them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ListKind } from '../entry.ts';
import { FORMS } from './chunk-files.ts';
import { manifestFile, manifestForm, snapshotsFolder } from './manifest.ts';

export interface SnapshotFile {
  readonly body: Buffer;
  /** Undefined when it is not there (any more). */
  readonly form: (encoding: keyof typeof FORMS) => Promise<Buffer | undefined>;
}

/** Undefined until the worker has published for the first time. */
export function findManifestFile(databasePath: string): Promise<SnapshotFile | undefined> {
  const folder = snapshotsFolder(databasePath);
  return findFile(manifestFile(folder), (body) => manifestForm(folder, body));
}

/** @param name a well-formed one; undefined when the chunk is gone */
export function findChunkFile(
  databasePath: string,
  list: ListKind,
  name: string,
): Promise<SnapshotFile | undefined> {
  const path = join(snapshotsFolder(databasePath), list, name);
  return findFile(path, () => path);
}

async function findFile(path: string, formsOf: (body: Buffer) => string): Promise<SnapshotFile | undefined> {
  const body = await readIfThere(path);
  return body && { body, form: (encoding) => readIfThere(formsOf(body) + FORMS[encoding]) };
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
