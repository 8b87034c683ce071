import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCursor } from '../../changes/cursor.ts';
import { readLogHead } from '../../changes/log-head.ts';
import { build, type Database } from '../../db/database.ts';
import { findManifest, snapshotsFolder } from './manifest.ts';

const PUBLISHED_WITHIN_MS = 60_000;

/** @param path names below the folder of snapshots */
export async function findSnapshot(
  databasePath: string,
  ...path: readonly string[]
): Promise<Buffer | undefined> {
  try {
    return await readFile(join(snapshotsFolder(databasePath), ...path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** After a restore mirrors would go in circles, and a removal must be published within a minute. */
export function areOutdated(db: Database, now: number): boolean {
  const published = parseCursor(findManifest(snapshotsFolder(db.path))?.cursor ?? '');
  if (!published) return false;
  if (published.history !== readLogHead(db).history) return true;
  const late = build
    .selectFrom('changes')
    .select('seq')
    .where('seq', '>', published.seq)
    .where('op', '=', 'removed')
    .where('at', '<', now - PUBLISHED_WITHIN_MS)
    .limit(1);
  return db.first(late) !== undefined;
}
