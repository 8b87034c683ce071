import { createReadStream, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import { besideDatabase } from '../../data-files.ts';
import { parseCursor, readLogHead } from '../../changes/change-log.ts';
import { sqlBuilder, type Database } from '../../db/database.ts';
import { LIST_KINDS, type ListKind } from '../entry.ts';
import { FORMAT_VERSION, type manifestSchema } from '../mirror-schema.ts';

/** The first digits of the `_id`s in it, and the SHA-256 of its bytes. */
export const CHUNK_NAME = /^h([0-9a-f]{0,3})-[0-9a-f]{64}\.json$/;
export const PUBLIC_MODE = 0o666;
export const MANIFEST_PATH = '/snapshots/manifest.json';

export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

export type ManifestChunk = Readonly<Manifest['lists'][ListKind]['chunks'][number]>;

export function snapshotsFolder(databasePath: string): string {
  return besideDatabase(databasePath, 'snapshots');
}

export function manifestFile(folder: string): string {
  return join(folder, 'manifest.json');
}

export function pathsOf({ lists }: Pick<Manifest, 'lists'>): ReadonlySet<string> {
  return new Set(LIST_KINDS.flatMap((list) => lists[list].chunks.map(({ path }) => path)));
}

export function findManifest(folder: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(readFileSync(manifestFile(folder), 'utf8')) as Manifest;
    const isWhole =
      manifest.formatVersion === FORMAT_VERSION && LIST_KINDS.every((list) => list in manifest.lists);
    return isWhole ? manifest : undefined;
  } catch {
    return undefined;
  }
}

const PUBLISHED_WITHIN_MS = 60_000;
/** The beginning of a manifest with its cursor; parsing all of it takes milliseconds at a million entries. */
const HEAD_BYTES = 256;

/** @param path names below the folder of snapshots */
export function findSnapshot(databasePath: string, ...path: readonly string[]): Promise<Buffer | undefined> {
  return readFile(join(snapshotsFolder(databasePath), ...path)).catch(ignoreMissing);
}

/** @returns the cursor of the manifest, '' where it has none, undefined without a manifest */
export async function findSnapshotCursor({ path }: Database): Promise<string | undefined> {
  const beginning = createReadStream(manifestFile(snapshotsFolder(path)), { end: HEAD_BYTES - 1 });
  const head = await text(beginning).catch(ignoreMissing);
  return head === undefined ? undefined : (/"cursor":"([^"]*)"/.exec(head)?.[1] ?? '');
}

/** After a restore mirrors would go in circles, and a removal or redaction must be published within a minute. */
export function isOutdated(db: Database, cursor: string | undefined, now: number): boolean {
  if (cursor === undefined) return false;
  const published = parseCursor(cursor);
  if (published?.logId !== readLogHead(db).logId) return true;
  const edge = now - PUBLISHED_WITHIN_MS;
  const removed = sqlBuilder
    .selectFrom('changes')
    .select('seq')
    .where('seq', '>', published.seq)
    .where('op', '=', 'removed')
    .where('at', '<', edge)
    .limit(1);
  const redacted = sqlBuilder
    .selectFrom('removals')
    .select('change')
    .where('history', '=', published.logId)
    .where('change', '>', published.seq)
    .where('what', 'in', ['name', 'reason'])
    .where('at', '<', edge)
    .limit(1);
  return [removed, redacted].some((late) => db.first<object>(late) !== undefined);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
