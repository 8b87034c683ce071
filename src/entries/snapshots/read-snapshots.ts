import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseCursor } from '../../changes/cursor.ts';
import { readLogHead } from '../../changes/log-head.ts';
import { sqlBuilder, type Database } from '../../db/database.ts';
import { manifestFile, snapshotsFolder } from './manifest.ts';

const PUBLISHED_WITHIN_MS = 60_000;
/** The beginning of a manifest with its cursor; parsing all of it takes milliseconds at a million entries. */
const HEAD_BYTES = 256;

/** @param path names below the folder of snapshots */
export function findSnapshot(databasePath: string, ...path: readonly string[]): Promise<Buffer | undefined> {
  return readFile(join(snapshotsFolder(databasePath), ...path)).catch(ignoreMissing);
}

/** After a restore mirrors would go in circles, and a removal must be published within a minute. */
export async function areOutdated(db: Database, now: number): Promise<boolean> {
  const beginning = createReadStream(manifestFile(snapshotsFolder(db.path)), { end: HEAD_BYTES - 1 });
  const head = (await text(beginning).catch(ignoreMissing)) ?? '';
  const published = parseCursor(/"cursor":"([^"]*)"/.exec(head)?.[1] ?? '');
  if (!published) return false;
  if (published.history !== readLogHead(db).history) return true;
  const late = sqlBuilder
    .selectFrom('changes')
    .select('seq')
    .where('seq', '>', published.seq)
    .where('op', '=', 'removed')
    .where('at', '<', now - PUBLISHED_WITHIN_MS)
    .limit(1);
  return db.first(late) !== undefined;
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
