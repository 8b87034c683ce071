/**
 * A chunk contains the public entries of a list whose `_id` begins with the same 0 to 3 hexadecimal digits. Its name
 * contains these digits and the SHA-256 of its bytes, so a file never changes.
 *
 * The manifest is replaced last, so all its chunks exist. Each chunk is read by one statement, so that no reader blocks
 * the WAL; it may contain later changes, which a mirror applies twice without harm.
 */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readLogHead, formatCursor, isCursorValid, parseCursor } from '../../changes/change-log.ts';
import { sqlBuilder, type Database } from '../../db/database.ts';
import { writeFileAtomic } from '../../db/write-file-atomic.ts';
import { LIST_KINDS, type ListKind } from '../entry.ts';
import { RETURNED } from '../../removals/removals.ts';
import { FORMAT_VERSION } from '../mirror-schema.ts';
import { isPublic, parseSummary, publicEntries, toEntryJson } from '../public-entry.ts';
import {
  CHUNK_NAME,
  findManifest,
  manifestFile,
  pathsOf,
  PUBLIC_MODE,
  snapshotsFolder,
  type Manifest,
  type ManifestChunk,
} from './manifest.ts';

/** A list gets one digit more when its chunks would exceed this on average. */
export const CHUNK_ENTRIES = 512;
const DIGITS_MAX = 3;
const CHUNK_RETENTION_MS = 24 * 3_600_000;

/** Publishes changes since the last manifest, and deletes chunks unused for a day. Only one call may run at a time. */
export async function publishSnapshots(db: Database, signal: AbortSignal) {
  const folder = snapshotsFolder(db.path);
  for (const list of LIST_KINDS) await mkdir(join(folder, list), { recursive: true });
  const head = readLogHead(db);
  const base = findBase(db, folder);
  const unusedSince = base ? Date.now() - CHUNK_RETENTION_MS : Number.POSITIVE_INFINITY;
  if (base?.seq === head.seq)
    return { written: 0, erased: await sweepChunks(folder, pathsOf(base), unusedSince) };
  const changed = base ? listChanged(db, base.seq) : [];
  const written = new Set<string>();
  const lists = {} as Record<ListKind, Manifest['lists'][ListKind]>;
  let erased: number;
  try {
    for (const list of LIST_KINDS) {
      const chunks: ManifestChunk[] = [];
      const last = base?.lists[list].chunks ?? [];
      for (const { digits, current } of planChunks(db, folder, list, last, changed)) {
        signal.throwIfAborted();
        const chunk = current ?? writeChunk(folder, list, digits, readItems(db, list, digits));
        if (!current) written.add(chunk.path);
        chunks.push(chunk);
        await setImmediate();
      }
      lists[list] = { total: chunks.reduce((total, { entries }) => total + entries, 0), chunks };
    }
  } finally {
    // Even if publishing failed, because a removed entry must not stay when the disk is full.
    const removed = changed.filter(({ leavesSnapshots }) => leavesSnapshots);
    erased = await eraseFromSnapshots(folder, removed, written);
  }
  const named = pathsOf({ lists });
  const now = new Date();
  // A replaced chunk stays for CHUNK_RETENTION_MS from now on, if it is there.
  for (const path of base ? pathsOf(base) : [])
    if (!named.has(path)) await utimes(chunkFile(folder, path), now, now).catch(() => {});
  const manifest: Manifest = {
    formatVersion: FORMAT_VERSION,
    generation: head.seq,
    generatedAt: now.toISOString(),
    // Before the lists, because findSnapshotCursor reads only the beginning.
    cursor: formatCursor(head),
    lists,
  };
  writeFileAtomic(manifestFile(folder), JSON.stringify(manifest), PUBLIC_MODE);
  erased += await sweepChunks(folder, named, unusedSince);
  return { written: written.size, erased };
}

type Base = Pick<Manifest, 'lists'> & { readonly seq: number };

/** Undefined when all chunks must be made again: the manifest is missing, or of another log. */
function findBase(db: Database, folder: string): Base | undefined {
  const last = findManifest(folder);
  const since = last && parseCursor(last.cursor);
  return since && isCursorValid(db, since) ? { lists: last.lists, seq: since.seq } : undefined;
}

interface ChangedEntry {
  readonly list: ListKind;
  readonly entry_id: string;
  /** A change hid the entry or a text of it; it may be public again. */
  readonly leavesSnapshots: boolean;
}

