import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { LIST_KINDS, type ListKind } from '../entry.ts';
import { FORMAT_VERSION, type manifestSchema } from '../mirror-schema.ts';

export const MANIFEST_PATH = '/snapshots/manifest.json';

export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

export type ManifestChunk = Readonly<Manifest['lists'][ListKind]['chunks'][number]>;

export function snapshotsFolder(databasePath: string): string {
  return join(dirname(databasePath), 'snapshots');
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
