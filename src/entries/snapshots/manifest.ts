/** The manifest of the snapshots: which chunks make up the lists at one place of the change log. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { parseCursor } from '../../changes/cursor.ts';
import { readLogHead } from '../../changes/log-head.ts';
import type { Database } from '../../db/database.ts';
import { LIST_KINDS } from '../entry.ts';
import type { ListKind } from '../entry.ts';
import { FORMAT_VERSION } from '../mirror-schema.ts';
import type { manifestSchema } from '../mirror-schema.ts';

export const MANIFEST_PATH = '/snapshots/manifest.json';

type Body = z.infer<typeof manifestSchema>;

export type ManifestChunk = Readonly<Body['lists'][ListKind]['chunks'][number]>;

export interface ManifestList {
  readonly total: number;
  readonly chunks: readonly ManifestChunk[];
}

export type Manifest = Readonly<Omit<Body, 'lists'>> & {
  readonly lists: Readonly<Record<ListKind, ManifestList>>;
};

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
