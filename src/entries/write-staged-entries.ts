/**
 * Writes additions and changes of entries. They are collected in temporary tables, which only this connection sees, and
 * one transaction of few statements commits them, so that the write lock is short. Published JSON is made beforehand.
 */
import { appendChangesFrom, readLastChange } from '../changes/append-change.ts';
import { readLogHead } from '../changes/log-head.ts';
import { recordRemovalsFrom } from '../changes/removals.ts';
import type { Database } from '../db/database.ts';
import {
  findHtml,
  getReason,
  removesProofs,
  listProofItems,
  sameProofs,
  type ProofItem,
} from './contents.ts';
import { entryIdOf, proofsIdOf } from './entry-identity.ts';
import type { ListKind } from './entry.ts';
import type { EntryRow, EntryWrite } from './entry-row.ts';
import { FORMER_NAMES_MAX, formerNamesOf, LOST_NAME } from './former-names.ts';
import { toPublished } from './published.ts';
import { hasTombstone } from './report-numbers.ts';

/** Keeps index pages in memory, which would otherwise be written and read again. */
const CACHE_KIB = 131_072;

export class EntryChangedError extends Error {
  override name = 'EntryChangedError';

  constructor(list: ListKind, chatId: string, change?: { readonly at: number; readonly by: string | null }) {
    const who = change ? ` at ${new Date(change.at).toISOString()} by ${change.by ?? 'somebody'}` : '';
    super(`the entry ${chatId} of ${list} was changed meanwhile${who}; nothing was written`);
  }
}

export type HowChanged = 'edit' | 'redaction' | 'import' | 'undo' | 'restore' | 'rebuild';

export interface WriteOptions {
  /** readLastChange of the list when the writes were compared. */
  readonly preparedAt: number;
  readonly now: number;
  readonly by?: string | undefined;
  readonly how?: HowChanged | undefined;
}

const COLUMNS = `
  -- NULL for an entry that is added.
  row INTEGER,
  entry_id TEXT, report_id TEXT, proofs_id TEXT, proofs TEXT, chat_id TEXT, name TEXT,
  verified INTEGER, reported_at INTEGER, updated_at INTEGER, views INTEGER,
  -- Names of the fields that differ from the entry before, separated by spaces.
  fields TEXT,
  -- The number of proofs, when the history of proofs gets a row.
  recorded_count INTEGER,
  -- The replaced name, where it is kept; whether all of them are erased.
  former_name TEXT, forgets_names INTEGER,
  -- A JSON array of kinds of removals; an added entry has them when there is a tombstone.
  removals TEXT,
  -- NULL when the public may not see the entry.
  flags INTEGER`;
const NAMES = COLUMNS.match(/(?<!\w)\w+(?= INTEGER| TEXT)/g) ?? [];
const INSERT_STAGED = `INSERT INTO temp.staged (${NAMES.join()}) VALUES (@${NAMES.join(',@')})`;

/** A connection has one set of staging tables, on the disk, until it closes. */
export function createStaging(db: Database): void {
  db.connection.exec(`
    PRAGMA temp_store = FILE;
    PRAGMA cache_size = -${CACHE_KIB};
    DROP TABLE IF EXISTS temp.staged;
    DROP TABLE IF EXISTS temp.staged_texts;
    CREATE TEMP TABLE staged (staged_id INTEGER PRIMARY KEY, ${COLUMNS});
    -- A table of its own, because it would double the time of statements that read no texts.
    CREATE TEMP TABLE staged_texts (
      staged_id INTEGER PRIMARY KEY, card TEXT, json TEXT,
      -- NULL when texts and proofs stay; the items are a JSON array.
      reason TEXT, items TEXT
    )`);
}