function listChanged(db: Database, after: number): ChangedEntry[] {
  const { logId } = readLogHead(db);
  const changes = db.all(
    sqlBuilder
      .selectFrom('changes')
      .leftJoin('entries', 'entries.entry_id', 'changes.entry_id')
      .leftJoin('published', 'published.row', 'entries.row')
      .leftJoin('removals', (join) =>
        join
          .onRef('removals.entry_id', '=', 'changes.entry_id')
          .onRef('removals.change', '>=', 'changes.seq')
          .on('removals.history', '=', logId)
          .on('removals.what', 'not in', ['entry', RETURNED, 'proofs', 'private']),
      )
      .select(['changes.list', 'changes.entry_id', 'op', 'published.row as shown'])
      .select('removals.what as redacted')
      .distinct()
      .where('seq', '>', after),
  );
  return changes.map(({ op, shown, redacted, ...entry }) => ({
    ...entry,
    leavesSnapshots: op === 'removed' || shown === null || redacted !== null,
  }));
}

function planChunks(
  db: Database,
  folder: string,
  list: ListKind,
  last: readonly ManifestChunk[],
  changed: readonly ChangedEntry[],
): { readonly digits: string; readonly current: ManifestChunk | undefined }[] {
  const before = new Map(last.map((chunk) => [digitsOf(basename(chunk.path)), chunk]));
  const entries = sqlBuilder.selectFrom('entries').where('list', '=', list).where(isPublic);
  const total = db.first(entries.select(({ fn }) => fn.countAll<number>().as('count')))?.count ?? 0;
  const length = countDigits(total);
  const touched = new Set(
    changed.filter((each) => each.list === list).map(({ entry_id }) => entry_id.slice(0, length)),
  );
  return Array.from({ length: 16 ** length }, (_, number) => {
    const digits = length === 0 ? '' : number.toString(16).padStart(length, '0');
    const chunk = before.get(digits);
    const isCurrent = chunk && !touched.has(digits) && existsSync(chunkFile(folder, chunk.path));
    return { digits, current: isCurrent ? chunk : undefined };
  });
}

function countDigits(entries: number): number {
  let digits = 0;
  while (digits < DIGITS_MAX && entries > CHUNK_ENTRIES * 16 ** digits) digits += 1;
  return digits;
}

function readItems(db: Database, list: ListKind, digits: string): string[] {
  const source = publicEntries
    .select(['card', 'json'])
    .where('list', '=', list)
    .where('entry_id', '>=', digits)
    .where('entry_id', '<', `${digits}g`)
    .orderBy('entry_id');
  return db.all(source).map(({ json, card }) => toEntryJson(json, parseSummary(card)));
}

/** Empty for another file. */
function digitsOf(name: string): string {
  return CHUNK_NAME.exec(name)?.[1] ?? '';
}

function writeChunk(folder: string, list: ListKind, digits: string, items: readonly string[]): ManifestChunk {
  const body = Buffer.from(`[${items.join(',\n')}]\n`);
  const sha256 = hash('sha256', body);
  const chunk = {
    path: `/snapshots/${list}/h${digits}-${sha256}.json`,
    sha256,
    bytes: body.length,
    entries: items.length,
  };
  writeFileAtomic(chunkFile(folder, chunk.path), body, PUBLIC_MODE);
  return chunk;
}

/** @param path in the URL */
function chunkFile(folder: string, path: string): string {
  return join(folder, ...path.split('/').slice(2));
}

/** Deletes chunks with these entries, even from the manifest: clients get 410 until the next publication. */
function eraseFromSnapshots(folder: string, removed: readonly ChangedEntry[], kept: ReadonlySet<string>) {
  return deleteChunks(folder, kept, async (list, name, path) => {
    const digits = digitsOf(name);
    const removedHere = removed.filter((entry) => entry.list === list && entry.entry_id.startsWith(digits));
    const text = removedHere.length === 0 ? '' : await readFile(path, 'utf8').catch(() => '');
    return removedHere.some(({ entry_id }) => text.includes(`"_id":"${entry_id}"`));
  });
}

/** Deletes chunks that were not used since a time, and files of killed processes. */
function sweepChunks(folder: string, kept: ReadonlySet<string>, unusedSince: number): Promise<number> {
  return deleteChunks(folder, kept, async (_list, _name, path) => {
    const { mtimeMs = undefined } = (await stat(path).catch(() => undefined)) ?? {};
    // One of the future was used before the clock was set back.
    return mtimeMs !== undefined && (mtimeMs <= unusedSince || mtimeMs > Date.now() + CHUNK_RETENTION_MS);
  });
}

async function deleteChunks(
  folder: string,
  kept: ReadonlySet<string>,
  isGone: (list: ListKind, name: string, path: string) => Promise<boolean>,
): Promise<number> {
  let deleted = 0;
  for (const list of LIST_KINDS) {
    for (const name of await readdir(join(folder, list)).catch(() => [])) {
      const path = join(folder, list, name);
      if (kept.has(`/snapshots/${list}/${name}`) || !(await isGone(list, name, path))) continue;
      await rm(path, { force: true });
      deleted += 1;
    }
  }
  return deleted;
}
