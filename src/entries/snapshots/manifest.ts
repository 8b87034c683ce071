/** The manifest of the snapshots: which chunks make up the lists at one place of the change log. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseCursor } from '../../changes/cursor.ts';
import { readLogHead } from '../../changes/log-head.ts';
import type { Database } from '../../db/database.ts';
import { LIST_KINDS } from '../entry.ts';
import type { ListKind } from '../entry.ts';

export const FORMAT_VERSION = 1;
export const MANIFEST_PATH = '/snapshots/manifest.json';

export interface ManifestChunk {
  /** Address on this site. */
  readonly path: string;
  /** Hex, of the bytes before compression. */
  readonly sha256: string;
  readonly bytes: number;
  readonly entries: number;
}

export interface ManifestList {
  readonly total: number;
  readonly chunks: readonly ManifestChunk[];
}

export interface Manifest {
  readonly formatVersion: typeof FORMAT_VERSION;
  /** Number of the last change that the chunks know. */
  readonly generation: number;
  /** ISO 8601, UTC. */
  readonly generatedAt: string;
  /** `since` of the first question to `/api/changes` of whoever has loaded the chunks. */
  readonly cursor: string;
  readonly lists: Readonly<Record<ListKind, ManifestList>>;
}

/** @param databasePath the snapshots lie beside the database */
export function snapshotsFolder(databasePath: string): string {
  return join(dirname(databasePath), 'snapshots');
}

export function manifestFile(folder: string): string {
  return join(folder, 'manifest.json');
}

/** Its compressed forms have names of their own content: they never belong to another manifest than the one there. */
export function manifestForm(folder: string, body: Buffer): string {
  return join(folder, `manifest-${createHash('sha256').update(body).digest('hex')}.json`);
}

/** False when its cursor belongs to lists that a restored backup has replaced since. */
export function isOfThisHistory(db: Database, body: Buffer): boolean {
  const { cursor } = JSON.parse(body.toString('utf8')) as Pick<Manifest, 'cursor'>;
  return parseCursor(cursor)?.history === readLogHead(db).history;
}

/** Undefined when there is none, or none that this version can go on with. */
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
