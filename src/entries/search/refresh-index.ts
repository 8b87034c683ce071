/**
 * The worker's side of the search index: makes the chunks that are missing or too far behind, and erases what must not
 * stay. An edit of an entry writes nothing here: searches look at changed entries themselves, until so many of a chunk
 * have changed that it is made anew.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../db/database.ts';
import { buildChunk } from './build-chunk.ts';
import { eraseFromChunk, writeChunk } from './chunk-file.ts';
import type { ChunkParts } from './chunk-file.ts';
import { CHUNK_ROWS, chunkOf, joinFields } from './grams.ts';
import type { FoldedTexts } from './grams.ts';
import { indexFolderOf, readManifest, writeManifest } from './index-folder.ts';
import type { IndexManifest } from './index-folder.ts';
import { listChangedRows, readMoment } from './moment.ts';
import type { ChangedRow, Moment } from './moment.ts';

/** A chunk is made anew when this many of its entries have changed. */
const CHANGED_ROWS = 1_000;
/** Changes that a search thread may have to read at its start to learn which entries of a chunk have changed. */
const CHANGES_BEHIND = 20_000;
/** Fewer entries are read through in no time. */
const ROWS_MIN = 1_000;
/** Rows that are read from the database at a time. */
const READ_ROWS = 1_000;

export interface RefreshOptions {
  /** Aborted when the index is not to be worked on any more. */
  readonly signal: AbortSignal;
  /** From how many entries on a chunk is worth a file, and how many may have changed since; for tests. */
  readonly rowsMin?: number;
  readonly changedRows?: number;
}

export interface RefreshReport {
  /** Chunks that were made. */
  readonly made: number;
  /** Chunks that were left for the next time. */
  readonly missing: number;
}

/** Brings the index up to date, in steps that let others go on; it may be ended at any moment. */
export async function refreshSearchIndex(
  db: Database,
  { signal, rowsMin = ROWS_MIN, changedRows = CHANGED_ROWS }: RefreshOptions,
): Promise<RefreshReport> {
  const folder = indexFolderOf(db.path);
  dropOtherHistory(db, folder);
  const missing = listMissing(db, folder, { rowsMin, changedRows });
  let made = 0;
  for (const number of missing) {
    // Read first: what changes while the entries are read counts as changed since.
    const { history, seq } = readMoment(db);
    const parts = await makeParts(db, number, signal);
    if (!parts || readMoment(db).history !== history) break;
    const file = `chunk-${number}-${randomBytes(6).toString('hex')}`;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeChunk(join(folder, file), parts);
    writeManifest(folder, {
      history,
      chunks: { ...presentChunks(folder, history), [number]: { file, seq } },
    });
    made += 1;
  }
  return { made, missing: missing.length - made };
}

/** Texts of another database must not stay in the folder. */
function dropOtherHistory(db: Database, folder: string): void {
  const manifest = readManifest(folder);
  const { history } = readMoment(db);
  if (manifest && manifest.history !== history) writeManifest(folder, { history, chunks: {} });
}

/** The chunks whose files are there. */
function presentChunks(folder: string, history: string): IndexManifest['chunks'] {
  const manifest = readManifest(folder);
  if (manifest?.history !== history) return {};
  return Object.fromEntries(
    Object.entries(manifest.chunks).filter(([, { file }]) => existsSync(join(folder, file))),
  );
}

/** Numbers of the chunks that have no file, or one that is too far behind. */
function listMissing(
  db: Database,
  folder: string,
  { rowsMin, changedRows }: Required<Pick<RefreshOptions, 'rowsMin' | 'changedRows'>>,
): number[] {
  const { history, seq } = readMoment(db);
  const present = presentChunks(folder, history);
  const changed = countChanged(db, present);
  const last = db.statement<{ row: number | null }>('SELECT max(row) AS row FROM entries').get()?.row ?? 0;
  const holdsEnough = db.statement('SELECT 1 FROM entries WHERE row BETWEEN ? AND ? LIMIT 1 OFFSET ?');
  return Array.from({ length: chunkOf(last) + 1 }, (_, number) => number).filter((number) => {
    const chunk = present[number];
    const first = number * CHUNK_ROWS;
    if (!chunk) return holdsEnough.get(first, first + CHUNK_ROWS - 1, rowsMin - 1) !== undefined;
    const behind = changed.get(number) ?? 0;
    return behind >= changedRows || (behind > 0 && seq - chunk.seq > CHANGES_BEHIND);
  });
}

