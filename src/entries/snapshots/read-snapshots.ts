import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseCursor, type Cursor } from '../../changes/cursor.ts';
import { readLogHead } from '../../changes/log-head.ts';
import { build, type Database } from '../../db/database.ts';
import type { ListKind } from '../entry.ts';
import { manifestFile, snapshotsFolder } from './manifest.ts';

const PUBLISHED_WITHIN_MS = 60_000;
/** The beginning of a manifest with its cursor; parsing all of it takes milliseconds at a million entries. */
const HEAD_BYTES = 256;

export function findManifestBody(databasePath: string): Promise<Buffer | undefined> {
  return ifThere(readFile(manifestFile(snapshotsFolder(databasePath))));
}

export function findChunkBody(
  databasePath: string,
  list: ListKind,
  name: string,
): Promise<Buffer | undefined> {
  return ifThere(readFile(join(snapshotsFolder(databasePath), list, name)));
}

/** After a restore mirrors would go in circles, and a removal must be published within a minute. */
export async function areOutdated(db: Database, now: number): Promise<boolean> {
  const published = await readPublished(db.path);
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

async function readPublished(databasePath: string): Promise<Cursor | undefined> {
  await using file = await ifThere(open(manifestFile(snapshotsFolder(databasePath))));
  if (!file) return undefined;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.toString('utf8', 0, bytesRead);
  return parseCursor(/"cursor":"([^"]*)"/.exec(head)?.[1] ?? '');
}

async function ifThere<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
