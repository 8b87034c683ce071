/**
 * Publishing the snapshots: chunks that a change has touched are written anew, then the manifest that names them takes
 * the place of the last one. Ended at any moment, the last manifest is there with all its chunks.
 */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatCursor, getCursor, isCursorAlive, parseCursor } from '../../changes/cursor.ts';
import { readLogHead } from '../../changes/log-head.ts';
import { openDatabase } from '../../db/database.ts';
import type { Database } from '../../db/database.ts';
import { syncFolder, writeWholeFile } from '../../db/write-whole-file.ts';
import { LIST_KINDS } from '../entry.ts';
import {
  CHUNK_KEPT_MS,
  eraseFromSnapshots,
  makeFolders,
  MANIFEST_LEVELS,
  retireChunk,
  sweepChunks,
  sweepTemporary,
  writeForms,
} from './chunk-files.ts';
import type { RemovedEntry } from './chunk-files.ts';
import { makeAllChunks, remakeTouchedChunks } from './make-chunks.ts';
import type { Chunks } from './make-chunks.ts';
import { FORMAT_VERSION } from '../mirror-schema.ts';
import { findManifest, manifestFile, manifestForm, snapshotsFolder } from './manifest.ts';
import type { Manifest, ManifestChunk, ManifestList } from './manifest.ts';

export interface PublishReport {
  /** Chunks that the manifest did not name before. */
  readonly written: number;
  /** Chunks deleted because they held a removed entry, or are of another history. */
  readonly erased: number;
}

/** The snapshots as of now; what the last manifest does not know is published. For one caller at a time: the worker. */
export async function publishSnapshots(databasePath: string, signal: AbortSignal): Promise<PublishReport> {
  const folder = snapshotsFolder(databasePath);
  await makeFolders(folder);
  await sweepTemporary(folder);
  // One moment of the database for all chunks, whatever is written meanwhile; the worker's own handle cannot stand still.
  const db = openDatabase(databasePath, 'read');
  try {
    db.connection.exec('BEGIN');
    const { seq } = readLogHead(db);
    const last = findManifest(folder);
    const since = last && parseCursor(last.cursor);
    const base = last && since && isCursorAlive(db, since) ? { last, seq: since.seq } : undefined;
    if (base?.seq === seq) return { written: 0, erased: 0 };
    const removed = base ? listRemoved(db, base.seq) : [];
    try {
      const chunks = base
        ? await remakeTouchedChunks(db, folder, base.last, base.seq, signal)
        : await makeAllChunks(db, folder, signal);
      signal.throwIfAborted();
      const kept = new Set(LIST_KINDS.flatMap((list) => chunks[list].map(({ path }) => path)));
      const before = new Set(base ? pathsOf(base.last) : []);
      // Before the new manifest says that all of this is done: who was removed must be in no file then.
      const erased = base
        ? await eraseFromSnapshots(databasePath, removed, kept)
        : // The contents of the others are unknown.
          await sweepChunks(folder, kept, Number.POSITIVE_INFINITY);
      await writeManifest(db, folder, seq, chunks, base?.last);
      return { written: [...kept].filter((path) => !before.has(path)).length, erased };
    } catch (error) {
      // Who was removed must not stay for want of room on the disk.
      await eraseFromSnapshots(databasePath, removed);
      throw error;
    }
  } finally {
    db.close();
  }
}

/** Deletes what came out of use a day ago. @returns how many chunks */
export async function sweepSnapshots(databasePath: string, now: number): Promise<number> {
  const folder = snapshotsFolder(databasePath);
  const manifest = findManifest(folder);
  return manifest ? sweepChunks(folder, new Set(pathsOf(manifest)), now - CHUNK_KEPT_MS) : 0;
}

function pathsOf(manifest: Manifest): string[] {
  return LIST_KINDS.flatMap((list) => manifest.lists[list].chunks.map(({ path }) => path));
}

/** Entries that a change after this one took from the public, even if they have come back since. */
function listRemoved(db: Database, after: number): RemovedEntry[] {
  return db
    .statement<RemovedEntry>(
      `SELECT DISTINCT list, entry_id AS entryId FROM changes WHERE seq > ?
         AND (op = 'removed' OR NOT EXISTS (SELECT 1 FROM entries WHERE entries.entry_id = changes.entry_id
           AND (entries.list != 'legit' OR entries.verified = 1)))`,
    )
    .all(after);
}

function listOf(chunks: readonly ManifestChunk[]): ManifestList {
  return { total: chunks.reduce((total, { entries }) => total + entries, 0), chunks };
}

async function writeManifest(
  db: Database,
  folder: string,
  seq: number,
  chunks: Chunks,
  last: Manifest | undefined,
): Promise<void> {
  const manifest: Manifest = {
    formatVersion: FORMAT_VERSION,
    generation: seq,
    generatedAt: new Date().toISOString(),
    cursor: formatCursor(getCursor(db, seq)),
    lists: {
      scammers: listOf(chunks.scammers),
      servers: listOf(chunks.servers),
      legit: listOf(chunks.legit),
    },
  };
  const named = new Set(pathsOf(manifest));
  for (const list of LIST_KINDS) {
    await syncFolder(join(folder, list));
    for (const chunk of last?.lists[list].chunks ?? []) {
      if (!named.has(chunk.path)) await retireChunk(folder, chunk);
    }
  }
  const body = Buffer.from(JSON.stringify(manifest));
  const form = manifestForm(folder, body);
  await writeForms(folder, form, body, MANIFEST_LEVELS);
  await writeWholeFile(manifestFile(folder), body);
  await syncFolder(folder);
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith('manifest-') && !path.startsWith(form)) await rm(path, { force: true });
  }
}