/** Entries that changed since their chunk was made, by chunk. */
function countChanged(db: Database, chunks: IndexManifest['chunks']): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { row, seq } of listChangedSince(db, chunks)) {
    const number = chunkOf(row);
    const chunk = chunks[number];
    if (chunk && seq > chunk.seq) counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return counts;
}

/** Entries that changed since the oldest of the chunks was made. */
function listChangedSince(db: Database, chunks: IndexManifest['chunks']): ChangedRow[] {
  const oldest = Math.min(...Object.values(chunks).map(({ seq }) => seq));
  return Number.isFinite(oldest) ? listChangedRows(db, oldest) : [];
}

/** Undefined when it was ended. */
async function makeParts(db: Database, number: number, signal: AbortSignal): Promise<ChunkParts | undefined> {
  const texts = new Array<Buffer | undefined>(CHUNK_ROWS);
  const first = number * CHUNK_ROWS;
  const read = db.statement<FoldedTexts & { row: number }>(
    `SELECT entries.row AS row, name_folded AS name, chat_id_folded AS chatId, visible_text_folded AS reason
     FROM entries JOIN contents USING (content) WHERE entries.row BETWEEN ? AND ?`,
  );
  for (let from = first; from < first + CHUNK_ROWS; from += READ_ROWS) {
    const to = Math.min(from + READ_ROWS, first + CHUNK_ROWS) - 1;
    for (const entry of read.all(from, to)) texts[entry.row - first] = joinFields(entry);
    await setImmediate();
    if (signal.aborted) return undefined;
  }
  const build = buildChunk(texts);
  for (;;) {
    const step = build.next();
    if (step.done) return step.value;
    await setImmediate();
    if (signal.aborted) return undefined;
  }
}

/**
 * Overwrites in the files what the lists do not hold any more: texts and grams of entries that were removed, and the
 * texts of those that were changed.
 * @param upTo what the log had reached some seconds ago: a search that still reads an older state is over by now
 * @returns texts that were overwritten
 */
export async function eraseOldTexts(db: Database, upTo: number): Promise<number> {
  const folder = indexFolderOf(db.path);
  dropOtherHistory(db, folder);
  const chunks = presentChunks(folder, readMoment(db).history);
  const changed = listChangedSince(db, chunks).filter(({ seq }) => seq <= upTo);
  const rows = db.connection
    .prepare<unknown[], number>('SELECT row FROM entries WHERE row BETWEEN ? AND ?')
    .pluck();
  let erased = 0;
  for (const [number, { file, seq }] of Object.entries(chunks)) {
    const first = Number(number) * CHUNK_ROWS;
    const present = new Set(rows.all(first, first + CHUNK_ROWS - 1).map((row) => row - first));
    const since = changed.filter(({ row, seq: at }) => chunkOf(row) === Number(number) && at > seq);
    const rewritten = new Map(since.map(({ row, added }) => [row - first, added === 1]));
    erased += eraseFromChunk(join(folder, file), (place) => {
      if (!present.has(place) || rewritten.get(place)) return 'all';
      return rewritten.has(place) ? 'text' : 'nothing';
    });
    await setImmediate();
  }
  return erased;
}

/**
 * Erases what was removed or changed up to the last run, when there was anything; for a job that runs again and again.
 * The first run after a start looks at everything at the second.
 */
export function createTextEraser(): (db: Database) => Promise<{ readonly erased: number }> {
  let seen: Moment | undefined;
  let done: Moment | undefined;
  return async (db) => {
    const upTo = seen;
    seen = readMoment(db);
    if (!upTo || (done?.seq === upTo.seq && done.history === upTo.history)) return { erased: 0 };
    const erased = await eraseOldTexts(db, upTo.seq);
    done = upTo;
    return { erased };
  };
}
