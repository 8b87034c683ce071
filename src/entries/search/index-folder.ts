/**
 * The folder of the search index, beside the database: a file a chunk of rows, and a manifest that names those that
 * count. The manifest is replaced as a whole and last, so that a reader never sees half an index. Nothing in here is
 * the only copy of anything: what is missing or does not fit is searched for in the database, and made again.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

const FORMAT = 2;
const MANIFEST = 'manifest.json';

export interface IndexedChunk {
  /** Name in the folder. */
  readonly file: string;
  /** What the change log tells of the chunk's entries up to this number is in it. */
  readonly seq: number;
}

export interface IndexManifest {
  readonly format: number;
  /** The change log that `seq` counts in. */
  readonly history: string;
  /** By number of the chunk. */
  readonly chunks: Readonly<Record<string, IndexedChunk>>;
}

export function indexFolderOf(databasePath: string): string {
  return join(dirname(databasePath), 'search');
}

export function manifestPathOf(folder: string): string {
  return join(folder, MANIFEST);
}

/** Undefined when there is none that this version can read. */
export function readManifest(folder: string): IndexManifest | undefined {
  try {
    const manifest = JSON.parse(readFileSync(manifestPathOf(folder), 'utf8')) as IndexManifest;
    return manifest.format === FORMAT ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Makes these chunks the ones that count, and removes files that are of none. */
export function writeManifest(folder: string, manifest: Omit<IndexManifest, 'format'>): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = manifestPathOf(folder);
  const file = openSync(`${path}.part`, 'w', 0o600);
  try {
    writeSync(file, JSON.stringify({ format: FORMAT, ...manifest }));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.part`, path);
  const kept = new Set([MANIFEST, ...Object.values(manifest.chunks).map((chunk) => chunk.file)]);
  for (const name of readdirSync(folder)) if (!kept.has(name)) rmSync(join(folder, name), { force: true });
}

/** The worker makes the index again, from the entries; until then searches read the database. */
export function dropSearchIndex(databasePath: string): void {
  rmSync(indexFolderOf(databasePath), { recursive: true, force: true });
}
