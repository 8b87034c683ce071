/**
 * The one place that writes entries. Every write keeps the alphabetical labels and appends to the change log in its
 * own transaction; nothing else may insert, update or delete a row of `entries`. Large imports end in
 * write-staged-entries.ts, its other half.
 */
import { appendChange, readLastChange } from '../changes/append-change.ts';
import type { Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import { foldText } from '../text/fold-text.ts';
import { placeInAlphabet } from './alphabet-rank.ts';
import type { NamedRow } from './alphabet-rank.ts';
import { deleteContents, listProofItems, sameProofs } from './contents.ts';
import { entryIdOf, proofsIdOf } from './entry-identity.ts';
import type { ListKind, ProofsState } from './entry.ts';

/** All that an entry is after the write; its texts are already stored as a content. */
export interface EntryWrite {
  readonly chatId: string;
  readonly name: string;
  readonly verified: boolean;
  /** Epoch milliseconds. */
  readonly reportedAt: number;
  /** Undefined leaves the counted ones. */
  readonly views: number | undefined;
  readonly proofs: ProofsState;
  /** Counts only for an entry that is not there yet. */
  readonly reportId: string;
  readonly content: number;
  /** Epoch milliseconds; given when nothing that anybody can see changes, and the last change stays what it was. */
  readonly updatedAt?: number;
}

export type EntryRow = Selectable<Tables['entries']>;

export const REMOVAL_REASONS = ['appeal', 'mistake', 'request', 'duplicate', 'other'] as const;
export type RemovalReason = (typeof REMOVAL_REASONS)[number];

/** Somebody else changed the list between the moment a write was prepared and the moment it was to count. */
export class ListChangedError extends Error {
  override name = 'ListChangedError';

  constructor(list: ListKind) {
    super(`the list ${list} was changed by somebody else meanwhile; nothing was written`);
  }
}

/**
 * Adds and updates entries of one list in one transaction; texts that are referred to no longer go afterwards.
 * @param writes unchanged entries are left out by the caller; in alphabetical order a large number is placed fastest
 * @param preparedAt readLastChange at the moment when the writes were compared with the list
 * @throws {ListChangedError} and changes nothing when the list has changed since
 */
export function writeEntries(
  db: Database,
  list: ListKind,
  writes: Iterable<EntryWrite>,
  preparedAt: number,
  now: number,
): void {
  const replaced: number[] = [];
  db.write(() => {
    if (readLastChange(db, list) !== preparedAt) throw new ListChangedError(list);
    const unplaced: NamedRow[] = [];
    for (const write of writes) writeEntry(db, list, write, now, unplaced, replaced);
    placeInAlphabet(db, list, unplaced);
  });
  deleteContents(db, replaced);
}

/**
 * Removes an entry with its texts and proofs; a tombstone without anything personal stays.
 * @returns false when there is no such entry
 */
export function removeEntry(
  db: Database,
  list: ListKind,
  chatId: string,
  reason: RemovalReason,
  now: number,
): boolean {
  return db.write(() => {
    const entry = findRow(db, list, chatId);
    if (!entry) return false;
    db.run(db.sql.deleteFrom('entries').where('row', '=', entry.row));
    db.run(db.sql.deleteFrom('contents').where('content', '=', entry.content));
    db.run(db.sql.deleteFrom('proof_changes').where('entry_id', '=', entry.entry_id));
    const tombstone = {
      entry_id: entry.entry_id,
      report_id: entry.report_id,
      list,
      removed_at: now,
      reason_code: reason,
    };
    db.run(
      db.sql
        .insertInto('tombstones')
        .values(tombstone)
        .onConflict((conflict) => conflict.doUpdateSet(tombstone)),
    );
    appendChange(db, { at: now, op: 'removed', list, entryId: entry.entry_id });
    return true;
  });
}

/** Undefined when the list has no entry with this chat ID. */
export function findRow(db: Database, list: ListKind, chatId: string): EntryRow | undefined {
  return db.statement<EntryRow>('SELECT * FROM entries WHERE chat_id = ? AND list = ?').get(chatId, list);
}

function writeEntry(
  db: Database,
  list: ListKind,
  write: EntryWrite,
  now: number,
  unplaced: NamedRow[],
  replaced: number[],
): void {
  const before = findRow(db, list, write.chatId);
  const reportId = before?.report_id ?? write.reportId;
  const values = {
    name: write.name,
    nameFolded: foldText(write.name),
    chatIdFolded: foldText(write.chatId),
    verified: write.verified ? 1 : 0,
    reportedAt: write.reportedAt,
    updatedAt: write.updatedAt ?? now,
    views: write.views ?? before?.views ?? 0,
    proofs: write.proofs,
    proofsId: write.proofs === 'none' ? null : proofsIdOf(reportId),
    content: write.content,
  };
  recordProofs(db, before, { ...write, entryId: before?.entry_id ?? entryIdOf(reportId) }, now);
  if (before) {
    db.statement(UPDATE_ENTRY).run({ ...values, row: before.row });
    if (before.content !== write.content) replaced.push(before.content);
    if (before.name !== write.name) {
      db.statement('UPDATE entries SET az_rank = NULL WHERE row = ?').run(before.row);
      unplaced.push({ row: before.row, name: write.name, entry_id: before.entry_id });
    }
    appendChange(db, { at: now, op: 'updated', list, entryId: before.entry_id });
    return;
  }
  const entryId = entryIdOf(reportId);
  const { lastInsertRowid } = db
    .statement(INSERT_ENTRY)
    .run({ ...values, list, entryId, reportId, chatId: write.chatId });
  // The same report number again: an operator takes back a removal.
  db.statement('DELETE FROM tombstones WHERE entry_id = ?').run(entryId);
  unplaced.push({ row: Number(lastInsertRowid), name: write.name, entry_id: entryId });
  appendChange(db, { at: now, op: 'added', list, entryId });
}

/** The history of the proofs: one row where they or who may see them change. */
function recordProofs(
  db: Database,
  before: EntryRow | undefined,
  after: { readonly entryId: string; readonly proofs: ProofsState; readonly content: number },
  now: number,
): void {
  const stateBefore = before?.proofs ?? 'none';
  if (stateBefore === 'none' && after.proofs === 'none') return;
  const items = listProofItems(db, after.content);
  const itemsBefore = before && before.content !== after.content ? listProofItems(db, before.content) : items;
  if (stateBefore === after.proofs && sameProofs(itemsBefore, items)) return;
  db.statement(
    'INSERT INTO proof_changes (entry_id, at, proofs, items) VALUES (@entryId, @now, @proofs, @items)',
  ).run({ entryId: after.entryId, now, proofs: after.proofs, items: items.length });
}

const UPDATE_ENTRY = `UPDATE entries SET name = @name, name_folded = @nameFolded, chat_id_folded = @chatIdFolded, verified = @verified,
  reported_at = @reportedAt, updated_at = @updatedAt, views = @views, proofs = @proofs, proofs_id = @proofsId,
  content = @content WHERE row = @row`;

const INSERT_ENTRY = `INSERT INTO entries (list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified,
  reported_at, updated_at, views, name_folded, chat_id_folded, content)
  VALUES (@list, @entryId, @reportId, @proofsId, @proofs, @chatId, @name, @verified,
  @reportedAt, @updatedAt, @views, @nameFolded, @chatIdFolded, @content)`;
