/**
 * The way of all additions and changes into `entries`: what they are is collected in a temporary table, which nobody
 * else sees, and one transaction of few statements makes it count, so that others never wait long for the write lock.
 */
import { appendChangesFrom, readLastChange } from '../changes/append-change.ts';
import { recordRemovalsFrom } from '../changes/removals.ts';
import type { Database } from '../db/database.ts';
import { assertRoom, readRoom } from '../db/disk-room.ts';
import type { YieldLock } from '../db/yield-write-lock.ts';
import { deleteContents, findReason, lacksProofs, sameProofs } from './contents.ts';
import type { ProofItem } from './contents.ts';
import { entryIdOf, proofsIdOf } from './entry-identity.ts';
import type { ListKind, ProofsState } from './entry.ts';
import type { EntryRow, EntryWrite } from './entry-row.ts';

/** What SQLite may hold while texts and the temporary tables are written in no order. */
const STAGING_CACHE_KIB = 32_768;
/** For the transaction: pages of an index, written out and read again, would take far longer. */
const WRITE_CACHE_KIB = 262_144;
/** For the room in the WAL: of pages that there were, those an entry changes at most, and what all entries take together. */
const CHANGED_BYTES = 8 * 4096;
const ENTRY_BYTES = 500;
const SPARE_BYTES = 1024 * 1024;

/** Somebody else changed the list between the moment a write was prepared and the moment it was to count. */
export class ListChangedError extends Error {
  override name = 'ListChangedError';

  constructor(list: ListKind) {
    super(`the list ${list} was changed by somebody else meanwhile; nothing was written`);
  }
}

/** Temporary tables live on the disk and end with the connection; each connection has one of these at a time. */
export function createStaging(db: Database): void {
  db.connection.exec(`
    PRAGMA temp_store = FILE;
    PRAGMA cache_size = -${STAGING_CACHE_KIB};
    PRAGMA temp.cache_size = -${STAGING_CACHE_KIB};
    DROP TABLE IF EXISTS temp.staged;
    CREATE TEMP TABLE staged (
      place INTEGER PRIMARY KEY,
      -- NULL for an entry that is added.
      row INTEGER,
      entry_id TEXT, report_id TEXT, proofs_id TEXT, proofs TEXT, chat_id TEXT, name TEXT,
      verified INTEGER, reported_at INTEGER, updated_at INTEGER, views INTEGER, content INTEGER,
      -- The content that the entry had, where it gets another one.
      old_content INTEGER,
      -- How many proofs there are now, where the history of the proofs gets a step.
      recorded_items INTEGER,
      -- Whether it was removed before, as a tombstone tells.
      is_returned INTEGER,
      -- What of it must not come back with a backup.
      hides_reason INTEGER, hides_proofs INTEGER, makes_private INTEGER
    );
  `);
}

/** What there is of an entry before the write. */
export interface EntryBefore {
  readonly row: EntryRow;
  readonly proofItems: readonly ProofItem[];
}

/** @param proofItems what `write.content` holds */
export function stageEntry(
  db: Database,
  write: EntryWrite,
  proofItems: readonly ProofItem[],
  before: EntryBefore | undefined,
): void {
  const reportId = before?.row.report_id ?? write.reportId;
  const oldContent = before && before.row.content !== write.content ? before.row.content : null;
  const hidesReason = oldContent !== null && findReason(db, oldContent) !== findReason(db, write.content);
  db.statement(
    `INSERT INTO temp.staged (row, entry_id, report_id, proofs_id, proofs, chat_id, name, verified, reported_at,
       updated_at, views, content, old_content, recorded_items, is_returned, hides_reason, hides_proofs,
       makes_private)
     VALUES (@row, @entryId, @reportId, @proofsId, @proofs, @chatId, @name, @verified, @reportedAt,
       @updatedAt, @views, @content, @oldContent, @recordedItems,
       EXISTS (SELECT 1 FROM tombstones WHERE entry_id = @entryId), @hidesReason, @hidesProofs, @makesPrivate)`,
  ).run({
    row: before?.row.row ?? null,
    entryId: before?.row.entry_id ?? entryIdOf(reportId),
    reportId,
    proofsId: write.proofs === 'none' ? null : proofsIdOf(reportId),
    proofs: write.proofs,
    chatId: write.chatId,
    name: write.name,
    verified: write.verified ? 1 : 0,
    reportedAt: write.reportedAt,
    updatedAt: write.updatedAt ?? null,
    views: write.views ?? null,
    content: write.content,
    oldContent,
    recordedItems: proofsChanged(write.proofs, proofItems, before) ? proofItems.length : null,
    hidesReason: hidesReason ? 1 : 0,
    hidesProofs: before && lacksProofs(proofItems, before.proofItems) ? 1 : 0,
    makesPrivate: before?.row.proofs === 'public' && write.proofs === 'private' ? 1 : 0,
  });
}

/** Whether they or who may see them are not what they were. */
function proofsChanged(
  proofs: ProofsState,
  items: readonly ProofItem[],
  before: EntryBefore | undefined,
): boolean {
  const proofsBefore = before?.row.proofs ?? 'none';
  if (proofsBefore !== proofs) return true;
  return proofs !== 'none' && !sameProofs(before?.proofItems ?? [], items);
}

/**
 * Makes all that is staged count, or nothing of it; texts that nothing refers to any more go afterwards.
 * @param preparedAt readLastChange at the moment when it was compared with the list
 * @param yieldLock called after each of the short transactions
 * @throws {ListChangedError} and changes nothing when the list has changed since
 * @throws {DiskFullError} and changes nothing when the disk has no room for it
 */