export function stageEntry(
  db: Database,
  list: ListKind,
  write: EntryWrite,
  before: EntryRow | undefined,
  now: number,
): void {
  const { chatId, name, verified, reportedAt, proofs, content, formerNames = 'add' } = write;
  const reportId = before?.report_id ?? write.reportId;
  const entryId = before?.entry_id ?? entryIdOf(reportId);
  const proofsId = proofs === 'none' ? null : proofsIdOf(reportId);
  const updatedAt = write.updatedAt ?? now;
  const withdrawn = write.erasesReplaced === true && before !== undefined;
  const itemsBefore = before ? listProofItems(db, before.row) : [];
  const items = content?.proofItems ?? itemsBefore;
  const descHtml = content?.descHtml ?? (before && findHtml(db, before.row));
  if (descHtml === undefined) throw new Error(`the entry ${entryId} is written without its text`);
  const ids = { _id: entryId, id: chatId, proofsId, reportId };
  const isPublic = list !== 'legit' || verified;
  const published = isPublic
    ? toPublished({ ...ids, list, name, verified, proofs, reportedAt, updatedAt, descHtml })
    : undefined;
  const isProofsChange = proofsChanged(write, items, before, itemsBefore);
  const isReasonChange =
    before !== undefined && content !== undefined && getReason(db, before.row) !== content.reason;
  const isRenamed = before !== undefined && before.name !== name;
  const keepsName = formerNames === 'add' && isRenamed && list !== 'legit' && before.name !== LOST_NAME;
  const forgetsNames = formerNames === 'erase' && formerNamesOf(db, entryId).length > 0;
  const fields = before && {
    id: before.chat_id !== chatId,
    name: isRenamed,
    reason: isReasonChange,
    verified: (before.verified === 1) !== verified,
    reportedAt: before.reported_at !== reportedAt,
    views: (write.views ?? before.views) !== before.views,
    proofs: isProofsChange,
    formerNames: forgetsNames,
  };
  const removals = listTrue({
    returned: !before && hasTombstone(db, reportId),
    name: (withdrawn && isRenamed) || forgetsNames,
    reason: withdrawn && isReasonChange,
    proofs: withdrawn && removesProofs(items, itemsBefore),
    private: before?.proofs === 'public' && proofs === 'private',
  });
  const { lastInsertRowid: stagedId } = db.statement(INSERT_STAGED).run({
    row: before?.row ?? null,
    entry_id: entryId,
    report_id: reportId,
    proofs_id: proofsId,
    proofs,
    chat_id: chatId,
    name,
    verified: verified ? 1 : 0,
    reported_at: reportedAt,
    updated_at: updatedAt,
    views: write.views ?? null,
    fields: fields ? listTrue(fields).join(' ') : null,
    recorded_count: isProofsChange ? items.length : null,
    former_name: keepsName ? before.name : null,
    forgets_names: formerNames === 'erase' ? 1 : 0,
    removals: removals.length > 0 ? JSON.stringify(removals) : null,
    flags: published?.flags ?? null,
  });
  db.statement('INSERT INTO temp.staged_texts VALUES (?, ?, ?, ?, ?)').run(
    stagedId,
    published?.card ?? null,
    published?.json ?? null,
    content?.reason ?? null,
    content && content.proofItems.length > 0 ? JSON.stringify(content.proofItems) : null,
  );
}

function listTrue(flags: Readonly<Record<string, boolean | undefined>>): string[] {
  return Object.keys(flags).filter((name) => flags[name]);
}

function proofsChanged(
  { proofs }: EntryWrite,
  items: readonly ProofItem[],
  before: EntryRow | undefined,
  itemsBefore: readonly ProofItem[],
): boolean {
  if ((before?.proofs ?? 'none') !== proofs) return true;
  return proofs !== 'none' && !sameProofs(itemsBefore, items);
}

/** @throws {EntryChangedError} and changes nothing when one of the entries changed meanwhile */
export function writeStagedEntries(
  db: Database,
  list: ListKind,
  { preparedAt, now, by, how }: WriteOptions,
): void {
  db.write(() => {
    const { seq } = readLogHead(db);
    if (readLastChange(db, list) !== preparedAt) {
      const changed = db.statement<string>(CHANGED_SINCE).pluck().get({ list, preparedAt });
      if (changed !== undefined) {
        const change = db.statement<{ at: number; by: string | null }>(CHANGED_BY);
        throw new EntryChangedError(list, changed, change.get({ list, preparedAt, chatId: changed }));
      }
    }
    const base = db.statement(LAST_ROW).pluck().get() as number;
    db.statement(UPDATE_ENTRIES).run();
    db.statement(INSERT_ENTRIES).run({ list, base });
    for (const statement of [KEEP_NAMES, DROP_OLDEST_NAMES, FORGET_NAMES]) db.statement(statement).run();
    db.statement(WRITE_REASONS).run({ base });
    db.statement(DELETE_ITEMS).run();
    db.statement(INSERT_ITEMS).run({ base });
    db.statement(UNPUBLISH).run();
    db.statement(PUBLISH).run({ base });
    db.statement(RECORD_PROOFS).run({ now });
    db.statement(DELETE_TOMBSTONES).run();
    appendChangesFrom(db, list, now, CHANGES);
    db.statement(NOTE_CHANGES).run({ seq, by: by ?? null, how: how ?? null });
    recordRemovalsFrom(db, { at: now, list }, REMOVALS);
  });
  // Temporary rows must not stay on the disk as long as the connection.
  db.connection.exec('DROP TABLE temp.staged; DROP TABLE temp.staged_texts');
}

// Kysely knows neither temporary tables, nor UPDATE … FROM with them, nor sqlite_sequence.
/** The largest row number ever used. */
const LAST_ROW = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'entries'";

const UPDATE_ENTRIES = `UPDATE entries SET chat_id = staged.chat_id, name = staged.name, verified = staged.verified,
    reported_at = staged.reported_at, updated_at = staged.updated_at, views = coalesce(staged.views, entries.views),
    proofs = staged.proofs, proofs_id = staged.proofs_id
  FROM temp.staged AS staged WHERE entries.row = staged.row`;

const INSERT_ENTRIES = `INSERT INTO entries (row, list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified,
    reported_at, updated_at, views)
  SELECT @base + staged_id, @list, entry_id, report_id, proofs_id, proofs, chat_id, name, verified,
    reported_at, updated_at, coalesce(views, 0)
  FROM temp.staged WHERE row IS NULL ORDER BY staged_id`;

/** A name that comes again becomes the newest. */
const KEEP_NAMES = `INSERT OR REPLACE INTO former_names (row, name)
  SELECT row, former_name FROM temp.staged WHERE former_name IS NOT NULL ORDER BY staged_id`;
const DROP_OLDEST_NAMES = `DELETE FROM former_names AS old
  WHERE row IN (SELECT row FROM temp.staged WHERE former_name IS NOT NULL)
    AND (SELECT count(*) FROM former_names WHERE row = old.row AND former > old.former) >= ${FORMER_NAMES_MAX}`;
const FORGET_NAMES =
  'DELETE FROM former_names WHERE row IN (SELECT row FROM temp.staged WHERE forgets_names)';

const WRITE_REASONS = `INSERT INTO contents (row, reason)
  SELECT coalesce(row, @base + staged_id), reason FROM temp.staged JOIN temp.staged_texts USING (staged_id)
  WHERE reason IS NOT NULL ORDER BY staged_id
  ON CONFLICT (row) DO UPDATE SET reason = excluded.reason`;

const DELETE_ITEMS = `DELETE FROM proof_items WHERE row IN (
  SELECT row FROM temp.staged JOIN temp.staged_texts USING (staged_id) WHERE row IS NOT NULL AND reason IS NOT NULL)`;
const INSERT_ITEMS = `INSERT INTO proof_items (row, position, text, text_html, url, file_sha256, file_name, caption)
  SELECT coalesce(row, @base + staged_id), item.key, item.value ->> 'text', item.value ->> 'textHtml', item.value ->> 'url',
    item.value ->> 'fileSha256', item.value ->> 'fileName', item.value ->> 'caption'
  FROM temp.staged_texts JOIN temp.staged USING (staged_id), json_each(items) AS item WHERE items IS NOT NULL`;

const UNPUBLISH =
  'DELETE FROM published WHERE row IN (SELECT row FROM temp.staged WHERE row IS NOT NULL AND flags IS NULL)';
const PUBLISH = `INSERT INTO published (row, flags, chat_id, card, json)
  SELECT coalesce(row, @base + staged_id), flags, chat_id, card, json
  FROM temp.staged JOIN temp.staged_texts USING (staged_id) WHERE flags IS NOT NULL ORDER BY staged_id
  ON CONFLICT (row) DO UPDATE SET chat_id = excluded.chat_id, flags = excluded.flags, card = excluded.card, json = excluded.json`;

const RECORD_PROOFS = `INSERT INTO proof_changes (entry_id, at, proofs, items)
  SELECT entry_id, @now, proofs, recorded_count FROM temp.staged WHERE recorded_count IS NOT NULL ORDER BY staged_id`;

const DELETE_TOMBSTONES = `DELETE FROM tombstones
  WHERE entry_id IN (SELECT entry_id FROM temp.staged WHERE row IS NULL AND removals IS NOT NULL)`;

const CHANGED_SINCE = `SELECT chat_id FROM temp.staged AS staged
  WHERE entry_id IN (SELECT entry_id FROM changes WHERE list = @list AND seq > @preparedAt)
    OR EXISTS (SELECT 1 FROM entries WHERE list = @list AND entries.chat_id = staged.chat_id AND entries.row IS NOT staged.row)
  LIMIT 1`;

const CHANGED_BY = `SELECT at, by FROM changes LEFT JOIN change_notes USING (seq)
  WHERE list = @list AND seq > @preparedAt AND entry_id IN (
    SELECT entry_id FROM temp.staged WHERE chat_id = @chatId
    UNION ALL SELECT entry_id FROM entries WHERE list = @list AND chat_id = @chatId)
  ORDER BY seq DESC LIMIT 1`;

const NOTE_CHANGES = `INSERT INTO change_notes (seq, by, fields, how)
  SELECT seq, @by, fields, @how FROM changes JOIN temp.staged USING (entry_id)
  WHERE seq > @seq AND (@by IS NOT NULL OR fields IS NOT NULL)`;

const CHANGES = `SELECT CASE WHEN row IS NULL THEN 'added' ELSE 'updated' END AS op, entry_id
  FROM temp.staged ORDER BY staged_id`;

const REMOVALS = 'SELECT entry_id, value AS what FROM temp.staged, json_each(removals) ORDER BY staged_id';