export function writeStagedEntries(
  db: Database,
  list: ListKind,
  preparedAt: number,
  now: number,
  yieldLock: YieldLock,
): void {
  withoutForeignKeys(db, () => {
    const seen = prepareWrite(db, list);
    const changedBytes = estimateChanged(db);
    const startedAt = performance.now();
    db.write(() => {
      if (readLastChange(db, list) !== preparedAt) throw new ListChangedError(list);
      if (readVersion(db) !== seen) checkContents(db);
      db.statement(UPDATE_ENTRIES).run({ now });
      db.statement(INSERT_ENTRIES).run({ list, now });
      db.statement(RECORD_PROOFS).run({ now });
      // The same report number again: an operator takes back a removal.
      db.statement(DELETE_TOMBSTONES).run();
      appendChangesFrom(db, list, now, CHANGES);
      for (const { what, flag } of REMOVALS)
        recordRemovalsFrom(db, { at: now, list, what }, `SELECT entry_id FROM temp.staged WHERE ${flag}`);
      // What is in the WAL has to fit into the file as well: a commit that leaves no room for that can be neither
      // finished nor taken back, and nobody could write any more.
      assertRoom(db, { wal: readRoom(db).growth + changedBytes, file: 0, spare: SPARE_BYTES });
    });
    yieldLock(performance.now() - startedAt);
  });
  const replaced = listContents(
    db,
    'SELECT old_content AS content FROM temp.staged WHERE old_content IS NOT NULL ORDER BY content',
  );
  try {
    deleteContents(db, replaced, yieldLock);
  } catch {
    // The write counts by now, which this must not hide: the worker removes what stays.
  }
}

/** SQLite would look up each text while others wait for the lock; checkContents has done so before. */
function withoutForeignKeys(db: Database, write: () => void): void {
  db.connection.pragma('foreign_keys = OFF');
  db.connection.pragma(`cache_size = -${WRITE_CACHE_KIB}`);
  try {
    write();
  } finally {
    db.connection.pragma(`cache_size = -${STAGING_CACHE_KIB}`);
    db.connection.pragma('foreign_keys = ON');
  }
}

/**
 * What can be done before others have to wait: the texts are looked for, and the pages that are about to be written
 * are read into memory.
 * @returns the version that this is true of
 */
function prepareWrite(db: Database, list: ListKind): number {
  return db.snapshot(() => {
    checkContents(db);
    db.statement(READ_PAGES).get({ list });
    return readVersion(db);
  });
}

/** @returns bytes of the pages there are that the write will change, about and at the most */
function estimateChanged(db: Database): number {
  const { staged, entries } = db
    .statement<{ staged: number; entries: number }>(
      `SELECT (SELECT coalesce(max(place), 0) FROM temp.staged) AS staged,
         (SELECT coalesce(max(row), 0) FROM entries) AS entries`,
    )
    .get() ?? { staged: 0, entries: 0 };
  return Math.min(staged * CHANGED_BYTES, entries * ENTRY_BYTES);
}

/** Changes whenever another connection has committed something. */
function readVersion(db: Database): number {
  return db.connection.pragma('data_version', { simple: true }) as number;
}

/** Those of an import that lasts for hours may be gone. */
function checkContents(db: Database): void {
  if (db.statement(FIND_LOST_CONTENT).get()) {
    throw new Error('texts of this import were removed before it came to its end; nothing was written');
  }
}

function listContents(db: Database, source: string): number[] {
  return db
    .statement<{ content: number }>(source)
    .all()
    .map(({ content }) => content);
}

const FIND_LOST_CONTENT = `SELECT 1 FROM temp.staged LEFT JOIN contents USING (content)
  WHERE contents.content IS NULL LIMIT 1`;

/** Places in each index; `count` keeps SQLite from leaving a join out. */
const READ_PAGES = `SELECT count(same.updated_at), count(others.row), count(present.row), count(changes.seq)
  FROM temp.staged AS staged LEFT JOIN entries AS same ON same.row = staged.row
  LEFT JOIN entries AS others ON others.entry_id = staged.entry_id
  LEFT JOIN entries AS present ON present.chat_id = staged.chat_id AND present.list = @list
  LEFT JOIN changes ON changes.entry_id = staged.entry_id`;

const UPDATE_ENTRIES = `UPDATE entries SET name = staged.name, verified = staged.verified,
    reported_at = staged.reported_at, updated_at = coalesce(staged.updated_at, @now),
    views = coalesce(staged.views, entries.views), proofs = staged.proofs, proofs_id = staged.proofs_id,
    content = staged.content
  FROM temp.staged AS staged WHERE entries.row = staged.row`;

const INSERT_ENTRIES = `INSERT INTO entries (list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified,
    reported_at, updated_at, views, content)
  SELECT @list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified,
    reported_at, coalesce(updated_at, @now), coalesce(views, 0), content
  FROM temp.staged WHERE row IS NULL ORDER BY place`;

const RECORD_PROOFS = `INSERT INTO proof_changes (entry_id, at, proofs, items)
  SELECT entry_id, @now, proofs, recorded_items FROM temp.staged WHERE recorded_items IS NOT NULL ORDER BY place`;

const DELETE_TOMBSTONES = `DELETE FROM tombstones
  WHERE entry_id IN (SELECT entry_id FROM temp.staged WHERE is_returned)`;

const CHANGES = `SELECT CASE WHEN row IS NULL THEN 'added' ELSE 'updated' END AS op, entry_id
  FROM temp.staged ORDER BY place`;

const REMOVALS = [
  { what: 'returned', flag: 'is_returned' },
  { what: 'reason', flag: 'hides_reason' },
  { what: 'proofs', flag: 'hides_proofs' },
  { what: 'private', flag: 'makes_private' },
] as const;
